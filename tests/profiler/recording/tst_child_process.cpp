// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/child_process.h"

#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <csignal>

#include "tests/support/folder_tests.h"
#include "tests/support/processes.h"
#include "tests/support/qt_strings.h"

namespace tst_child_process {

using namespace roofwalk;
using namespace std::chrono_literals;

namespace {

constexpr auto long_enough = 60s;

LaunchPlan shell(const std::string& script) {
    return {"/bin/sh", {"sh", "-c", script}, "", {"PATH=/usr/bin:/bin", "COLOUR=dark blue"}};
}

struct Run {
    std::optional<ChildEnd> end;
    std::string output;
    std::string error;

    [[nodiscard]] OnChildText listener() {
        return [this](ChildStream stream, std::string_view text) {
            (stream == ChildStream::output ? output : error) += text;
        };
    }
};

Run run(const LaunchPlan& plan) {
    Run run;
    auto child = ChildProcess::start(plan, ChildProcess::Streams::piped);
    if (child) run.end = child->wait(long_enough, run.listener());
    return run;
}

/// Waits until the program has written `word`.
bool said(ChildProcess& child, Run& run, const std::string& word) {
    for (int i = 0; i < 6000 && run.output.find(word) == std::string::npos; ++i)
        if (child.wait(10ms, run.listener())) break;
    return run.output.find(word) != std::string::npos;
}

void do_nothing(int) {}

/// A row of /proc/self/status of a started program, such as "SigBlk", as a set of signals.
std::uint64_t signals_of_child(const std::string& row) {
    const Run ended = run({"/bin/grep", {"grep", row, "/proc/self/status"}, "", {}});
    return std::stoull(ended.output.substr(ended.output.find(':') + 1), nullptr, 16);
}

constexpr std::uint64_t bit_of(int signal) {
    return std::uint64_t{1} << (signal - 1);
}

/// The pid on the first line that the program wrote.
pid_t pid_said(ChildProcess& child, Run& run) {
    return said(child, run, "\n") ? std::stoi(run.output) : -1;
}

}  // namespace

class TestChildProcess : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { adopt_orphans(); }

    void cleanup() { end_children_here(); }

    void exit_codes_come_back() {
        for (const int code : {0, 1, 42, 127, 255}) {
            const Run ended = run(shell("exit " + std::to_string(code)));
            QVERIFY(ended.end == (ChildEnd{code, std::nullopt}));
            QVERIFY(ended.end->shell_status() == code);
        }
    }

    void a_program_that_crashes_says_by_which_signal() {
        const Run ended = run(shell("kill -SEGV $$"));
        QVERIFY(ended.end == (ChildEnd{std::nullopt, SIGSEGV}));
        QVERIFY(ended.end->shell_status() == 128 + SIGSEGV);
    }

    void both_streams_are_kept_apart_and_whole() {
        const Run ended = run(shell("head -c 1000000 /dev/zero; printf oops >&2"));
        QVERIFY(ended.end == (ChildEnd{0, std::nullopt}));
        QCOMPARE(ended.output.size(), std::size_t{1'000'000});
        QCOMPARE(ended.error, std::string("oops"));
    }

    void arguments_environment_and_folder_are_those_of_the_plan() {
        const QTemporaryDir folder;
        LaunchPlan plan = shell("printf '%s|%s|%s|' \"$COLOUR\" \"$0\" \"$1\"; pwd; cat");
        plan.arguments.insert(plan.arguments.end(), {"a b", "*"});
        plan.directory = folder.path().toStdString();
        const Run ended = run(plan);
        const std::string start = "dark blue|a b|*|";
        QVERIFY(ended.output.starts_with(start));
        QVERIFY(ended.output.find(plan.directory.filename().string()) != std::string::npos);
    }

    void a_program_that_cannot_start_is_an_error() {
        LaunchPlan plan = shell("");
        plan.program = "/nowhere/app";
        auto child = ChildProcess::start(plan, ChildProcess::Streams::piped);
        QVERIFY(!child);
        QCOMPARE(child.error().code, ErrorCode::file_not_readable);
        QCOMPARE(child.error().where, std::string("/nowhere/app"));
        plan = shell("");
        plan.directory = "/nowhere";
        QVERIFY(!ChildProcess::start(plan, ChildProcess::Streams::inherited));
    }

    void time_limits_leave_it_running() {
        auto child = ChildProcess::start(shell("exec sleep 1000"), ChildProcess::Streams::piped);
        QVERIFY(child);
        QVERIFY(!child->wait(10ms));
        QVERIFY(!child->wait(0ms));
        QCOMPARE(::kill(child->pid(), 0), 0);
        QVERIFY(child->stop(long_enough) == (ChildEnd{std::nullopt, SIGTERM}));
    }

    void signals_reach_the_whole_group() {
        Run heard;
        auto child =
            ChildProcess::start(shell("trap 'echo got; kill $!; exit 7' INT; sleep 1000 & echo ready; wait"),
                                ChildProcess::Streams::piped);
        QVERIFY(child);
        QVERIFY(said(*child, heard, "ready"));
        child->pass_on(SIGINT);
        const auto end = child->wait(long_enough, heard.listener());
        QVERIFY(end == (ChildEnd{7, std::nullopt}));
        QVERIFY(heard.output.find("got") != std::string::npos);
        child->pass_on(SIGINT);
    }

