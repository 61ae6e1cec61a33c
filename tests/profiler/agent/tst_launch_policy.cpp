// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <array>

#include "profiler/agent/clock.h"
#include "profiler/agent/launch_policy.h"
#include "tests/support/folder_tests.h"

namespace tst_launch_policy {

using namespace roofwalk;
using namespace roofwalk::agent;

namespace {

using Action = ObservedLaunch::Action;

constexpr std::uint64_t second_ns = 1'000'000'000;

wire::Orders orders(bool armed = true, bool counters = true) {
    wire::Orders made;
    made.armed = armed;
    made.counters = counters;
    return made;
}

/// A policy that knows context 1 on device 0, and what a program does there.
struct Program {
    GraphRegistry graphs;
    LaunchPolicy policy{graphs};
    std::vector<std::string> warnings;
    int context = 0;

    explicit Program(bool has_counters = true) {
        policy.add_context(&context, 1, 0);
        policy.add_device(0, has_counters);
    }

    void plan(std::uint32_t device, const std::string& letters) {
        static constexpr std::array<std::string_view, 1> metrics{"dram__bytes_read.sum"};
        for (const char letter : letters)
            policy.add_plan(device, std::make_shared<const CounterSet>(
                                        wire::CounterPlan{device, letter, 0, 1, metrics, {}}));
        policy.plans_complete(device);
    }

    ObservedLaunch launch(bool times_work = true) {
        LaunchCall call;
        call.context = &context;
        call.kernel.name = "saxpy";
        return policy.decide(call, times_work, warnings);
    }
};

}  // namespace

class TestLaunchPolicy : public QObject {
    Q_OBJECT

  private slots:
    void orders_decide_what_is_done() {
        Program program;
        QCOMPARE(program.policy.state(), PolicyState::unordered);
        QCOMPARE(program.launch().action, Action::none);
        program.policy.follow(orders(true, false));
        QCOMPARE(program.policy.state(), PolicyState::timing);
        QCOMPARE(program.launch().action, Action::time);
        program.policy.follow(orders(false));
        QCOMPARE(program.policy.state(), PolicyState::paused);
        QCOMPARE(program.launch().action, Action::none);
        program.policy.follow(orders());
        QCOMPARE(program.policy.state(), PolicyState::counting);
        program.plan(0, "A");
        const ObservedLaunch counted = program.launch();
        QCOMPARE(counted.action, Action::count);
        QCOMPARE(counted.set->plan, 'A');
        QCOMPARE(counted.id, std::uint64_t{3});
        QCOMPARE(counted.context_id, 1U);
        program.policy.collector_lost();
        QCOMPARE(program.policy.state(), PolicyState::unordered);
        QVERIFY(program.policy.lacks_plans(0));
        QCOMPARE(program.policy.counts.seen, std::uint64_t{0});
    }

    void between_two_orders_launches_are_listed() {
        Program program;
        program.policy.follow(orders(true, false));
        program.policy.suspend(orders());
        QCOMPARE(program.policy.state(), PolicyState::resuming);
        QCOMPARE(program.launch().action, Action::list);
        program.policy.suspend(orders(false));
        QCOMPARE(program.policy.state(), PolicyState::paused);
    }

    void plans_that_are_late_are_timed_for() {
        Program program;
        program.policy.follow(orders());
        program.policy.device_reported(0, second_ns);
        QVERIFY(!program.policy.lacks_plans_for_long(second_ns + second_ns / 4));
        QVERIFY(program.policy.lacks_plans_for_long(2 * second_ns));
        QCOMPARE(program.launch().action, Action::list);
        QVERIFY(program.policy.time_until_plans());
        QVERIFY(!program.policy.time_until_plans());
        QCOMPARE(program.policy.state(), PolicyState::timing_until_plans);
        QCOMPARE(program.launch().action, Action::time);
        program.policy.timed();
        program.plan(0, "A");
        QVERIFY(program.policy.begin_resuming());
        QCOMPARE(program.launch().action, Action::list);
        program.policy.resume_counting();
        QCOMPARE(program.policy.state(), PolicyState::counting);
        QCOMPARE(program.policy.take_timed_meanwhile(), std::uint64_t{1});
        QCOMPARE(program.policy.take_timed_meanwhile(), std::uint64_t{0});
    }

    void where_one_device_has_its_plans_another_is_not_timed() {
        Program program;
        program.policy.add_device(1, true);
        program.policy.follow(orders());
        program.plan(1, "A");
        QVERIFY(!program.policy.time_until_plans());
        QCOMPARE(program.policy.state(), PolicyState::counting);
    }

    void counters_that_are_held_are_tried_again() {
        Program program;
        program.policy.follow(orders());
        program.plan(0, "A");
        const ObservedLaunch refused = program.launch();
        program.policy.refused(refused, second_ns);
        QVERIFY(program.policy.stop_counting(PolicyState::timing_until_free));
        QVERIFY(!program.policy.tries_again(second_ns + 1));
        QVERIFY(program.policy.tries_again(2 * second_ns));
        QVERIFY(program.policy.begin_resuming());
        program.policy.resume_counting();
        QCOMPARE(program.launch().set->plan, 'A');
        QVERIFY(program.policy.cupti_worked(refused) && !program.policy.cupti_worked(refused));
    }

