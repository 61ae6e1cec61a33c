// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "ui/settings.h"

using namespace roofwalk;

class TestSettings : public QObject {
    Q_OBJECT

  private slots:
    void a_fresh_file_gives_sensible_values() {
        QTemporaryDir folder;
        const Settings settings(folder.filePath("s.ini"));
        QCOMPARE(settings.appearance(), Appearance::system);
        QCOMPARE(settings.export_format(), QString("svg"));
        QCOMPARE(settings.export_size(), QSize(900, 600));
        QCOMPARE(settings.export_theme(), Theme::print);
        QVERIFY(settings.window_geometry().isEmpty());
    }

    void what_is_set_is_read_back_by_the_next_run() {
        QTemporaryDir folder;
        {
            Settings settings(folder.filePath("s.ini"));
            settings.set_appearance(Appearance::dark);
            settings.set_export_theme(Theme::light);
            settings.set_export_size({1280, 720});
            settings.set_last_folder("/reports");
            settings.set_window("geometry", "state");
        }
        const Settings settings(folder.filePath("s.ini"));
        QCOMPARE(settings.appearance(), Appearance::dark);
        QCOMPARE(settings.export_theme(), Theme::light);
        QCOMPARE(settings.export_size(), QSize(1280, 720));
        QCOMPARE(settings.last_folder(), QString("/reports"));
        QCOMPARE(settings.window_geometry(), QByteArray("geometry"));
        QCOMPARE(settings.window_state(), QByteArray("state"));
    }

    void an_unknown_word_in_the_file_gives_the_usual_value() {
        QTemporaryDir folder;
        QFile file(folder.filePath("s.ini"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[General]\nappearance=sepia\n[export]\nsize=nonsense\n");
        file.close();
        const Settings settings(folder.filePath("s.ini"));
        QCOMPARE(settings.appearance(), Appearance::system);
        QCOMPARE(settings.export_size(), QSize(900, 600));
    }
};

QTEST_GUILESS_MAIN(TestSettings)
#include "tst_settings.moc"
