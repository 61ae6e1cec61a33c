// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include "tests/support/disk_sync.h"
#include "tests/support/folder_tests.h"
#include "tests/support/schema.h"
#include "tests/ui/file_content.h"
#include "ui/shell/settings.h"

namespace tst_settings {

using namespace roofwalk;

class TestSettings : public QObject {
    Q_OBJECT

  private slots:
    void a_fresh_file_gives_sensible_values() {
        QTemporaryDir folder;
        const Settings settings(folder.filePath("s.json"));
        QCOMPARE(settings.appearance(), Appearance::system);
        QCOMPARE(settings.export_format(), QString("svg"));
        QCOMPARE(settings.export_size(), QString("column"));
        QCOMPARE(settings.export_theme(), Theme::print);
        QVERIFY(settings.window_geometry().isEmpty());
    }

    void what_is_set_is_read_back_by_the_next_run() {
        QTemporaryDir folder;
        {
            Settings settings(folder.filePath("s.json"));
            settings.set_appearance(Appearance::dark);
            settings.set_export_theme(Theme::light);
            settings.set_export_size("1280x720");
            settings.set_last_folder("/reports");
            settings.set_window("geometry", "state");
        }
        const Settings settings(folder.filePath("s.json"));
        QCOMPARE(settings.appearance(), Appearance::dark);
        QCOMPARE(settings.export_theme(), Theme::light);
        QCOMPARE(settings.export_size(), QString("1280x720"));
        QCOMPARE(settings.last_folder(), QString("/reports"));
        QCOMPARE(settings.window_geometry(), QByteArray("geometry"));
        QCOMPARE(settings.window_state(), QByteArray("state"));
    }

    void the_file_follows_its_schema() {
        QTemporaryDir folder;
        {
            Settings settings(folder.filePath("s.json"));
            settings.set_recent_files({"/a.ncu-rep", "/b.json"});
            settings.set_last_folder("/reports");
            settings.set_appearance(Appearance::light);
            settings.set_window("geometry", "state");
            settings.add_recorded_command("./program 1");
            settings.set_export_format("pdf");
            settings.set_export_size("page");
            settings.set_export_theme(Theme::dark);
        }
        const std::string written = test::content(folder.filePath("s.json")).toStdString();
        QCOMPARE(test::against_schema(written), std::string());
        QVERIFY(!test::against_schema(QString::fromStdString(written).replace("light", "pale").toStdString())
                     .empty());
    }

    void an_unknown_word_in_the_file_gives_the_usual_value() {
        QTemporaryDir folder;
        QFile file(folder.filePath("s.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"appearance":"sepia","export/size":"nonsense","export/theme":7})");
        file.close();
        const Settings settings(folder.filePath("s.json"));
        QCOMPARE(settings.appearance(), Appearance::system);
        QCOMPARE(settings.export_size(), QString("column"));
        QCOMPARE(settings.export_theme(), Theme::print);
    }

    void what_is_no_settings_file_is_kept_and_said_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("[General]\n");
        QTest::newRow("cut") << QByteArray("{\"last_folder\":\"/mine\"");
        QTest::newRow("no object") << QByteArray("[1]");
        QTest::newRow("too long") << QByteArray("{\"last_folder\":\"") + QByteArray(17 << 20, 'x') + "\"}";
    }
    void what_is_no_settings_file_is_kept_and_said() {
        QFETCH(QByteArray, text);
        QTemporaryDir folder;
        QFile file(folder.filePath("s.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression("s\\.json.*s\\.json\\.bad"));
        Settings(folder.filePath("s.json")).set_last_folder("/reports");
        QCOMPARE(Settings(folder.filePath("s.json")).last_folder(), QString("/reports"));
        QVERIFY(test::content(folder.filePath("s.json.bad")) == text);
    }

    void an_empty_settings_file_is_none() {
        QTemporaryDir folder;
        QVERIFY(QFile(folder.filePath("s.json")).open(QIODevice::WriteOnly));
        Settings(folder.filePath("s.json")).set_last_folder("/reports");
        QCOMPARE(Settings(folder.filePath("s.json")).last_folder(), QString("/reports"));
        QVERIFY(!QFile::exists(folder.filePath("s.json.bad")));
    }

    void two_windows_keep_what_the_other_set() {
        QTemporaryDir folder;
        {
            Settings first(folder.filePath("s.json"));
            Settings second(folder.filePath("s.json"));
            first.set_appearance(Appearance::dark);
            second.set_last_folder("/reports");
        }
        const Settings settings(folder.filePath("s.json"));
        QCOMPARE(settings.appearance(), Appearance::dark);
        QCOMPARE(settings.last_folder(), QString("/reports"));
    }

    void the_folder_is_made_and_only_its_owner_may_read_it() {
        QTemporaryDir folder;
        Settings(folder.filePath("new/folder/s.json")).set_last_folder("/secret");
        const QFile::Permissions others = QFile::ReadGroup | QFile::ReadOther;
        QVERIFY(!(QFile::permissions(folder.filePath("new/folder/s.json")) & others));
        QVERIFY(!(QFile::permissions(folder.filePath("new/folder")) & others));
    }

    void nobody_else_may_read_the_file_in_any_moment() {
        QTemporaryDir folder;
        std::vector<mode_t> modes;
        test::set_before_sync([&](int descriptor) {
            struct stat status {};
            if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
                modes.push_back(status.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO));
        });
        const mode_t before = umask(0);
        Settings(folder.filePath("s.json")).set_last_folder("/secret");
        umask(before);
        test::set_before_sync({});
        QCOMPARE(modes, std::vector<mode_t>{S_IRUSR | S_IWUSR});
    }

    void what_is_set_is_written_when_nothing_else_is_to_be_done() {
        QTemporaryDir folder;
        Settings settings(folder.filePath("s.json"));
        settings.set_last_folder("/reports");
        QTRY_COMPARE(Settings(folder.filePath("s.json")).last_folder(), QString("/reports"));
    }
};

}  // namespace tst_settings

ROOFWALK_TEST(tst_settings, TestSettings, QCoreApplication)
#include "tst_settings.moc"
