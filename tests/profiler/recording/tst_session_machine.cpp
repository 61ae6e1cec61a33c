// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/profile_session.h"

#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_session_machine {

using namespace roofwalk;
using namespace std::chrono_literals;

namespace {

/// A clock that a test sets.
class MadeClock {
  public:
    [[nodiscard]] RecordingStateMachine::Time now() const { return now_; }
    RecordingStateMachine::Time after(std::chrono::milliseconds time) { return now_ += time; }

  private:
    RecordingStateMachine::Time now_{};
};

AgentCounts agents(std::size_t processes, std::size_t connected, std::uint64_t launches = 1,
                   bool drained = false) {
    return {processes, connected, drained, launches};
}

bool says(const RecordingStateMachine& machine, std::string_view part) {
    return machine.sentence().find(part) != std::string::npos;
}

constexpr ChildEnd in_order{0, std::nullopt};
constexpr ChildEnd killed{std::nullopt, 9};

}  // namespace

class TestSessionMachine : public QObject {
    Q_OBJECT

  private slots:
    void a_program_that_ends_in_order() {
        MadeClock clock;
        RecordingStateMachine machine({}, {}, clock.now());
        QCOMPARE(machine.phase(), RecordingPhase::starting);
        machine.program_started(clock.now());
        QCOMPARE(machine.phase(), RecordingPhase::waiting);
        machine.look(agents(0, 0), clock.after(1s));
        QCOMPARE(machine.phase(), RecordingPhase::waiting);
        machine.look(agents(1, 1), clock.after(1s));
        QCOMPARE(machine.phase(), RecordingPhase::running);
        machine.program_ended(in_order, clock.after(1s));
        QCOMPARE(machine.phase(), RecordingPhase::draining);
        machine.look(agents(1, 1), clock.after(1ms));
        QCOMPARE(machine.phase(), RecordingPhase::draining);
        machine.look(agents(1, 0), clock.after(1ms));
        QCOMPARE(machine.phase(), RecordingPhase::ended);
        QVERIFY(says(machine, "exit code 0"));
        QVERIFY(machine.cut().empty());
    }

    void a_killed_program_is_named_with_its_signal() {
        MadeClock clock;
        RecordingStateMachine machine({}, {}, clock.now());
        machine.program_started(clock.now());
        machine.look(agents(1, 1), clock.after(1s));
        machine.program_ended(killed, clock.now());
        machine.look(agents(1, 0), clock.now());
        QCOMPARE(machine.phase(), RecordingPhase::ended);
        QVERIFY(says(machine, "killed by signal 9"));
    }

    void an_agent_that_stays_away_is_spoken_of_and_waited_for() {
        MadeClock clock;
        RecordingStateMachine machine({}, {}, clock.now());
        machine.program_started(clock.now());
        machine.look(agents(0, 0), clock.after(19s));
        QVERIFY(machine.hint().empty());
        machine.look(agents(0, 0), clock.after(2s));
        QCOMPARE(machine.phase(), RecordingPhase::waiting);
        QVERIFY(says(machine, "20 s") && !machine.hint().empty());
        machine.look(agents(1, 1), clock.after(60s));
        QCOMPARE(machine.phase(), RecordingPhase::running);
        QVERIFY(machine.hint().empty());
    }

    void a_program_without_an_agent_failed_to_be_recorded() {
        MadeClock clock;
        RecordingStateMachine machine({}, {}, clock.now());
        machine.program_started(clock.now());
        machine.program_ended(in_order, clock.after(2s));
        machine.look(agents(0, 0), clock.now());
        QCOMPARE(machine.phase(), RecordingPhase::failed);
        QVERIFY(says(machine, "before any agent had connected"));
        QVERIFY(!machine.hint().empty());
    }

    void a_program_without_kernels_is_no_failure() {
        MadeClock clock;
        RecordingStateMachine machine({}, {}, clock.now());
        machine.program_started(clock.now());
        machine.look(agents(1, 1, 0), clock.after(1s));
        machine.program_ended(in_order, clock.now());
        machine.look(agents(1, 0, 0), clock.now());
        QCOMPARE(machine.phase(), RecordingPhase::ended);
        QVERIFY(says(machine, "no kernel"));
    }

