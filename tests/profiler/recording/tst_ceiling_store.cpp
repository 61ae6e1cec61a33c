// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ceiling_store.h"

#include <QTemporaryDir>
#include <QTest>

#include "tests/core/devices/hopper.h"
#include "tests/support/folder_tests.h"

namespace tst_ceiling_store {

using namespace roofwalk;

namespace {

/// A folder of kept ceilings, with those of one board in it.
struct Shelf {
    Shelf() { (void)keep_ceilings(hopper::measured(), cache, hopper::measured().device); }

    [[nodiscard]] MeasuredCeilings read() const { return cache->read().measured.front(); }

    QTemporaryDir folder;
    std::optional<CeilingStore> cache{CeilingStore(folder.path().toStdString())};
};

MeasuredCeilings of_another_driver() {
    MeasuredCeilings measured = hopper::measured();
    measured.device.driver = "999.1";
    return measured;
}

MeasuredCeilings of_older_benchmarks() {
    MeasuredCeilings measured = hopper::measured();
    measured.benchmark_version = current_benchmarks - 1;
    return measured;
}

}  // namespace

class TestCeilingStore : public QObject {
    Q_OBJECT

  private slots:
    void what_holds_is_kept_and_used() {
        const Shelf shelf;
        MeasuredCeilings later = hopper::measured();
        later.date = "2026-11-23";
        const auto kept = keep_ceilings(later, shelf.cache, later.device);
        QVERIFY(kept.has_value() && kept->holds && kept->sentence.starts_with("Kept in "));
        QVERIFY(shelf.read() == later);
    }
    void a_stale_measurement_does_not_replace_one_that_holds() {
        const Shelf shelf;
        const auto kept = keep_ceilings(of_another_driver(), shelf.cache, hopper::measured().device);
        QVERIFY(kept.has_value() && !kept->holds);
        QVERIFY(kept->sentence.find("does not replace") != std::string::npos);
        QVERIFY(kept->sentence.find("The driver was 999.1") != std::string::npos);
        QVERIFY(shelf.read() == hopper::measured());
    }
    void benchmarks_of_an_older_version_replace_nothing_though_the_board_is_elsewhere() {
        const Shelf shelf;
        QVERIFY(!keep_ceilings(of_older_benchmarks(), shelf.cache, std::nullopt)->holds);
        QVERIFY(shelf.read() == hopper::measured());
    }
    void a_stale_measurement_is_kept_where_nothing_holds_and_said_to_be_stale() {
        const Shelf shelf;
        MeasuredDevice now = hopper::measured().device;
        now.driver = "600.1";
        const auto kept = keep_ceilings(of_another_driver(), shelf.cache, now);
        QVERIFY(kept.has_value() && !kept->holds);
        QVERIFY(kept->sentence.starts_with("Kept in "));
        QVERIFY(kept->sentence.find("stale and not used. The driver was 999.1") != std::string::npos);
        QVERIFY(shelf.read() == of_another_driver());
    }
    void of_a_board_elsewhere_another_driver_is_no_reason() {
        const Shelf shelf;
        QVERIFY(keep_ceilings(of_another_driver(), shelf.cache, std::nullopt)->holds);
        QVERIFY(shelf.read() == of_another_driver());
    }
    void a_cut_measurement_does_not_replace_a_whole_one_that_holds() {
        const Shelf shelf;
        MeasuredCeilings cut = hopper::measured();
        cut.complete = false;
        const auto kept = keep_ceilings(cut, shelf.cache, std::nullopt);
        QVERIFY(kept.has_value() && kept->sentence.find("does not replace") != std::string::npos);
        QVERIFY(!kept->holds && shelf.read().complete);
        // Of another driver the whole one is stale.
        cut.device.driver = "999.1";
        QVERIFY(keep_ceilings(cut, shelf.cache, cut.device)->holds);
        QVERIFY(!shelf.read().complete);
    }
    void without_a_folder_nothing_is_kept() {
        QCOMPARE(keep_ceilings(hopper::measured(), std::nullopt, std::nullopt).error().code,
                 ErrorCode::write_failed);
    }
};

}  // namespace tst_ceiling_store

ROOFWALK_TEST(tst_ceiling_store, TestCeilingStore, NoApplication)
#include "tst_ceiling_store.moc"