    void a_program_that_will_not_end_is_killed() {
        Run heard;
        auto child = ChildProcess::start(shell("trap '' TERM; echo ready; while :; do sleep 1; done"),
                                         ChildProcess::Streams::piped);
        QVERIFY(child);
        QVERIFY(said(*child, heard, "ready"));
        QVERIFY(child->stop(50ms, heard.listener()) == (ChildEnd{std::nullopt, SIGKILL}));
    }

    void a_flood_of_text_does_not_hold_up_the_deadline() {
        auto child = ChildProcess::start(shell("exec yes"), ChildProcess::Streams::piped);
        QVERIFY(child);
        QVERIFY(!child->wait(50ms));
        QVERIFY(child->stop(long_enough) == (ChildEnd{std::nullopt, SIGTERM}));
    }

    void children_that_outlive_it_are_not_waited_for() {
        const Run ended = run(shell("sleep 1000 & echo $!"));
        QVERIFY(ended.end == (ChildEnd{0, std::nullopt}));
    }

    void a_program_that_survives_us_may_write_on() {
        in_a_fork([] {
            const auto child = ChildProcess::start(shell("sleep 0.1; head -c 1000000 /dev/zero && exit 9"),
                                                   ChildProcess::Streams::surviving);
            return kill(getpid(), SIGKILL);
        });
        bool has_ended_well = false;
        int status = 0;
        // Its own end is waited for, and that of who reads from it.
        while (waitpid(-1, &status, 0) > 0)
            has_ended_well |= WIFEXITED(status) && WEXITSTATUS(status) == 9;
        QVERIFY(has_ended_well);
    }

    void what_is_left_of_its_group_is_killed_with_it() {
        Run heard;
        auto child =
            ChildProcess::start(shell("sh -c 'trap \"\" TERM; echo $$; exec sleep 1000' & exec sleep 1000"),
                                ChildProcess::Streams::piped);
        QVERIFY(child);
        const pid_t left = pid_said(*child, heard);
        QVERIFY(left > 0);
        QVERIFY(child->stop(long_enough) == (ChildEnd{std::nullopt, SIGTERM}));
        QCOMPARE(signal_that_ended(left), SIGKILL);
    }

    void nothing_is_sent_once_the_end_is_known() {
        Run heard;
        auto child = ChildProcess::start(shell("sleep 1000 & echo $!"), ChildProcess::Streams::piped);
        QVERIFY(child);
        const auto end = child->wait(long_enough, heard.listener());
        QVERIFY(end == (ChildEnd{0, std::nullopt}));
        const pid_t left = std::stoi(heard.output);
        QVERIFY(child->stop(long_enough) == *end);
        child->pass_on(SIGKILL);
        QCOMPARE(waitpid(left, nullptr, WNOHANG), 0);
        ::kill(left, SIGUSR1);
        QCOMPARE(signal_that_ended(left), SIGUSR1);
    }

    void an_object_moved_from_holds_no_program() {
        auto child = ChildProcess::start(shell("exec sleep 1000"), ChildProcess::Streams::piped);
        QVERIFY(child);
        ChildProcess moved(std::move(*child));
        child->pass_on(SIGKILL);
        QVERIFY(child->stop(long_enough) == ChildEnd{});
        QVERIFY(child->wait(long_enough) == ChildEnd{});
        QVERIFY(!moved.wait(10ms));
        QVERIFY(moved.stop(long_enough) == (ChildEnd{std::nullopt, SIGTERM}));
    }

    void an_end_that_nobody_can_tell_is_unknown_and_not_success() {
        const SignalHere ignored(SIGCHLD, SIG_IGN);
        const Run ended = run(shell("exit 3"));
        QVERIFY(ended.end == ChildEnd{});
        QVERIFY(!ended.end->shell_status());
        auto child = ChildProcess::start(shell("exec sleep 1000"), ChildProcess::Streams::piped);
        QVERIFY(child);
        QVERIFY(!child->wait(10ms));
        QVERIFY(child->stop(long_enough) == ChildEnd{});
        LaunchPlan plan = shell("");
        plan.program = "/nowhere/app";
        QVERIFY(!ChildProcess::start(plan, ChildProcess::Streams::piped));
    }

    void an_end_taken_by_another_is_unknown() {
        for (const bool stopped : {false, true}) {
            auto child = ChildProcess::start(shell("exit 3"), ChildProcess::Streams::piped);
            QVERIFY(child);
            QCOMPARE(waitpid(child->pid(), nullptr, 0), child->pid());
            child->pass_on(SIGTERM);
            const auto end = stopped ? child->stop(long_enough) : child->wait(long_enough);
            QVERIFY(end == ChildEnd{});
        }
    }

