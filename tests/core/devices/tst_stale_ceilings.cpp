// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/devices/measured_ceilings.h"
#include "tests/core/devices/hopper.h"
#include "tests/support/folder_tests.h"

namespace tst_stale_ceilings {

using namespace roofwalk;

namespace {

/// An H100 that held 1.755 GHz, free to reach 1.98 GHz, with ECC.
MeasuredCeilings kept() {
    MeasuredCeilings measured = hopper::measured();
    measured.device.error_correction = true;
    return measured;
}

std::string only_reason(const MeasuredCeilings& measured, const MeasuredDevice& now) {
    const std::vector<std::string> reasons = why_stale(measured, now);
    return reasons.size() == 1 ? reasons.front() : std::to_string(reasons.size()) + " reasons";
}

bool lists(const std::vector<std::string>& names, const char* name) {
    return std::ranges::find(names, name) != names.end();
}

}  // namespace

class TestStaleCeilings : public QObject {
    Q_OBJECT

  private slots:
    void another_mode_of_ecc_makes_it_stale() {
        MeasuredDevice now = kept().device;
        now.error_correction = false;
        QCOMPARE(only_reason(kept(), now), std::string("ECC was on and is off now."));
    }
    void a_lock_below_what_was_reached_makes_it_stale() {
        MeasuredDevice now = kept().device;
        now.set_clock = now.present_clock = Hertz(1.2e9);
        QCOMPARE(only_reason(kept(), now), std::string("A clock that was set holds the SMs at 1.200 GHz now; "
                                                       "they reached 1.755 GHz when it was measured."));
    }
    void a_lock_that_is_gone_makes_it_stale() {
        MeasuredCeilings locked = kept();
        locked.device.set_clock = Hertz(1.2e9);
        for (MeasuredRate& rate : locked.rates)
            rate.clock = Hertz(1.2e9);
        MeasuredDevice now = kept().device;
        now.present_clock = Hertz(1.98e9);
        QCOMPARE(only_reason(locked, now),
                 std::string("A clock that was set held the SMs at 1.200 GHz when it "
                             "was measured; they run at 1.980 GHz now."));
        now.present_clock = now.set_clock = Hertz(1.215e9);
        QVERIFY(why_stale(locked, now).empty());
    }
    void a_gpu_at_rest_proves_nothing_of_a_lock() {
        MeasuredCeilings locked = kept();
        locked.device.set_clock = Hertz(1.2e9);
        MeasuredDevice now = kept().device;
        now.present_clock = Hertz(0.345e9);
        QVERIFY(why_stale(locked, now).empty());
        QVERIFY(lists(not_compared(locked, now), "locked clocks"));
    }
    void a_lock_above_what_was_reached_is_none() {
        MeasuredDevice now = kept().device;
        now.set_clock = Hertz(1.98e9);
        QVERIFY(why_stale(kept(), now).empty());
        QVERIFY(!lists(not_compared(kept(), now), "locked clocks"));
    }
    void what_one_of_both_does_not_tell_is_neither_changed_nor_the_same() {
        MeasuredCeilings old = kept();
        old.device.error_correction.reset();
        MeasuredDevice now = kept().device;
        now.error_correction = false;
        now.driver.clear();
        now.power_limit.reset();
        QVERIFY(why_stale(old, now).empty());
        QCOMPARE(not_compared(old, now),
                 (std::vector<std::string>{"driver", "power limit", "locked clocks", "ECC"}));
    }
    void provenance_names_ecc_and_the_clock_that_was_set() {
        MeasuredCeilings measured = kept();
        measured.device.set_clock = Hertz(1.2e9);
        const std::string detail = ceilings_from(measured).compute.front().provenance.detail;
        QVERIFY2(detail.find("SM clock set to 1.200 GHz, ECC on") != std::string::npos, detail.c_str());
    }
};

}  // namespace tst_stale_ceilings

ROOFWALK_TEST(tst_stale_ceilings, TestStaleCeilings, NoApplication)
#include "tst_stale_ceilings.moc"
