// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/agent/launch_sampler.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_launch_sampler {

using namespace roofwalk::agent;

namespace {

using roofwalk::wire::Replay;

const std::vector<char> hopper_plans{'A', 'B', 'C', 'D'};
const std::vector<char> replaying_plans{'A', 'B', 'C', 'D', 'E'};

SampleKey sample_key_of(const std::string& name, std::uint32_t blocks = 128) {
    SampleKey shape;
    shape.name = name;
    shape.grid = {blocks, 1, 1};
    return shape;
}

/// The letters of the plans that the next launches get, '-' for none.
std::string letters(LaunchSampler& sampler, const SampleKey& shape, int launches) {
    std::string text;
    for (int i = 0; i < launches; ++i) {
        const auto plan = sampler.choose(shape);
        text += plan.value_or('-');
    }
    return text;
}

}  // namespace

class TestLaunchSampler : public QObject {
    Q_OBJECT

  private slots:
    void a_kernel_that_repeats_is_measured_and_then_left_alone() {
        LaunchSampler sampler({.memory_first = 3, .memory_every = 4}, hopper_plans);
        QCOMPARE(letters(sampler, sample_key_of("gemm"), 12), std::string("ACAA---A---A"));
        QCOMPARE(sampler.seen(), std::uint64_t{12});
    }

    void the_first_launch_may_be_replayed() {
        LaunchSampler sampler({.memory_first = 2, .memory_every = 4}, replaying_plans);
        const SampleKey shape = sample_key_of("gemm");
        QCOMPARE(letters(sampler, shape, 1), std::string("E"));
        sampler.measured(shape, replay_plan);
        sampler.want(shape, 'B');
        QCOMPARE(letters(sampler, shape, 8), std::string("BA---A--"));
        QCOMPARE(letters(sampler, sample_key_of("gemm", 256), 1), std::string("E"));
    }

    void nothing_is_replayed_where_that_is_not_wanted() {
        LaunchSampler never({.memory_first = 2, .memory_every = 0, .replay = Replay::never}, replaying_plans);
        QCOMPARE(letters(never, sample_key_of("gemm"), 4), std::string("ACA-"));
        LaunchSampler without_work({.work = false, .memory_first = 2, .memory_every = 0}, replaying_plans);
        QCOMPARE(letters(without_work, sample_key_of("gemm"), 3), std::string("AA-"));
    }

    void every_measured_launch_may_be_replayed() {
        LaunchSampler sampler({.memory_first = 2, .memory_every = 3, .replay = Replay::always},
                              replaying_plans);
        QCOMPARE(letters(sampler, sample_key_of("gemm"), 6), std::string("EE--E-"));
    }

    void what_cannot_be_replayed_is_measured_on_two_launches() {
        LaunchSampler sampler({.memory_first = 1, .memory_every = 0}, replaying_plans);
        const SampleKey shape = sample_key_of("gemm");
        QCOMPARE(letters(sampler, shape, 1), std::string("E"));
        QVERIFY(!sampler.failed(shape, replay_plan));
        QCOMPARE(letters(sampler, shape, 3), std::string("AC-"));
        // It had too much memory to save, and got plan A in its place.
        const SampleKey large = sample_key_of("large");
        QCOMPARE(letters(sampler, large, 1), std::string("E"));
        sampler.without_replay(large);
        QCOMPARE(letters(sampler, large, 2), std::string("C-"));
        const SampleKey held = sample_key_of("held");
        QCOMPARE(letters(sampler, held, 1), std::string("E"));
        sampler.not_tried(held, replay_plan);
        QCOMPARE(letters(sampler, held, 2), std::string("E-"));
    }

    void work_that_was_counted_by_replay_is_not_counted_again() {
        LaunchSampler sampler(
            {.tensor = false, .memory_first = 3, .memory_every = 0, .replay = Replay::always},
            replaying_plans);
        const SampleKey shape = sample_key_of("gemm");
        QCOMPARE(letters(sampler, shape, 1), std::string("E"));
        sampler.measured(shape, replay_plan);
        QCOMPARE(letters(sampler, shape, 1), std::string("E"));
        QVERIFY(!sampler.failed(shape, replay_plan));
        QCOMPARE(letters(sampler, shape, 3), std::string("AA-"));
    }

    void every_shape_starts_anew() {
        LaunchSampler sampler({}, hopper_plans);
        QCOMPARE(letters(sampler, sample_key_of("gemm", 128), 2), std::string("AC"));
        QCOMPARE(letters(sampler, sample_key_of("gemm", 256), 2), std::string("AC"));
        QCOMPARE(letters(sampler, sample_key_of("saxpy", 128), 1), std::string("A"));
    }

