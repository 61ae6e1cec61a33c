// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/agent_injection.h"

#include <unistd.h>

#include <fmt/format.h>
#include <signal.h>

#include <QTest>
#include <fstream>
#include <iterator>

#include "core/base/text.h"
#include "profiler/recording/processes.h"
#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_agent_injection {

using namespace roofwalk;
using roofwalk::test::MadeRoot;

namespace {

GpuProcess process() {
    GpuProcess made;
    made.process = 300;
    made.user = 1000;
    made.readable = true;
    made.uses_cuda = true;
    return made;
}

InjectionTools tools() {
    return {"/usr/bin/gdb", 0, false};
}

bool only(const std::vector<std::string>& reasons, std::string_view part) {
    return reasons.size() == 1 && reasons.front().find(part) != std::string::npos;
}

}  // namespace

class TestAgentInjection : public QObject {
    Q_OBJECT

  private slots:
    void a_process_of_ours_with_cuda_may_be_tried() {
        QVERIFY(why_not_injected(process(), tools(), 1000).empty());
    }

    void each_refusal_is_a_sentence() {
        QVERIFY(only(why_not_injected(process(), tools(), 1001), "another user"));
        InjectionTools without_gdb = tools();
        without_gdb.debugger.reset();
        QVERIFY(only(why_not_injected(process(), without_gdb, 1000), "gdb"));
        GpuProcess made = process();
        made.traced_by = 77;
        QVERIFY(only(why_not_injected(made, tools(), 1000), "process 77"));
        made = process();
        made.stopped = true;
        QVERIFY(only(why_not_injected(made, tools(), 1000), "kill -CONT 300"));
        made = process();
        made.uses_cuda = false;
        QVERIFY(only(why_not_injected(made, tools(), 1000), "not loaded CUDA"));
        made.readable = false;
        QVERIFY(only(why_not_injected(made, tools(), 1000), "cannot be read"));
        made = process();
        made.profiler = "libcuda-injection.so";
        QVERIFY(only(why_not_injected(made, tools(), 1000), "libcuda-injection.so"));
        made = process();
        made.other_namespace = true;
        QVERIFY(only(why_not_injected(made, tools(), 1000), "another container"));
        made = process();
        made.agent_loaded = true;
        QVERIFY(only(why_not_injected(made, tools(), 1000), "another collector"));
    }

    void the_kernel_may_forbid_tracing() {
        InjectionTools restricted = tools();
        for (const int scope : {1, 2}) {
            restricted.trace_scope = scope;
            QVERIFY(only(why_not_injected(process(), restricted, 1000), "ptrace_scope=0"));
            restricted.may_trace_any = true;
            QVERIFY(why_not_injected(process(), restricted, 1000).empty());
            restricted.may_trace_any = false;
        }
        restricted.trace_scope = 3;
        restricted.may_trace_any = true;
        QVERIFY(only(why_not_injected(process(), restricted, 1000), "nobody"));
    }

    void tools_are_found() {
        const MadeRoot root;
        const auto gdb = root.write_program("bin/gdb");
        root.write("proc/sys/kernel/yama/ptrace_scope", "1\n");
        root.write("proc/self/status", "CapEff:\t0000000000080000\n");
        const InjectionTools found = read_injection_tools("/none:" + gdb.parent_path().string(), root.path());
        QCOMPARE(found.debugger, std::optional(gdb));
        QCOMPARE(found.trace_scope, 1);
        QVERIFY(found.may_trace_any);
        const MadeRoot plain;
        QVERIFY(!read_injection_tools("/none", plain.path()).debugger);
        QCOMPARE(read_injection_tools("/none", plain.path()).trace_scope, 0);
    }

    void a_debugger_runs_nothing_that_files_of_the_process_ask_for() {
        const MadeRoot root;
        InjectionTools made = tools();
        const auto said = root.path() / "said";
        made.debugger = root.write_program("gdb", "echo \"$@\" >" + said.string() + "\n");
        QVERIFY(!inject_agent(process(), made, root.write("agent.so", ""), ""));
        std::ifstream file(said);
        const std::string words{std::istreambuf_iterator<char>(file), {}};
        const auto at = [&](std::string_view part) { return words.find(part); };
        QVERIFY2(at("-nx") < at("-p 300"), words.c_str());
        // Before the process is looked at.
        QVERIFY2(at("-iex set auto-load off") < at("-p 300"), words.c_str());
    }

    void a_process_of_another_user_is_not_touched() {
        GpuProcess made = process();
        made.one_user = false;
        QVERIFY(only(why_not_injected(made, tools(), 1000), "several users"));
        if (const auto refused = refuse_other_owner(1); !refused)
            QCOMPARE(make_agent_wait(1, tools(), "/agent.so", "").error(), refused.error());
    }

    void a_process_that_is_not_there_does_not_take_the_agent() {
        const MadeRoot root;
        InjectionTools made = tools();
        made.debugger = root.write_program("gdb");
        const auto failed = inject_agent(process(), made, root.write("agent.so", ""), "");
        QVERIFY(!failed);
        QCOMPARE(failed.error().code, ErrorCode::not_profiled);
        QCOMPARE(failed.error().where, std::string("process 300"));
    }

