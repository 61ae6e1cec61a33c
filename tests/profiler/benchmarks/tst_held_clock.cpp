// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <array>
#include <limits>

#include "profiler/benchmarks/command_line.h"
#include "profiler/benchmarks/held_clock.h"
#include "tests/support/folder_tests.h"

namespace tst_held_clock {

using namespace roofwalk::ceilings;

class TestHeldClock : public QObject {
    Q_OBJECT

  private slots:
    void cycles_of_an_sm_span_all_its_blocks() {
        // Two blocks on SM 0, which starts its count elsewhere than SM 1; 1.5 GHz for 2 ms.
        const std::array<BlockStamp, 3> stamps{{{1000, 2000000, 0, 1400000, 0},
                                                {900000, 3001000, 600000, 2000000, 0},
                                                {77000000, 80000000, 0, 2000000, 1}}};
        const HeldClock held = held_clock(stamps, 2e-3);
        QCOMPARE(held.sms, 2U);
        QCOMPARE(held.cycles, 3e6);
        QCOMPARE(held.hertz, 1.5e9);
    }
    void a_coarse_timer_tells_no_clock() {
        const std::array<BlockStamp, 1> stamps{{{0, 3000000, 0, 1000000, 0}}};
        QCOMPARE(held_clock(stamps, 4e-3).hertz, 0.0);
        QCOMPARE(held_clock(stamps, 0.4e-3).hertz, 0.0);
        QCOMPARE(held_clock(stamps, 4e-3).cycles, 3e6);
    }
    void nothing_seen_is_nothing() {
        QCOMPARE(held_clock({}, 1).sms, 0U);
        const std::array<BlockStamp, 1> torn{{{5, 5, 0, 1, 0}}};
        QCOMPARE(held_clock(torn, 1).sms, 0U);
    }
    void the_best_repetition_is_taken_and_the_spread_told() {
        const std::array<Repetition, 3> runs{{{90, 9, 1}, {100, 10, 2}, {95, 9.5, 3}}};
        const BestRepetition repeated = best_of(runs);
        QCOMPARE(repeated.best.rate, 100.0);
        QCOMPARE(repeated.best.clock, 2.0);
        QCOMPARE(repeated.spread, 0.1);
        QCOMPARE(repeated.count, std::size_t(3));
        QCOMPARE(best_of({}).count, std::size_t(0));
    }
    void a_record_is_one_line_of_json() {
        const std::array<std::string, 2> reasons{"power limit", "a\"b"};
        QCOMPARE(JsonLine("result")
                     .text("id", "x\n\\")
                     .number("rate", 3.35e12)
                     .number("none", std::numeric_limits<double>::infinity())
                     .truth("ecc", true)
                     .texts("why", reasons)
                     .line(),
                 std::string("{\"record\":\"result\",\"id\":\"x\\u000a\\\\\",\"rate\":3.35e+12,\"ecc\":true,"
                             "\"why\":[\"power limit\",\"a\\\"b\"]}\n"));
    }
};

}  // namespace tst_held_clock

ROOFWALK_TEST(tst_held_clock, TestHeldClock, NoApplication)
#include "tst_held_clock.moc"