    void standard_streams_closed_here_are_open_there() {
        for (const int last : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
            const int code = in_a_fork([last] {
                for (int number = 0; number <= last; ++number)
                    close(number);
                const Run ended = run(shell("cat; echo out; echo err >&2; exit 5"));
                if (ended.output != "out\n") return 1;
                if (ended.error != "err\n") return 2;
                if (ended.end != ChildEnd{5, std::nullopt}) return 3;
                LaunchPlan wrong = shell("");
                wrong.program = "/nowhere/app";
                if (ChildProcess::start(wrong, ChildProcess::Streams::piped)) return 6;
                auto child = ChildProcess::start(shell("exec sleep 1000"), ChildProcess::Streams::inherited);
                if (!child || fcntl(STDIN_FILENO, F_GETFD) >= 0) return 4;
                return child->stop(long_enough) == ChildEnd{std::nullopt, SIGTERM} ? 0 : 5;
            });
            QCOMPARE(code, 0);
        }
    }

    void a_program_at_our_terminal_may_read_it() {
        Terminal terminal([] {
            auto child = ChildProcess::start(shell("echo ready; read line; echo \"[$line]\"; exit 4"),
                                             ChildProcess::Streams::inherited);
            return child ? child->wait(long_enough)->shell_status().value_or(1) : 1;
        });
        QVERIFY(terminal.shows("ready"));
        QVERIFY(terminal.type("hello\n"));
        QVERIFY(terminal.shows("[hello]"));
        QCOMPARE(terminal.exit_code(), 4);
    }

    void keys_of_our_terminal_reach_it() {
        Terminal terminal([] {
            const SignalHere unharmed(SIGINT, do_nothing);
            auto child =
                ChildProcess::start(shell("echo ready; exec sleep 1000"), ChildProcess::Streams::inherited);
            return child && child->wait(long_enough) == ChildEnd{std::nullopt, SIGINT} ? 0 : 1;
        });
        QVERIFY(terminal.shows("ready"));
        QVERIFY(terminal.type("\x03"));
        QCOMPARE(terminal.exit_code(), 0);
    }

    void only_a_program_with_pipes_has_a_group_of_its_own() {
        auto apart = ChildProcess::start(shell("exec sleep 1000"), ChildProcess::Streams::piped);
        auto beside = ChildProcess::start(shell("exec sleep 1000"), ChildProcess::Streams::inherited);
        QVERIFY(apart && beside);
        QCOMPARE(getpgid(apart->pid()), apart->pid());
        QCOMPARE(getpgid(beside->pid()), getpgrp());
        beside->pass_on(SIGUSR1);
        QVERIFY(beside->wait(long_enough) == (ChildEnd{std::nullopt, SIGUSR1}));
    }

    void it_starts_with_signals_as_a_shell_would_give_them() {
        const SignalHere no_children(SIGCHLD, SIG_IGN);
        const SignalHere no_pipe(SIGPIPE, SIG_IGN);
        const SignalHere no_limit(SIGXFSZ, SIG_IGN);
        const SignalHere no_hangup(SIGHUP, SIG_IGN);
        const SignalHere handled(SIGUSR2, do_nothing);
        sigset_t some;
        sigset_t before;
        sigset_t after;
        sigemptyset(&some);
        sigaddset(&some, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &some, &before);
        const auto blocked = signals_of_child("SigBlk");
        const auto ignored = signals_of_child("SigIgn");
        pthread_sigmask(SIG_SETMASK, &before, &after);
        QCOMPARE(blocked, std::uint64_t{0});
        QCOMPARE(ignored & (bit_of(SIGCHLD) | bit_of(SIGPIPE) | bit_of(SIGXFSZ) | bit_of(SIGUSR2)),
                 std::uint64_t{0});
        QCOMPARE(ignored & bit_of(SIGHUP), bit_of(SIGHUP));
        sigaddset(&before, SIGUSR1);
        for (int signal = 1; signal < NSIG; ++signal)
            QCOMPARE(sigismember(&after, signal), sigismember(&before, signal));
    }

    void signals_that_come_all_the_time_leave_nothing_unreaped() {
        const SignalHere ticks(SIGALRM, do_nothing);
        const itimerval often{{0, 200}, {0, 200}};
        const itimerval never{};
        setitimer(ITIMER_REAL, &often, nullptr);
        LaunchPlan wrong = shell("");
        wrong.program = "/nowhere/app";
        bool right = true;
        for (int i = 0; i < 50 && right; ++i) {
            right = !ChildProcess::start(wrong, ChildProcess::Streams::piped) &&
                    ChildProcess::start(shell("exec sleep 1000"), ChildProcess::Streams::piped).has_value();
        }
        setitimer(ITIMER_REAL, &never, nullptr);
        QVERIFY(right);
        QVERIFY(children_here().empty());
    }

    void nothing_is_left_behind() {
        pid_t pid = -1;
        {
            auto child = ChildProcess::start(shell("exec sleep 1000"), ChildProcess::Streams::inherited);
            QVERIFY(child);
            pid = child->pid();
        }
        QCOMPARE(::kill(pid, 0), -1);
        QCOMPARE(errno, ESRCH);
    }
};

}  // namespace tst_child_process

ROOFWALK_TEST(tst_child_process, TestChildProcess, NoApplication)
#include "tst_child_process.moc"
