// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"
#include "ui/panels/document_page.h"

#include <QAction>
#include <QLabel>
#include <QPlainTextEdit>

#include "tests/ui/shown_window.h"

namespace tst_advice_panel {

using namespace roofwalk;
using test::ShownWindow;

namespace {

DocumentPage& raised_panel(ShownWindow& s) {
    s.window.findChild<QWidget*>("dock_advice")->raise();
    QCoreApplication::processEvents();
    return *s.window.findChild<DocumentPage*>("advice_page");
}

QString words(const DocumentPage& panel) {
    QStringList texts;
    for (const QLabel* label : panel.widget()->findChildren<QLabel*>())
        texts.append(label->accessibleName());
    return texts.join('\n');
}

}  // namespace

class TestAdvicePanel : public QObject {
    Q_OBJECT

  private slots:
    void without_a_selection_it_asks_for_one() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        QVERIFY(words(raised_panel(s)).startsWith("Select a kernel"));
    }

    void a_kernel_gets_a_position_and_where_to_begin() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const DocumentPage& panel = raised_panel(s);
        s.action("next").trigger();
        s.action("next").trigger();
        const QString text = words(panel);
        QVERIFY2(text.startsWith("Below the memory roof\nstream_add"), qPrintable(text));
        QVERIFY2(text.contains("\nFirst\n") && text.contains("\nThen\n"), qPrintable(text));
    }

    void what_was_not_measured_comes_with_its_command() {
        ShownWindow s;
        QVERIFY(s.open({test::write_kernel_with_busy_sm(s.folder, "a.json")}));
        const DocumentPage& panel = raised_panel(s);
        s.action("next").trigger();
        QVERIFY(words(panel).contains("May also be, but was not measured"));
        const auto* command = panel.findChild<QPlainTextEdit*>("ncu_command");
        QVERIFY(command != nullptr);
        QVERIFY2(command->toPlainText().startsWith("ncu --"), qPrintable(command->toPlainText()));
        QVERIFY(command->toPlainText().contains("-o roofwalk_report"));
    }

    void it_follows_the_selection() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const DocumentPage& panel = raised_panel(s);
        s.action("next").trigger();
        QVERIFY2(words(panel).contains("sgemm_tiled"), qPrintable(words(panel)));
        s.action("clear_selection").trigger();
        QVERIFY(words(panel).startsWith("Select a kernel"));
    }
};

}  // namespace tst_advice_panel

ROOFWALK_TEST(tst_advice_panel, TestAdvicePanel, QApplication)
#include "tst_advice_panel.moc"
