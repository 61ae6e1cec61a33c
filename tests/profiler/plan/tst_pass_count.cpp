// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/pass_count.h"

#include <QTest>
#include <algorithm>

#include "tests/profiler/plan/cupti_here.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_pass_count {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// The most passes that plans of a family may need.
struct Bound {
    std::size_t a, b, d, replay, a_b_c;  // 0: the family has no such plan
};

Bound bound_of(ChipFamily family) {
    switch (family) {
        case ChipFamily::pascal:
            break;
        case ChipFamily::volta:
            return {2, 2, 0, 4, 4};
        case ChipFamily::turing:
            return {2, 2, 0, 3, 3};
        case ChipFamily::turing_without_tensor:
            return {2, 0, 0, 3, 0};
        case ChipFamily::ampere_100:
        case ChipFamily::ampere_10x:
            return {1, 3, 0, 2, 5};
        case ChipFamily::ada:
            return {1, 4, 0, 2, 6};
        case ChipFamily::hopper:
            return {1, 1, 1, 3, 3};
        case ChipFamily::blackwell_100:
        case ChipFamily::blackwell_10b:
            return {1, 3, 1, 2, 5};
        case ChipFamily::blackwell_110:
            return {1, 2, 1, 2, 5};
        case ChipFamily::blackwell_20x:
            return {1, 4, 0, 2, 6};
    }
    return {};
}

std::size_t passes_of(const std::vector<PassCount>& counts, const std::vector<PlanKind>& plans) {
    const auto found = std::ranges::find(counts, plans, &PassCount::plans);
    return found == counts.end() ? 0 : found->passes;
}

}  // namespace

class TestPassCount : public QObject {
    Q_OBJECT

    CuptiHere cupti_ = cupti_here();

    static void all_chips() {
        QTest::addColumn<QString>("name");
        for (const Chip& chip : planned_chips()) {
            const std::string name(chip.name);
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }

  private slots:
    void every_metric_exists_data() { all_chips(); }
    void every_metric_exists() {
        if (!cupti_.host) QSKIP(cupti_.reason.c_str());
        QFETCH(const QString, name);
        for (const MetricPlan& plan : metric_plans(*find_chip(name.toStdString()))) {
            const auto unknown = cupti_.host->unknown_metrics(name.toStdString(), plan.metrics);
            QVERIFY2(unknown, unknown ? "" : unknown.error().what.c_str());
            QVERIFY2(unknown->empty(), unknown->empty() ? "" : unknown->front().c_str());
        }
    }

    void passes_stay_within_their_bounds_data() { all_chips(); }
    void passes_stay_within_their_bounds() {
        if (!cupti_.host) QSKIP(cupti_.reason.c_str());
        QFETCH(const QString, name);
        const Chip& chip = *find_chip(name.toStdString());
        const auto passes = count_passes(*cupti_.host, chip);
        QVERIFY2(passes, passes ? "" : passes.error().what.c_str());
        using enum PlanKind;
        const Bound bound = bound_of(chip.family);
        const auto within = [](std::size_t found, std::size_t most) {
            return (found > 0) == (most > 0) && found <= most;
        };
        QVERIFY(within(passes_of(passes->alone, {memory}), bound.a));
        QVERIFY(within(passes_of(passes->alone, {tensor}), bound.b));
        QVERIFY(within(passes_of(passes->alone, {work}), 1));
        for (const PlanKind plan : warp_tensor_plans)
            QVERIFY(within(passes_of(passes->alone, {plan}), bound.d));
        QVERIFY(within(passes_of(passes->alone, {replay}), bound.replay));
        QVERIFY(within(passes_of(passes->together, {memory, tensor, work}), bound.a_b_c));
    }

    void a_chip_without_cupti_counters_is_an_error() {
        if (!cupti_.host) QSKIP(cupti_.reason.c_str());
        QVERIFY(!count_passes(*cupti_.host, Chip{"GV11B", {7, 2}, ChipFamily::volta}));
    }
};

}  // namespace tst_pass_count

ROOFWALK_TEST(tst_pass_count, TestPassCount, NoApplication)
#include "tst_pass_count.moc"
