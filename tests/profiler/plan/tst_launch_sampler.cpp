// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/launch_sampler.h"

#include <QTest>

using namespace roofwalk;

namespace {

const std::vector<PlanKind> hopper_plans{PlanKind::memory, PlanKind::tensor, PlanKind::work,
                                         PlanKind::warp_tensor};

LaunchShape shape_of(const std::string& name, std::uint32_t blocks = 128) {
    LaunchShape shape;
    shape.name = name;
    shape.grid = {blocks, 1, 1};
    return shape;
}

/// The letters of the plans that the next launches get, '-' for none.
std::string letters(LaunchSampler& sampler, const LaunchShape& shape, int launches) {
    std::string text;
    for (int i = 0; i < launches; ++i) {
        const auto plan = sampler.choose(shape);
        text += plan ? letter_of(*plan) : '-';
    }
    return text;
}

using Values = std::map<std::string, double>;
const std::string tensor_pipe = "sm__inst_executed_pipe_tensor";

}  // namespace

class TestLaunchSampler : public QObject {
    Q_OBJECT

  private slots:
    void a_kernel_that_repeats_is_measured_and_then_left_alone() {
        LaunchSampler sampler({.memory_first = 3, .memory_every = 4}, hopper_plans);
        QCOMPARE(letters(sampler, shape_of("gemm"), 12), std::string("ACAA---A---A"));
        QCOMPARE(sampler.seen(), std::uint64_t{12});
        QCOMPARE(sampler.left_out(), std::uint64_t{6});
    }

    void every_shape_starts_anew() {
        LaunchSampler sampler({}, hopper_plans);
        QCOMPARE(letters(sampler, shape_of("gemm", 128), 2), std::string("AC"));
        QCOMPARE(letters(sampler, shape_of("gemm", 256), 2), std::string("AC"));
        QCOMPARE(letters(sampler, shape_of("saxpy", 128), 1), std::string("A"));
    }

    void tensor_plans_follow_what_plan_a_saw() {
        LaunchSampler sampler({.memory_first = 1, .memory_every = 0}, hopper_plans);
        const LaunchShape shape = shape_of("gemm");
        QCOMPARE(letters(sampler, shape, 3), std::string("AC-"));
        sampler.learn(shape, {true, true, false});
        QCOMPARE(letters(sampler, shape, 2), std::string("B-"));
        sampler.learn(shape, {true, true, true});
        QCOMPARE(letters(sampler, shape, 1), std::string("-"));
    }

    void where_the_paths_are_not_told_apart_both_are_measured() {
        LaunchSampler sampler({.work = false, .memory_first = 1, .memory_every = 0}, hopper_plans);
        const LaunchShape shape = shape_of("gemm");
        QCOMPARE(letters(sampler, shape, 1), std::string("A"));
        sampler.learn(shape, {true, std::nullopt, std::nullopt});
        QCOMPARE(letters(sampler, shape, 3), std::string("BD-"));
    }

    void no_tensor_cores_no_tensor_plan() {
        LaunchSampler sampler({.memory_first = 1, .memory_every = 0}, hopper_plans);
        const LaunchShape shape = shape_of("copy");
        QCOMPARE(letters(sampler, shape, 2), std::string("AC"));
        sampler.learn(shape, {false, {}, {}});
        QCOMPARE(letters(sampler, shape, 2), std::string("--"));
        LaunchSampler without({.memory_first = 1, .memory_every = 0}, {PlanKind::memory, PlanKind::work});
        without.learn(shape, {true, true, true});
        QCOMPARE(letters(without, shape, 3), std::string("AC-"));
    }

    void a_plan_that_fails_comes_again_a_few_times() {
        LaunchSampler sampler({.memory_first = 1, .memory_every = 0}, hopper_plans);
        const LaunchShape shape = shape_of("gemm");
        QCOMPARE(letters(sampler, shape, 1), std::string("A"));
        sampler.failed(shape, PlanKind::memory);
        QCOMPARE(letters(sampler, shape, 2), std::string("AC"));
        for (int i = 0; i < 2; ++i) {
            sampler.failed(shape, PlanKind::work);
            QCOMPARE(letters(sampler, shape, 1), std::string("C"));
        }
        sampler.failed(shape, PlanKind::work);
        QCOMPARE(letters(sampler, shape, 1), std::string("-"));
    }