    void plans_that_are_asked_for_come_once() {
        LaunchSampler sampler({.memory_first = 1, .memory_every = 0}, hopper_plans);
        const SampleKey shape = sample_key_of("gemm");
        QCOMPARE(letters(sampler, shape, 3), std::string("AC-"));
        sampler.want(shape, 'B');
        QCOMPARE(letters(sampler, shape, 2), std::string("B-"));
        sampler.want(shape, 'B');
        QCOMPARE(letters(sampler, shape, 1), std::string("-"));
    }

    void types_of_tensor_cores_may_be_had_before_somebody_asks() {
        const SamplingPolicy policy{.tensor_unasked = true, .memory_first = 2, .memory_every = 0};
        LaunchSampler sampler(policy, replaying_plans);
        QCOMPARE(letters(sampler, sample_key_of("gemm"), 5), std::string("EBA--"));
        sampler.want(sample_key_of("gemm"), 'B');
        QCOMPARE(letters(sampler, sample_key_of("gemm"), 1), std::string("-"));
        LaunchSampler on_two(policy, hopper_plans);
        QCOMPARE(letters(on_two, sample_key_of("gemm"), 4), std::string("ACBA"));
        // In more passes than one only where another plan of several has worked, and not against who asks.
        LaunchSampler replayed({.memory_first = 2, .memory_every = 0}, replaying_plans);
        for (const char* const name : {"gemm", "large", "of warps"}) {
            QCOMPARE(letters(replayed, sample_key_of(name), 1), std::string("E"));
            replayed.measured(sample_key_of(name), replay_plan);
        }
        QCOMPARE(letters(replayed, sample_key_of("gemm"), 3), std::string("BA-"));
        replayed.want(sample_key_of("of warps"), 'D');
        QVERIFY(replayed.is_asked(sample_key_of("of warps")) && !replayed.is_asked(sample_key_of("large")));
        QCOMPARE(letters(replayed, sample_key_of("of warps"), 3), std::string("DA-"));
        QCOMPARE(letters(replayed, sample_key_of("large"), 1), std::string("B"));
        replayed.without_replay(sample_key_of("large"));
        replayed.want(sample_key_of("large"), 'B');
        QCOMPARE(letters(replayed, sample_key_of("large"), 3), std::string("BA-"));
        LaunchSampler without_types({.tensor = false, .tensor_unasked = true}, replaying_plans);
        QCOMPARE(letters(without_types, sample_key_of("gemm"), 2), std::string("EA"));
    }

    void a_plan_that_replay_has_is_not_had_again() {
        LaunchSampler sampler(
            {.tensor_unasked = true, .replay_has_tensor = true, .memory_first = 1, .memory_every = 0},
            replaying_plans);
        const SampleKey shape = sample_key_of("gemm");
        QCOMPARE(letters(sampler, shape, 1), std::string("E"));
        sampler.measured(shape, replay_plan);
        QCOMPARE(letters(sampler, shape, 2), std::string("--"));
        const SampleKey large = sample_key_of("large");
        QCOMPARE(letters(sampler, large, 1), std::string("E"));
        sampler.without_replay(large);
        QCOMPARE(letters(sampler, large, 3), std::string("CB-"));
    }

    /// Another plan costs more than some more passes.
    void replay_goes_on_for_a_few_launches() {
        LaunchSampler sampler({.tensor = false, .memory_first = 9, .memory_every = 0}, replaying_plans);
        const auto first = [&](const char* name, std::uint64_t took_ns) {
            QCOMPARE(letters(sampler, sample_key_of(name), 1), std::string("E"));
            sampler.measured(sample_key_of(name), replay_plan, took_ns);
        };
        first("gemm", 50'000'000);
        QCOMPARE(letters(sampler, sample_key_of("gemm"), 2), std::string("EE"));
        first("copy", 50'000'000);
        QCOMPARE(letters(sampler, sample_key_of("copy"), 6), std::string("EEEAAA"));
        QCOMPARE(letters(sampler, sample_key_of("gemm"), 3), std::string("AAA"));
        first("long", 200'000'000);
        QCOMPARE(letters(sampler, sample_key_of("long"), 2), std::string("AA"));
    }

    void who_asks_in_time_knows_better_which_plan_has_the_types() {
        LaunchSampler sampler({.tensor_unasked = true, .memory_first = 1, .memory_every = 0},
                              replaying_plans);
        const SampleKey of_warps = sample_key_of("of warps");
        QCOMPARE(letters(sampler, of_warps, 1), std::string("E"));
        sampler.want(of_warps, 'D');
        QCOMPARE(letters(sampler, of_warps, 2), std::string("D-"));
        const SampleKey of_both = sample_key_of("of both");
        QCOMPARE(letters(sampler, of_both, 1), std::string("E"));
        sampler.want(of_both, 'B');
        sampler.want(of_both, 'D');
        QCOMPARE(letters(sampler, of_both, 3), std::string("BD-"));
    }

