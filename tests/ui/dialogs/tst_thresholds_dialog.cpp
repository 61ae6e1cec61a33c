// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"
#include "ui/dialogs/thresholds_dialog.h"

#include <QLabel>
#include <QPushButton>
#include <QTimer>

#include "core/workspace/session_json.h"
#include "tests/ui/file_content.h"
#include "tests/ui/shown_window.h"
#include "ui/panels/document_page.h"
#include "ui/widgets/number_box.h"

namespace tst_thresholds_dialog {

using namespace roofwalk;
using test::ShownWindow;

namespace {

NumberBox& value_of(const ThresholdsDialog& dialog, const char* id) {
    return *dialog.findChild<NumberBox*>(QStringLiteral("threshold_") + id);
}

QPushButton& back_of(const ThresholdsDialog& dialog, const char* id) {
    return *dialog.findChild<QPushButton*>(QStringLiteral("put_back_") + id);
}

QString words(const DocumentPage& panel) {
    QStringList texts;
    for (const QLabel* label : panel.widget()->findChildren<QLabel*>())
        texts.append(label->accessibleName());
    return texts.join('\n');
}

/// Opens the dialog as a person does and sets a threshold.
void set_threshold_in_window(ShownWindow& s, const char* id, double value) {
    QTimer::singleShot(0, &s.window, [id, value] {
        auto* dialog = qobject_cast<ThresholdsDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        value_of(*dialog, id).setValue(value);
        dialog->accept();
    });
    s.action("advice_thresholds").trigger();
}

}  // namespace

class TestThresholdsDialog : public QObject {
    Q_OBJECT

  private slots:
    void every_threshold_is_shown_and_stays_as_it_is_untouched() {
        AdviceThresholds thresholds;
        thresholds.shortest_time = 1.23456789e-5;  // more digits than the field shows
        thresholds.occupancy = 0.25;
        const ThresholdsDialog dialog(thresholds);
        for (const ThresholdSpec& spec : advice_threshold_specs())
            QVERIFY2(dialog.findChild<NumberBox*>("threshold_" + QString::fromUtf8(spec.id.data())),
                     spec.id.data());
        QVERIFY(dialog.thresholds() == thresholds);
    }

    void one_or_all_are_put_back_to_what_is_usual() {
        AdviceThresholds thresholds;
        thresholds.occupancy = 0.25;
        thresholds.waves = 3;
        ThresholdsDialog dialog(thresholds);
        QVERIFY(back_of(dialog, "occupancy").isEnabled());
        QVERIFY(!back_of(dialog, "l2_hit_rate").isEnabled());
        back_of(dialog, "occupancy").click();
        QVERIFY(!back_of(dialog, "occupancy").isEnabled());
        QCOMPARE(dialog.thresholds().occupancy, AdviceThresholds().occupancy);
        QCOMPARE(dialog.thresholds().waves, 3.0);
        for (QPushButton* button : dialog.findChildren<QPushButton*>())
            if (button->text() == "Put all back") button->click();
        QVERIFY(dialog.thresholds() == AdviceThresholds());
    }

    void a_share_stays_a_share() {
        ThresholdsDialog dialog({});
        value_of(dialog, "occupancy").setValue(7);
        QCOMPARE(dialog.thresholds().occupancy, 1.0);
    }

    void the_advice_follows_at_once_and_undo_takes_it_back() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.window.findChild<QWidget*>("dock_advice")->raise();
        QCoreApplication::processEvents();
        const DocumentPage& panel = *s.window.findChild<DocumentPage*>("advice_page");
        s.action("next").trigger();
        const QString before = words(panel);
        QVERIFY2(!before.contains("10 s"), qPrintable(before));
        set_threshold_in_window(s, "shortest_time", 10);
        const QString after = words(panel);
        QVERIFY2(after != before, qPrintable(after));
        QVERIFY(s.window.isWindowModified());
        s.action("undo").trigger();
        QCOMPARE(words(panel), before);
        QVERIFY(!s.window.isWindowModified());
    }

    void the_session_keeps_them() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        set_threshold_in_window(s, "occupancy", 0.375);
        s.chooser.to_save = s.folder.filePath("walk.roofwalk");
        s.action("save").trigger();
        const auto saved = read_session(test::content(s.chooser.to_save).toStdString(), "walk.roofwalk");
        QVERIFY(saved);
        QCOMPARE(saved->thresholds.occupancy, 0.375);
    }
};

}  // namespace tst_thresholds_dialog

ROOFWALK_TEST(tst_thresholds_dialog, TestThresholdsDialog, QApplication)
#include "tst_thresholds_dialog.moc"
