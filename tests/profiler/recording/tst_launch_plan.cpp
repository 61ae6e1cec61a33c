// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/child_process.h"

#include <QTest>
#include <algorithm>

#include "profiler/wire/agent_address.h"
#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_launch_plan {

using namespace roofwalk;
using roofwalk::test::MadeRoot;
namespace fs = std::filesystem;

namespace {

AgentPaths agent_in(const MadeRoot& root) {
    return {root.write("lib/agent here.so", ""), root.path() / "socket", {}};
}

std::string value_of(const LaunchPlan& plan, const std::string& name) {
    std::string value = "absent";
    int times = 0;
    for (const std::string& entry : plan.environment)
        if (entry.starts_with(name + "=")) {
            value = entry.substr(name.size() + 1);
            ++times;
        }
    return times > 1 ? "set twice" : value;
}

Error refusal(const ProgramStart& request, const MadeRoot& root,
              const std::vector<std::string>& inherited = {}) {
    const auto plan = plan_launch(request, agent_in(root), inherited);
    return plan ? Error{ErrorCode::cancelled, "not refused", "", ""} : plan.error();
}

}  // namespace

class TestLaunchPlan : public QObject {
    Q_OBJECT

  private slots:
    void a_program_gets_the_agent_and_the_library_it_should_load() {
        const MadeRoot root;
        const fs::path program = root.write_program("work dir/app");
        AgentPaths agent = agent_in(root);
        agent.cupti = "/opt/cuda/lib64/libcupti.so.13";
        const ProgramStart request{{"./app", "a b", ""}, program.parent_path(), {{"OMP_NUM_THREADS", "4"}}};
        const auto plan = plan_launch(request, agent, {"PATH=/usr/bin", "OMP_NUM_THREADS=1", "LANG=C"});
        QVERIFY2(plan, plan ? "" : plan.error().what.c_str());
        QVERIFY(fs::equivalent(plan->program, program));
        QVERIFY(plan->program.is_absolute());
        QVERIFY((plan->arguments == std::vector<std::string>{"./app", "a b", ""}));
        QCOMPARE(value_of(*plan, "OMP_NUM_THREADS"), std::string("4"));
        QCOMPARE(value_of(*plan, "LANG"), std::string("C"));
        QCOMPARE(value_of(*plan, "CUDA_INJECTION64_PATH"), agent.library.string());
        QCOMPARE(value_of(*plan, "NVTX_INJECTION64_PATH"), agent.library.string());
        QCOMPARE(value_of(*plan, wire::agent_socket_variable), agent.socket.string());
        QCOMPARE(value_of(*plan, wire::agent_cupti_variable), agent.cupti.string());
    }

    void a_name_alone_is_looked_for_on_the_path_it_will_have() {
        const MadeRoot root;
        const fs::path program = root.write_program("bin/app");
        const ProgramStart request{
            {"app"}, root.path(), {{"PATH", "none:" + program.parent_path().string()}}};
        const auto plan = plan_launch(request, agent_in(root), {"PATH=/usr/bin"});
        QVERIFY2(plan, plan ? "" : plan.error().what.c_str());
        QVERIFY(fs::equivalent(plan->program, program));
    }

    void what_cannot_be_started_is_said_before() {
        const MadeRoot root;
        root.write_program("here");
        root.write("text", "words");
        QCOMPARE(refusal({{}, root.path(), {}}, root).code, ErrorCode::bad_argument);
        const Error not_on_path = refusal({{"here"}, root.path(), {}}, root, {"PATH=/nowhere"});
        QCOMPARE(not_on_path.code, ErrorCode::file_not_found);
        QVERIFY(not_on_path.hint.find("./here") != std::string::npos);
        QCOMPARE(refusal({{"./none"}, root.path(), {}}, root).code, ErrorCode::file_not_found);
        QCOMPARE(refusal({{"./text"}, root.path(), {}}, root).code, ErrorCode::file_not_readable);
        QCOMPARE(refusal({{"./lib"}, root.path(), {}}, root).code, ErrorCode::file_not_readable);
        QCOMPARE(refusal({{"./here"}, root.path() / "none", {}}, root).code, ErrorCode::file_not_found);
        QCOMPARE(refusal({{"./here"}, root.path(), {{"A=B", "c"}}}, root).code, ErrorCode::bad_argument);
    }

    void another_profiler_is_not_pushed_aside() {
        const MadeRoot root;
        root.write_program("app");
        const Error error =
            refusal({{"./app"}, root.path(), {}}, root, {"CUDA_INJECTION64_PATH=/opt/ncu.so"});
        QCOMPARE(error.code, ErrorCode::bad_argument);
        QCOMPARE(error.where, std::string("/opt/ncu.so"));
        QVERIFY(error.hint.find("CUDA_INJECTION64_PATH") != std::string::npos);
    }

    void without_the_agent_nothing_is_started() {
        const MadeRoot root;
        root.write_program("app");
        const auto plan =
            plan_launch({{"./app"}, root.path(), {}}, {root.path() / "none.so", "socket", {}}, {});
        QVERIFY(!plan);
        QVERIFY(plan.error().what.find("agent") != std::string::npos);
    }
};

}  // namespace tst_launch_plan

ROOFWALK_TEST(tst_launch_plan, TestLaunchPlan, NoApplication)
#include "tst_launch_plan.moc"
