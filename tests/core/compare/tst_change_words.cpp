// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/core/compare/run_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_change_words {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

const LaunchFacts plain;

std::string text(const LaunchFacts& before, const LaunchFacts& after) {
    return change_text(change_between(Run({before}), Run({after})));
}

std::string notes(const Run& before, const Run& after) {
    std::string all;
    for (const std::string& note : change_notes(before.view(), after.view(), change_between(before, after)))
        all += (all.empty() ? "" : " ") + note;
    return all;
}

}  // namespace

class TestChangeWords : public QObject {
    Q_OBJECT

  private slots:
    void verdicts_have_numbers() {
        LaunchFacts after;
        QCOMPARE(text({}, after), std::string("unchanged"));
        after.time = 0.5e-3;
        QCOMPARE(text({}, after), std::string("up: 2.00x faster"));
        after.bytes = {{Boundary::hbm_dram_rw, 0.25e9}};
        QCOMPARE(text({}, after), std::string("right and up: 2.00x faster, 4.00x fewer bytes at DRAM"));
        after.time = 3e-3;
        QCOMPARE(text({}, after), std::string("mixed: 3.00x slower, 4.00x fewer bytes at DRAM"));
        after.time = 1e-3;
        QCOMPARE(text({}, after), std::string("right: the same time, 4.00x fewer bytes at DRAM"));
        after.bytes = {{Boundary::hbm_dram_rw, 1.5e9}};
        QCOMPARE(text({}, after), std::string("wrong way: the same time, 1.50x more bytes at DRAM"));
        after.time.reset();
        QCOMPARE(text({}, after), std::string("not compared: no times that can be compared"));
    }
    void without_bytes_to_compare_a_kernel_is_faster_and_not_up() {
        LaunchFacts after;
        after.time = 0.5e-3;
        after.bytes.clear();
        const KernelChange change = change_between(Run({plain}), Run({after}));
        QCOMPARE(change.verdict, ChangeVerdict::faster);
        QVERIFY(change_text(change).ends_with("bytes not compared"));
        after.time = 2e-3;
        QCOMPARE(change_between(Run({plain}), Run({after})).verdict, ChangeVerdict::wrong_way);
        QVERIFY(text({}, after).ends_with("bytes not compared"));
    }
    void equal_kernels_need_no_notes() { QCOMPARE(notes(Run({plain}), Run({plain})), std::string()); }
    void devices_and_clocks_are_told() {
        Device other = test_gpu();
        other.name = "Other GPU";
        QCOMPARE(notes(Run({plain}), Run({plain}, GroupBy::kernel, {other})),
                 std::string("Other device: Test GPU → Other GPU."));
        QCOMPARE(change_text(change_between(Run({plain}), Run({plain}, GroupBy::kernel, {other}))),
                 std::string("not compared: another device"));
        LaunchFacts slow;
        slow.memory_clock = 1e9;
        slow.sm_clock = 1.1e9;
        LaunchFacts fast = slow;
        fast.memory_clock = 1.25e9;
        fast.time = 0.8e-3;
        QCOMPARE(notes(Run({slow}), Run({fast})),
                 std::string(
                     "Other clocks: memory clock 1.000 GHz → 1.250 GHz, which explains the change of time."));
        fast.time = 0.5e-3;
        fast.sm_clock = 1.4e9;
        QCOMPARE(
            notes(Run({slow}), Run({fast})),
            std::string("Other clocks: SM clock 1.100 GHz → 1.400 GHz, memory clock 1.000 GHz → 1.250 GHz."));
        Run locked({plain});
        locked.profile.launches[0].clocks_locked = true;
        Run free({plain});
        free.profile.launches[0].clocks_locked = false;
        QCOMPARE(notes(locked, free), std::string("Clocks were locked in the older report only."));
    }
    void work_and_launches_are_told() {
        LaunchFacts more;
        more.flops = 2e9;
        QCOMPARE(notes(Run({plain}), Run({more})), std::string("Does 2.00x the work."));
        QCOMPARE(
            notes(Run({plain}), Run({more, more})),
            std::string("Launches 1 → 2: compared as means of one launch. Does 2.00x the work in a launch."));
        LaunchFacts none;
        none.flops = 0;
        QCOMPARE(notes(Run({none}), Run({plain})),
                 std::string("Only one of the reports has work of the kind that is counted."));
        LaunchFacts unknown;
        unknown.flops.reset();
        QCOMPARE(notes(Run({unknown}), Run({plain})),
                 std::string("Work was not measured in the older report: it is taken to be the same."));
        Run uncounted({plain});
        uncounted.profile.launches[0].uncounted.fp16 = true;
        uncounted.analyse_again();
        QCOMPARE(
            notes(uncounted, Run({plain})),
            std::string("Part of the work was not counted: intensity and performance are not compared."));
        LaunchFacts untimed;
        untimed.time.reset();
        QCOMPARE(notes(Run({plain}), Run({untimed})),
                 std::string("Time was not measured in the newer report."));
    }
    void levels_of_one_report_only_are_told() {
        LaunchFacts with_l2;
        with_l2.bytes.push_back({Boundary::l2_sm_sectors, 4e9});
        QCOMPARE(notes(Run({with_l2}), Run({plain})),
                 std::string("L2 is not compared: only the older report has L2 by sectors."));
        LaunchFacts all;
        all.bytes.push_back({Boundary::l2_all, 4e9});
        QCOMPARE(
            notes(Run({all}), Run({with_l2})),
            std::string(
                "L2 is not compared: the reports count different bytes, L2 all clients and L2 by sectors."));
    }
    void different_boundaries_are_told() {
        LaunchFacts both;
        both.bytes.push_back({Boundary::l2_sm_sectors, 4e9});
        both.bytes.push_back({Boundary::l2_all, 5e9});
        Run after({both});
        after.options.boundaries[MemoryLevel::l2] = Boundary::l2_all;
        after.analyse_again();
        QCOMPARE(
            notes(Run({both}), after),
            std::string(
                "L2 is not compared: the reports count different bytes, L2 by sectors and L2 all clients."));
    }
};

}  // namespace tst_change_words

ROOFWALK_TEST(tst_change_words, TestChangeWords, NoApplication)
#include "tst_change_words.moc"
