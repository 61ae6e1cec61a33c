// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/folder_tests.h"
#include "ui/shell/recent_files.h"
#include "ui/shell/settings.h"

namespace tst_recent_files {

using namespace roofwalk;

class TestRecentFiles : public QObject {
    Q_OBJECT

  private slots:
    void the_newest_file_stands_first_and_once() {
        QTemporaryDir folder;
        Settings settings(folder.filePath("s.ini"));
        RecentFiles recent(settings);
        recent.add("/a/one.ncu-rep");
        recent.add("/a/two.ncu-rep");
        recent.add("/a/one.ncu-rep");
        QCOMPARE(recent.paths(), QStringList({"/a/one.ncu-rep", "/a/two.ncu-rep"}));
    }

    void paths_are_made_absolute() {
        QTemporaryDir folder;
        Settings settings(folder.filePath("s.ini"));
        RecentFiles recent(settings);
        recent.add("report.json");
        QCOMPARE(recent.paths(), QStringList{QDir::current().absoluteFilePath("report.json")});
    }

    void only_the_last_ten_are_kept() {
        QTemporaryDir folder;
        Settings settings(folder.filePath("s.ini"));
        RecentFiles recent(settings);
        for (int i = 0; i < 12; ++i)
            recent.add(QStringLiteral("/f%1").arg(i));
        QCOMPARE(recent.paths().size(), RecentFiles::capacity);
        QCOMPARE(recent.paths().first(), QString("/f11"));
        QCOMPARE(recent.paths().last(), QString("/f2"));
    }

    void the_list_outlives_the_program() {
        QTemporaryDir folder;
        {
            Settings settings(folder.filePath("s.ini"));
            RecentFiles(settings).add("/kept");
        }
        Settings settings(folder.filePath("s.ini"));
        QCOMPARE(RecentFiles(settings).paths(), QStringList{"/kept"});
    }

    void clearing_is_told() {
        QTemporaryDir folder;
        Settings settings(folder.filePath("s.ini"));
        RecentFiles recent(settings);
        recent.add("/one");
        QSignalSpy changed(&recent, &RecentFiles::changed);
        recent.clear();
        QVERIFY(recent.paths().isEmpty());
        QCOMPARE(changed.count(), 1);
    }
};

}  // namespace tst_recent_files

ROOFWALK_TEST(tst_recent_files, TestRecentFiles, QCoreApplication)
#include "tst_recent_files.moc"