    void several_may_be_asked_for() {
        LaunchSampler sampler({.work = false, .memory_first = 1, .memory_every = 0}, hopper_plans);
        const SampleKey shape = sample_key_of("gemm");
        QCOMPARE(letters(sampler, shape, 1), std::string("A"));
        sampler.want(shape, 'B');
        sampler.want(shape, 'D');
        QCOMPARE(letters(sampler, shape, 3), std::string("BD-"));
    }

    void a_plan_that_the_device_does_not_have_is_never_chosen() {
        LaunchSampler sampler({.memory_first = 1, .memory_every = 0}, {'A', 'C'});
        const SampleKey shape = sample_key_of("copy");
        sampler.want(shape, 'B');
        QCOMPARE(letters(sampler, shape, 3), std::string("AC-"));
    }

    void nothing_is_asked_for_where_the_policy_says_so() {
        LaunchSampler sampler({.tensor = false, .memory_first = 1, .memory_every = 0}, hopper_plans);
        const SampleKey shape = sample_key_of("gemm");
        sampler.want(shape, 'B');
        QCOMPARE(letters(sampler, shape, 3), std::string("AC-"));
    }

    void a_plan_that_fails_comes_again_a_few_times() {
        LaunchSampler sampler({.memory_first = 1, .memory_every = 0}, hopper_plans);
        const SampleKey shape = sample_key_of("gemm");
        QCOMPARE(letters(sampler, shape, 1), std::string("A"));
        QVERIFY(!sampler.failed(shape, memory_plan));
        QCOMPARE(letters(sampler, shape, 2), std::string("AC"));
        for (int i = 0; i < 2; ++i) {
            QVERIFY(!sampler.failed(shape, work_plan));
            QCOMPARE(letters(sampler, shape, 1), std::string("C"));
        }
        QVERIFY(sampler.failed(shape, work_plan));
        QCOMPARE(letters(sampler, shape, 1), std::string("-"));
    }

    void a_plan_that_could_not_be_tried_comes_again_without_end() {
        LaunchSampler sampler({.memory_first = 1, .memory_every = 0}, hopper_plans);
        const SampleKey shape = sample_key_of("gemm");
        for (int i = 0; i < 10; ++i) {
            QCOMPARE(letters(sampler, shape, 1), std::string("A"));
            sampler.not_tried(shape, memory_plan);
        }
        QCOMPARE(letters(sampler, shape, 2), std::string("AC"));
        sampler.not_tried(shape, work_plan);
        QCOMPARE(letters(sampler, shape, 2), std::string("C-"));
    }

    void failures_count_for_each_plan_alone() {
        LaunchSampler sampler({.memory_first = 1, .memory_every = 0}, hopper_plans);
        const SampleKey shape = sample_key_of("gemm");
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(letters(sampler, shape, 1), std::string("A"));
            QVERIFY(!sampler.failed(shape, memory_plan));
        }
        QCOMPARE(letters(sampler, shape, 2), std::string("AC"));
        QVERIFY(!sampler.failed(shape, work_plan));
        QCOMPARE(letters(sampler, shape, 1), std::string("C"));
        QVERIFY(!sampler.failed(shape, work_plan));
        QCOMPARE(letters(sampler, shape, 2), std::string("C-"));
    }

    void a_success_clears_what_failed_before() {
        LaunchSampler sampler({.memory_first = 1, .memory_every = 2}, hopper_plans);
        const SampleKey shape = sample_key_of("gemm");
        QCOMPARE(letters(sampler, shape, 2), std::string("AC"));
        sampler.measured(shape, memory_plan);
        sampler.measured(shape, work_plan);
        for (int i = 0; i < 10; ++i) {
            QCOMPARE(letters(sampler, shape, 2), std::string("A-"));
            if (i % 3 == 2)
                sampler.measured(shape, memory_plan);
            else
                QVERIFY(!sampler.failed(shape, memory_plan));
        }
    }

    void a_plan_given_up_leaves_the_others_their_turn() {
        LaunchSampler sampler({.memory_first = 5, .memory_every = 2}, hopper_plans);
        const SampleKey gemm = sample_key_of("gemm");
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(letters(sampler, gemm, 1), std::string("A"));
            QCOMPARE(sampler.failed(gemm, memory_plan), i == 2);
        }
        QCOMPARE(letters(sampler, gemm, 6), std::string("C-----"));
        QCOMPARE(letters(sampler, sample_key_of("copy"), 3), std::string("ACA"));
    }
};

}  // namespace tst_launch_sampler

ROOFWALK_TEST(tst_launch_sampler, TestLaunchSampler, NoApplication)
#include "tst_launch_sampler.moc"