    void children_that_outlive_the_program_are_let_go() {
        MadeClock clock;
        RecordingStateMachine machine({}, {}, clock.now());
        machine.program_started(clock.now());
        machine.look(agents(2, 2), clock.after(1s));
        machine.program_ended(in_order, clock.now());
        QVERIFY(machine.wants_disarmed());
        machine.look(agents(2, 1), clock.after(1s));
        machine.look(agents(2, 1), clock.after(4s));
        QVERIFY(!machine.over());
        machine.look(agents(2, 1), clock.after(1s));
        QCOMPARE(machine.phase(), RecordingPhase::ended);
        QVERIFY(!machine.cut().empty() && !machine.hint().empty());
    }

    void what_was_sent_before_the_end_may_take_its_time() {
        MadeClock clock;
        RecordingStateMachine machine({}, {}, clock.now());
        machine.program_started(clock.now());
        machine.look(agents(1, 1, 10), clock.after(1s));
        machine.program_ended(in_order, clock.now());
        for (std::uint64_t launches = 20; launches < 100; launches += 10) {
            machine.look(agents(1, 1, launches), clock.after(4s));
            QVERIFY(!machine.over());
        }
        machine.look(agents(1, 0, 100), clock.after(1s));
        QCOMPARE(machine.phase(), RecordingPhase::ended);
        QVERIFY(machine.cut().empty());
    }

    void stop_drains_what_is_on_its_way() {
        MadeClock clock;
        RecordingStateMachine machine({}, {}, clock.now());
        machine.program_started(clock.now());
        machine.look(agents(1, 1), clock.after(1s));
        machine.stop(clock.now());
        QCOMPARE(machine.phase(), RecordingPhase::draining);
        QVERIFY(machine.wants_disarmed());
        machine.look(agents(1, 1), clock.after(1s));
        QVERIFY(!machine.over());
        machine.look(agents(1, 1, 1, true), clock.after(1ms));
        QCOMPARE(machine.phase(), RecordingPhase::ended);
        QVERIFY(machine.cut().empty() && says(machine, "stopped"));
    }

    void stop_does_not_wait_for_ever() {
        MadeClock clock;
        RecordingStateMachine machine({}, {}, clock.now());
        machine.program_started(clock.now());
        machine.look(agents(1, 1), clock.now());
        machine.stop(clock.now());
        machine.look(agents(1, 1), clock.after(1s));
        machine.look(agents(1, 1), clock.after(5s));
        QCOMPARE(machine.phase(), RecordingPhase::ended);
        QVERIFY(!machine.cut().empty());
    }

    void an_attached_process_runs_on() {
        MadeClock clock;
        RecordingStateMachine machine({}, 4711, clock.now());
        machine.look(agents(0, 1), clock.after(1s));
        QCOMPARE(machine.phase(), RecordingPhase::starting);
        machine.look(agents(1, 1), clock.after(1s));
        QCOMPARE(machine.phase(), RecordingPhase::running);
        machine.stop(clock.now());
        machine.look(agents(1, 1, 1, true), clock.now());
        QCOMPARE(machine.phase(), RecordingPhase::ended);
        QVERIFY(says(machine, "4711 runs on"));
    }

    void an_attached_process_may_end() {
        MadeClock clock;
        RecordingStateMachine machine({}, 4711, clock.now());
        machine.look(agents(1, 1), clock.after(1s));
        machine.look(agents(1, 0), clock.after(1s));
        QCOMPARE(machine.phase(), RecordingPhase::ended);
        QVERIFY(says(machine, "has ended"));
    }

    void an_agent_that_does_not_answer_or_hangs_up_is_a_failure() {
        MadeClock clock;
        RecordingStateMachine silent({}, 4711, clock.now());
        silent.look(agents(0, 1), clock.after(5s));
        QCOMPARE(silent.phase(), RecordingPhase::failed);
        QVERIFY(says(silent, "within 5 s"));
        RecordingStateMachine rude({}, 4711, clock.now());
        rude.look(agents(0, 0), clock.after(1ms));
        QCOMPARE(rude.phase(), RecordingPhase::failed);
        QVERIFY(says(rude, "hung up"));
    }
};

}  // namespace tst_session_machine

ROOFWALK_TEST(tst_session_machine, TestSessionMachine, NoApplication)
#include "tst_session_machine.moc"
