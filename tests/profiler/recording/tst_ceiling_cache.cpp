// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "profiler/recording/ceiling_store.h"
#include "tests/core/devices/hopper.h"
#include "tests/support/folder_tests.h"

namespace tst_ceiling_cache {

using namespace roofwalk;
namespace fs = std::filesystem;

class TestCeilingCache : public QObject {
    Q_OBJECT

  private slots:
    void what_is_kept_is_found_again() {
        const QTemporaryDir folder;
        const CeilingStore cache(fs::path(folder.path().toStdString()) / "new/folder");
        QVERIFY(cache.read().measured.empty());
        const MeasuredCeilings measured = hopper::measured();
        const auto file = cache.keep(measured);
        QVERIFY(file.has_value());
        QCOMPARE(file->filename().string(), std::string(hopper::uuid) + ".json");
        MeasuredCeilings other = measured;
        other.device.device.uuid = "GPU-1";
        QVERIFY(cache.keep(other).has_value());
        QVERIFY(cache.keep(other).has_value());
        const CeilingStore::StoredMeasurements kept = cache.read();
        QCOMPARE(kept.measured.size(), std::size_t(2));
        QVERIFY(kept.measured[1] == measured);
        QVERIFY(kept.problems.empty());
    }
    void a_damaged_file_is_told_and_harms_no_other() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        const CeilingStore cache(place);
        QVERIFY(cache.keep(hopper::measured()).has_value());
        std::ofstream(place / "GPU-0.json") << "{\"format\":";
        const CeilingStore::StoredMeasurements kept = cache.read();
        QCOMPARE(kept.measured.size(), std::size_t(1));
        QCOMPARE(kept.problems.size(), std::size_t(1));
    }
    void a_folder_that_cannot_be_is_an_error() {
        const auto kept = CeilingStore("/proc/nowhere").keep(hopper::measured());
        QCOMPARE(kept.error().code, ErrorCode::write_failed);
    }
    void a_uuid_never_leaves_the_folder() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        MeasuredCeilings measured = hopper::measured();
        measured.device.device.uuid = "../../x";
        QCOMPARE(CeilingStore(place).keep(measured)->parent_path(), place);
    }
};

}  // namespace tst_ceiling_cache

ROOFWALK_TEST(tst_ceiling_cache, TestCeilingCache, NoApplication)
#include "tst_ceiling_cache.moc"
