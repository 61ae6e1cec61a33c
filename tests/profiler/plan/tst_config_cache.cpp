// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/counter_planner.h"
#include "tests/support/folder_tests.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

namespace tst_config_cache {

using namespace roofwalk;
namespace fs = std::filesystem;

namespace {

const ConfigKey key{130001, "GH100", {"gpu__time_duration.sum", "dram__bytes_read.sum"}, {1, 2, 3}};
const ConfigImage image{0, 255, 10, 13, 7};

fs::path only_file_in(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder))
        return entry.path();
    return {};
}

}  // namespace

class TestConfigCache : public QObject {
    Q_OBJECT

  private slots:
    void what_was_kept_is_found() {
        const QTemporaryDir folder;
        const ConfigCache cache(fs::path(folder.path().toStdString()) / "made" / "here");
        QVERIFY(!cache.find(key));
        QVERIFY(cache.keep(key, image));
        QVERIFY(cache.find(key) == image);
    }

    void another_key_finds_nothing() {
        const QTemporaryDir folder;
        const ConfigCache cache(folder.path().toStdString());
        QVERIFY(cache.keep(key, image));
        for (const auto& change :
             std::vector<void (*)(ConfigKey&)>{[](ConfigKey& other) { other.cupti_version = 130100; },
                                               [](ConfigKey& other) { other.chip = "GB100"; },
                                               [](ConfigKey& other) { other.metrics.pop_back(); },
                                               [](ConfigKey& other) { other.availability[0] = 9; },
                                               [](ConfigKey& other) { other.availability.clear(); }}) {
            ConfigKey other = key;
            change(other);
            QVERIFY(!cache.find(other));
        }
    }

    void a_damaged_file_is_not_used() {
        const QTemporaryDir folder;
        const ConfigCache cache(folder.path().toStdString());
        QVERIFY(cache.keep(key, image));
        const fs::path file = only_file_in(folder.path().toStdString());
        const auto size = fs::file_size(file);
        fs::resize_file(file, size - 1);
        QVERIFY(!cache.find(key));
        fs::resize_file(file, 3);
        QVERIFY(!cache.find(key));
        QVERIFY(cache.keep(key, image));
        std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(-1, std::ios::end).put('x');
        QVERIFY(!cache.find(key));
    }

    void a_folder_that_cannot_be_is_an_error() {
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "file";
        std::ofstream(file) << "text";
        const auto kept = ConfigCache(file / "below").keep(key, image);
        QVERIFY(!kept);
        QCOMPARE(kept.error().code, ErrorCode::write_failed);
    }
};

}  // namespace tst_config_cache

ROOFWALK_TEST(tst_config_cache, TestConfigCache, NoApplication)
#include "tst_config_cache.moc"
