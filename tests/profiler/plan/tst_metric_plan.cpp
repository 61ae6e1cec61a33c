// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/metric_plan.h"
#include "tests/support/folder_tests.h"

#include <QTest>
#include <algorithm>
#include <set>

namespace tst_metric_plan {

using namespace roofwalk;

namespace {

const MetricPlan* plan_of(const std::vector<MetricPlan>& plans, PlanKind kind) {
    const auto found = std::ranges::find(plans, kind, &MetricPlan::kind);
    return found == plans.end() ? nullptr : &*found;
}

bool has(const MetricPlan& plan, std::string_view metric) {
    return std::ranges::find(plan.metrics, metric) != plan.metrics.end();
}

bool any(const MetricPlan& plan, std::string_view part) {
    return std::ranges::any_of(plan.metrics,
                               [&](const std::string& name) { return name.find(part) != std::string::npos; });
}

constexpr std::string_view raw_total = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum";
constexpr std::string_view odd_ones = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_misc.sum";

}  // namespace

class TestMetricPlan : public QObject {
    Q_OBJECT

  private slots:
    void every_chip_has_plans_that_say_what_they_give() {
        for (const Chip& chip : planned_chips()) {
            const auto plans = metric_plans(chip);
            QVERIFY(plan_of(plans, PlanKind::memory) && plan_of(plans, PlanKind::work));
            for (const MetricPlan& plan : plans) {
                QVERIFY(!plan.gives.empty());
                const std::set<std::string> once(plan.metrics.begin(), plan.metrics.end());
                QCOMPARE(once.size(), plan.metrics.size());
            }
        }
    }

    void the_raw_total_of_wavefronts_is_never_shared_memory() {
        for (const Chip& chip : planned_chips())
            for (const MetricPlan& plan : metric_plans(chip))
                QCOMPARE(has(plan, raw_total), has(plan, odd_ones));
    }

    void software_counters_share_no_plan_with_those_of_the_hardware() {
        for (const Chip& chip : planned_chips())
            for (const MetricPlan& plan : metric_plans(chip)) {
                const auto patched = std::ranges::count_if(plan.metrics, [](const std::string& name) {
                    return name.find("_sass_") != std::string::npos;
                });
                const auto all = static_cast<std::ptrdiff_t>(plan.metrics.size());
                if (plan.kind == PlanKind::replay) continue;
                QCOMPARE(patched, plan.kind == PlanKind::work ? all : 0);
            }
    }

    void plans_of_hardware_counters_all_measure_time_and_memory() {
        const auto plans = metric_plans(*find_chip("GH100"));
        QCOMPARE(plans.size(), std::size_t{7});
        for (const MetricPlan& plan : plans) {
            if (plan.kind == PlanKind::work) continue;
            QVERIFY(has(plan, "gpu__time_duration.sum") && has(plan, "dram__bytes_read.sum"));
            QVERIFY(has(plan, "lts__t_sectors_srcunit_tex.sum"));
        }
    }

    void chips_differ_where_their_counters_do() {
        const auto geforce = metric_plans(*find_chip("GB202"));
        QVERIFY(has(*plan_of(geforce, PlanKind::memory), "dram__bytes_op_read.sum"));
        QVERIFY(!plan_of(geforce, PlanKind::warp_tensor));
        const auto jetson = metric_plans(*find_chip("GB10B"));
        QVERIFY(!any(*plan_of(jetson, PlanKind::memory), "dram__"));
        QVERIFY(plan_of(jetson, PlanKind::memory)->leaves_out.find("memory") != std::string::npos);
        QVERIFY(any(*plan_of(metric_plans(*find_chip("GB100")), PlanKind::work), "ffma2"));
        QVERIFY(!any(*plan_of(metric_plans(*find_chip("GB202")), PlanKind::work), "ffma2"));
        QVERIFY(has(*plan_of(metric_plans(*find_chip("GB110")), PlanKind::memory),
                    "l1tex__data_pipe_tc_wavefronts_mem_shared.sum"));
        QVERIFY(!plan_of(metric_plans(*find_chip("TU116")), PlanKind::tensor));
    }

    void the_plan_for_replay_holds_what_a_and_c_do() {
        for (const Chip& chip : planned_chips()) {
            const auto plans = metric_plans(chip);
            const MetricPlan& replay = *plan_of(plans, PlanKind::replay);
            for (const PlanKind kind : {PlanKind::memory, PlanKind::work})
                for (const std::string& metric : plan_of(plans, kind)->metrics)
                    QVERIFY(has(replay, metric));
            QCOMPARE(replay.leaves_out.empty(), counts_dram(chip));
        }
    }

    void plans_together_hold_each_metric_once() {
        const auto plans = metric_plans(*find_chip("GA100"));
        const auto together = metrics_of({&plans[0], &plans[1]});
        const std::set<std::string> once(together.begin(), together.end());
        QCOMPARE(once.size(), together.size());
        QVERIFY(together.size() < plans[0].metrics.size() + plans[1].metrics.size());
    }
};

}  // namespace tst_metric_plan

ROOFWALK_TEST(tst_metric_plan, TestMetricPlan, NoApplication)
#include "tst_metric_plan.moc"