    void a_device_on_which_all_fails_is_tried_more_and_more_rarely() {
        Program program;
        program.policy.follow(orders());
        program.plan(0, "A");
        int launches = 0;
        for (; program.policy.any_may_count() && launches < 1000; ++launches) {
            const ObservedLaunch launch = program.launch();
            if (launch.action != Action::count) continue;
            static_cast<void>(program.policy.not_counted(launch));
            QVERIFY(!program.policy.failed_again(launch, second_ns));
        }
        QVERIFY(launches > 50 && launches < 200);
        QCOMPARE(program.warnings.size(), std::size_t{1});
        const std::uint64_t now = steady_ns();
        for (const std::uint64_t seconds : {1UL, 3UL}) {
            QCOMPARE(program.launch().action, Action::stop_counting);
            QVERIFY(program.policy.stop_counting(PolicyState::timing_until_device));
            program.policy.timed();
            const std::uint64_t later = now + seconds * second_ns;
            QVERIFY(!program.policy.tries_again(later - second_ns / 2));
            QVERIFY(program.policy.tries_again(later) && program.policy.begin_resuming());
            program.policy.resume_counting();
            QCOMPARE(program.launch().action, Action::count);
            if (seconds == 1) QVERIFY(program.policy.failed_again(program.launch(), later));
        }
        const ObservedLaunch launch = program.launch();
        QVERIFY(program.policy.cupti_worked(launch) && !program.policy.cupti_worked(launch));
        QVERIFY(!program.policy.failed_again(launch, now));
        QCOMPARE(program.policy.take_timed_meanwhile(), std::uint64_t{2});
    }

    void a_device_that_was_counted_once_is_not_left_alone() {
        Program program;
        program.policy.follow(orders());
        program.plan(0, "A");
        const ObservedLaunch launch = program.launch();
        QVERIFY(!program.policy.cupti_worked(launch));
        static_cast<void>(program.policy.not_counted(launch));
        for (int i = 0; i < 300; ++i)
            QVERIFY(program.launch().action != Action::stop_counting);
    }

    void a_device_without_counters_stops_counting_unless_another_has_them() {
        Program alone(false);
        alone.policy.follow(orders());
        QCOMPARE(alone.launch().action, Action::stop_counting);
        QVERIFY(alone.warnings.empty());
        Program beside(false);
        beside.policy.add_device(1, true);
        beside.policy.follow(orders());
        QCOMPARE(beside.launch().action, Action::list);
        QCOMPARE(beside.warnings.size(), std::size_t{1});
        QVERIFY(beside.policy.may_count(1) && !beside.policy.may_count(0));
    }

    void a_launch_whose_context_is_not_known_is_listed() {
        Program program;
        program.policy.follow(orders());
        program.plan(0, "A");
        program.policy.forget_context(&program.context);
        QCOMPARE(program.launch().action, Action::list);
    }

    void what_is_left_out_is_counted() {
        Program program;
        static constexpr std::array<std::string_view, 1> kernels{"gemm"};
        wire::Orders only_gemm = orders();
        only_gemm.kernels = kernels;
        program.policy.follow(only_gemm);
        QCOMPARE(program.launch().action, Action::none);
        QCOMPARE(program.policy.counts.filtered, std::uint64_t{1});
        program.policy.pass_over();
        QCOMPARE(program.policy.counts.sampled_out, std::uint64_t{1});
        QCOMPARE(program.policy.counts.seen, std::uint64_t{2});
        program.policy.follow(orders(false));
        program.policy.pass_over();
        QCOMPARE(program.policy.counts.sampled_out, std::uint64_t{1});
    }

    void nothing_is_begun_again_when_the_program_ends() {
        Program program;
        program.policy.follow(orders());
        program.policy.end();
        program.policy.suspend(orders());
        program.policy.follow(orders());
        program.policy.break_down();
        program.policy.resume_counting();
        program.policy.collector_lost();
        QCOMPARE(program.policy.state(), PolicyState::ending);
        QVERIFY(!program.policy.is_recording());
        QCOMPARE(program.launch().action, Action::none);
        QCOMPARE(program.policy.counts.seen, std::uint64_t{1});
    }

    void a_cupti_that_has_given_up_is_left_alone() {
        Program program;
        program.policy.follow(orders());
        program.policy.break_down();
        QCOMPARE(program.policy.state(), PolicyState::broken);
        QCOMPARE(program.launch().action, Action::none);
        for (const bool armed : {false, true}) {
            program.policy.suspend(orders(armed));
            program.policy.follow(orders(armed));
            program.policy.collector_lost();
            QCOMPARE(program.policy.state(), PolicyState::broken);
        }
        program.policy.end();
        QCOMPARE(program.policy.state(), PolicyState::ending);
    }
};

}  // namespace tst_launch_policy

ROOFWALK_TEST(tst_launch_policy, TestLaunchPolicy, NoApplication)
#include "tst_launch_policy.moc"