    void a_debugger_that_can_look_at_no_thread_is_not_started_again() {
        const MadeRoot root;
        InjectionTools made = tools();
        const auto agent = root.write("agent.so", "");
        const auto started = root.path() / "started";
        made.debugger = root.write_program("gdb", "echo >>" + started.string() + "\necho 'answer -2 0'\n");
        const auto unseen = inject_agent(process(), made, agent, "");
        made.debugger = root.write_program(
            "gdb0",
            "echo 'warning: passed over' >&2\necho 'Cannot write registers.' >&2\necho 'answer 0 0'\n");
        const auto refused = inject_agent(process(), made, agent, "");
        QVERIFY(!unseen && !refused);
        QVERIFY(unseen.error().what != refused.error().what);
        QCOMPARE(std::filesystem::file_size(started), std::uintmax_t{1});
        QVERIFY(contains(refused.error().hint, "Cannot write registers."));
        QVERIFY(!contains(refused.error().hint, "warning"));
        GpuProcess nobody = process();
        nobody.process = 999'999'999;
        made.debugger = injection_tools_here().debugger;
        if (!made.debugger) QSKIP("needs gdb");
        const auto told = inject_agent(nobody, made, agent, "");
        QVERIFY(!told);
        QCOMPARE(told.error().what, unseen.error().what);
    }

    void a_debugger_that_does_not_come_back_is_made_to_let_go_data() {
        QTest::addColumn<QString>("wrote");
        QTest::addColumn<QString>("hears");
        QTest::addColumn<bool>("is_ended");
        QTest::newRow("before its calls") << ""
                                          << "" << true;
        QTest::newRow("after its calls") << "calls begin\\nanswer -1 0\\n"
                                         << "" << true;
        QTest::newRow("in a call") << "calls can be undone\\ncalls begin\\n"
                                   << "INT" << false;
        QTest::newRow("in a call that it cannot undo") << "calls begin\\n"
                                                       << "" << false;
    }
    /// One that may be in the midst of a call is never ended.
    void a_debugger_that_does_not_come_back_is_made_to_let_go() {
        QFETCH(const QString, wrote);
        QFETCH(const QString, hears);
        QFETCH(const bool, is_ended);
        const MadeRoot root;
        InjectionTools made = tools();
        const std::string said = (root.path() / "said").string();
        const std::string pid = (root.path() / "pid").string();
        std::string script = fmt::format("echo $$ >{}\nprintf '{}'\n", pid, wrote.toStdString());
        for (const char* const signal : {"INT", "TERM"})
            script += fmt::format("trap 'printf {} >>{}' {}\n", signal, said, signal);
        made.debugger = root.write_program("gdb", script + "while :; do sleep 0.01; done\n");
        const auto told = inject_agent(
            process(), made, root.write("agent.so", ""), "",
            {.debugger = std::chrono::milliseconds(500), .grace = std::chrono::milliseconds(200)});
        QVERIFY(!told);
        pid_t debugger = 0;
        std::ifstream(pid) >> debugger;
        QVERIFY(debugger > 0);
        const bool runs = kill(debugger, 0) == 0;
        if (runs) kill(debugger, SIGKILL);
        QCOMPARE(runs, !is_ended);
        std::ifstream file(said);
        const std::string words{std::istreambuf_iterator<char>(file), {}};
        QCOMPARE(words, hears.toStdString());
    }

    void without_an_agent_no_debugger_is_started() {
        const MadeRoot root;
        InjectionTools made = tools();
        const auto started = root.path() / "started";
        made.debugger = root.write_program("gdb", "touch " + started.string() + "\n");
        for (const std::filesystem::path& agent :
             {std::filesystem::path(), root.path() / "none.so", root.path()})
            for (const auto& refused :
                 {inject_agent(process(), made, agent, ""), try_injection(made, agent, "")}) {
                QVERIFY(!refused);
                QCOMPARE(refused.error().what,
                         std::string("The agent that records kernels is not installed"));
            }
        QVERIFY(!std::filesystem::exists(started));
        QVERIFY(!inject_agent(process(), made, root.write("agent.so", ""), ""));
        QVERIFY(std::filesystem::exists(started));
    }

    void what_forbids_it_is_said_before_a_process_is_touched() {
        InjectionTools without_gdb = tools();
        without_gdb.debugger.reset();
        for (const auto& refused : {make_agent_wait(getpid(), without_gdb, "/agent.so", ""),
                                    try_injection(without_gdb, "/agent.so", "")}) {
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, ErrorCode::not_profiled);
            QVERIFY2(refused.error().hint.find("gdb") != std::string::npos, refused.error().hint.c_str());
        }
        const auto nobody = make_agent_wait(999'999'999, tools(), "/agent.so", "");
        QVERIFY(!nobody);
        QVERIFY(!nobody.error().hint.empty());
    }
};

}  // namespace tst_agent_injection

ROOFWALK_TEST(tst_agent_injection, TestAgentInjection, NoApplication)
#include "tst_agent_injection.moc"
