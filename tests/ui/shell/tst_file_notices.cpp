// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/file_notices.h"

#include <QDir>
#include <QPushButton>

#include "tests/support/folder_tests.h"
#include "tests/ui/message_words.h"
#include "tests/ui/shown_window.h"

namespace tst_file_notices {

using namespace roofwalk;
using test::ShownWindow;

class TestFileNotices : public QObject {
    Q_OBJECT

  private slots:
    void separate_runs_are_joined_by_the_button_of_a_message_or_the_menu() {
        ShownWindow s;
        QVERIFY(s.open(test::write_separate_runs(s.folder)));
        QVERIFY(!s.action("join").isChecked());
        QPushButton* join = nullptr;
        QTRY_VERIFY((join = [&]() -> QPushButton* {
                        for (QPushButton* button : s.messages().findChildren<QPushButton*>())
                            if (button->text().contains("Join")) return button;
                        return nullptr;
                    }()) != nullptr);
        QTRY_VERIFY(join->isVisible() && s.messages().rect().contains(join->mapTo(&s.messages(), QPoint())));
        QTest::mouseClick(join, Qt::LeftButton);
        QTRY_VERIFY(s.action("join").isChecked());
        QVERIFY(s.settle());
        QCOMPARE(s.document().analysis()->points.size(), std::size_t{2});
        QTRY_VERIFY(test::told(s).contains("4 of 4 launches of bytes.ncu-rep"));
        s.action("join").trigger();
        QVERIFY(s.settle());
        QVERIFY(!s.action("join").isChecked());
        QCOMPARE(s.document().analysis()->points.size(), std::size_t{6});
    }

    void a_message_goes_with_its_cause() {
        ShownWindow s;
        const QString broken = test::write_broken_file(s.folder, "broken.json");
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json"), broken}));
        QCOMPARE(s.messages().count(), std::size_t{1});
        QCOMPARE(test::write_three_kernels(s.folder, "broken.json"), broken);
        QVERIFY(s.open({broken}));
        QCOMPARE(s.messages().count(), std::size_t{0});
        QVERIFY(s.open({test::write_partial_file(s.folder, "partial.json")}));
        QCOMPARE(s.messages().count(), std::size_t{1});
        s.action("close").trigger();
        QTRY_COMPARE(s.messages().count(), std::size_t{0});
        QVERIFY(s.open(test::write_separate_runs(s.folder)));
        QTRY_COMPARE(s.messages().count(), std::size_t{1});
        QVERIFY(s.open({broken}));
        QCOMPARE(s.messages().count(), std::size_t{0});
        s.chooser.to_save = s.folder.filePath("not_yet/a.roofwalk");
        s.action("save_as").trigger();
        QTRY_COMPARE(s.messages().count(), std::size_t{1});
        QVERIFY(QDir(s.folder.path()).mkdir("not_yet"));
        s.action("save_as").trigger();
        QTRY_COMPARE(s.messages().count(), std::size_t{0});
    }

    void a_broken_file_says_so_and_keeps_the_picture() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const auto scene = s.chart().scene();
        QVERIFY(s.open({test::write_broken_file(s.folder, "broken.ncu-rep")}));
        QCOMPARE(s.messages().count(), std::size_t{1});
        QVERIFY(s.messages().isVisible());
        QCOMPARE(s.chart().scene(), scene);
        QCOMPARE(s.table().model()->rowCount(), 3);
    }

    void a_file_read_in_part_is_warned_of_once() {
        ShownWindow s;
        const QString partial = test::write_partial_file(s.folder, "partial.json");
        const QString whole = test::write_three_kernels(s.folder, "a.json");
        QVERIFY(s.open({partial, whole}));
        QCOMPARE(s.messages().count(), std::size_t{1});
        s.messages().dismiss_all();
        s.chooser.to_open = {test::write_many_kernels(s.folder, "b.json", 2)};
        s.action("add").trigger();
        QTRY_COMPARE(s.document().files().size(), std::size_t{3});
        QCOMPARE(s.messages().count(), std::size_t{0});
        s.document().loader().close(whole);
        QTRY_COMPARE(s.document().files().size(), std::size_t{2});
        QCOMPARE(s.messages().count(), std::size_t{0});
        QVERIFY(s.open({partial}));
        QCOMPARE(s.messages().count(), std::size_t{1});
    }
};

}  // namespace tst_file_notices

ROOFWALK_TEST(tst_file_notices, TestFileNotices, QApplication)
#include "tst_file_notices.moc"