    void failures_count_for_each_plan_alone() {
        LaunchSampler sampler({.memory_first = 1, .memory_every = 0}, hopper_plans);
        const LaunchShape shape = shape_of("gemm");
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(letters(sampler, shape, 1), std::string("A"));
            sampler.failed(shape, PlanKind::memory);
        }
        QCOMPARE(letters(sampler, shape, 2), std::string("AC"));
        sampler.failed(shape, PlanKind::work);
        QCOMPARE(letters(sampler, shape, 1), std::string("C"));
        sampler.failed(shape, PlanKind::work);
        QCOMPARE(letters(sampler, shape, 2), std::string("C-"));
        QVERIFY(sampler.given_up().empty());
    }

    void a_success_clears_what_failed_before() {
        LaunchSampler sampler({.memory_first = 1, .memory_every = 2}, hopper_plans);
        const LaunchShape shape = shape_of("gemm");
        QCOMPARE(letters(sampler, shape, 2), std::string("AC"));
        sampler.measured(shape, PlanKind::memory);
        sampler.measured(shape, PlanKind::work);
        for (int i = 0; i < 10; ++i) {
            QCOMPARE(letters(sampler, shape, 2), std::string("A-"));
            if (i % 3 == 2)
                sampler.measured(shape, PlanKind::memory);
            else
                sampler.failed(shape, PlanKind::memory);
        }
        QVERIFY(sampler.given_up().empty());
    }

    void plans_given_up_are_told_and_leave_the_others_their_turn() {
        LaunchSampler sampler({.memory_first = 5, .memory_every = 2}, hopper_plans);
        const LaunchShape gemm = shape_of("gemm");
        const LaunchShape copy = shape_of("copy");
        for (int i = 0; i < 3; ++i) {
            QVERIFY(sampler.given_up().empty());
            QCOMPARE(letters(sampler, gemm, 1), std::string("A"));
            sampler.failed(gemm, PlanKind::memory);
        }
        QCOMPARE(letters(sampler, gemm, 6), std::string("C-----"));
        QCOMPARE(letters(sampler, copy, 3), std::string("ACA"));
        const std::vector<GivenUpPlan> told{{gemm, PlanKind::memory}};
        QVERIFY(sampler.given_up() == told);
        sampler.measured(gemm, PlanKind::memory);
        QVERIFY(sampler.given_up().empty());
    }

    void hopper_tells_the_two_tensor_paths_apart() {
        const Chip& hopper = *find_chip("GH100");
        QVERIFY(!tensor_use(hopper, {}));
        const auto idle = tensor_use(hopper, {{tensor_pipe + ".sum", 0}});
        QVERIFY(idle && !idle->used);
        const auto use = [&](double all, double half, double integer) {
            return tensor_use(hopper, {{tensor_pipe + ".sum", all},
                                       {tensor_pipe + "_op_hmma.sum", half},
                                       {tensor_pipe + "_op_imma.sum", integer},
                                       {tensor_pipe + "_op_dmma.sum", 0}});
        };
        QVERIFY(use(10, 0, 0)->by_warp_group == true && use(10, 0, 0)->by_warp == false);
        QVERIFY(use(10, 10, 0)->by_warp_group == false && use(10, 10, 0)->by_warp == true);
        QVERIFY(use(10, 2, 3)->by_warp_group == true && use(10, 2, 3)->by_warp == true);
    }

    void blackwell_shows_the_new_path_by_its_operands() {
        const Chip& blackwell = *find_chip("GB100");
        const std::string operands = "l1tex__data_pipe_tc_wavefronts_mem_shared.sum";
        const auto warp = tensor_use(blackwell, {{tensor_pipe + ".sum", 5}, {operands, 0}});
        QVERIFY(warp->by_warp == true && warp->by_warp_group == false);
        const auto group = tensor_use(blackwell, {{tensor_pipe + ".sum", 5}, {operands, 9}});
        QVERIFY(group->by_warp_group == true && !group->by_warp);
    }
};

QTEST_APPLESS_MAIN(TestLaunchSampler)
#include "tst_launch_sampler.moc"
