// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ncu_session.h"

#include <QTest>
#include <algorithm>

#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_plan {

using namespace roofwalk;
using roofwalk::test::MadeRoot;

namespace {

ProfileRequest request(const MadeRoot& root) {
    root.write_program("app");
    ProfileRequest wanted;
    wanted.launch = {{"./app", "a b"}, root.path(), {}};
    wanted.output = "/tmp/run-%p.ncu-rep";
    return wanted;
}

/// What stands behind an option; "absent" where it is not given.
std::string value_of(const LaunchPlan& plan, const std::string& option) {
    const auto found = std::ranges::find(plan.arguments, option);
    return found == plan.arguments.end() || found + 1 == plan.arguments.end() ? "absent" : *(found + 1);
}

}  // namespace

class TestNcuPlan : public QObject {
    Q_OBJECT

  private slots:
    void the_program_runs_under_ncu() {
        const MadeRoot root;
        const auto plan = plan_ncu(request(root), "/opt/ncu", {"A=1", "CUDA_INJECTION64_PATH=/agent.so"});
        QVERIFY2(plan, plan ? "" : plan.error().what.c_str());
        QCOMPARE(plan->program, std::filesystem::path("/opt/ncu"));
        QCOMPARE(value_of(*plan, "--set"), std::string("roofline"));
        QCOMPARE(value_of(*plan, "--section"), std::string("regex:SpeedOfLight_.*RooflineChart"));
        const std::string metrics = "," + value_of(*plan, "--metrics") + ",";
        for (const char* bytes_of :
             {",lts__t_sectors_srcunit_tex.sum,", ",l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,",
              ",l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum,"})
            QVERIFY2(metrics.find(bytes_of) != std::string::npos, metrics.c_str());
        QCOMPARE(value_of(*plan, "--export"), std::string("/tmp/run-%p"));
        QCOMPARE(plan->arguments.back(), std::string("a b"));
        QVERIFY(plan->arguments[plan->arguments.size() - 2].ends_with("/app"));
        QVERIFY((plan->environment == std::vector<std::string>{"A=1"}));
    }

    void filters_are_those_of_ncu() {
        const MadeRoot root;
        ProfileRequest wanted = request(root);
        wanted.measuring.filter.kernels = {"gemm", "^a.b$"};
        wanted.measuring.filter.nvtx_ranges = {"^step "};
        wanted.measuring.filter.skip = 3;
        wanted.measuring.filter.count = 7;
        const auto plan = plan_ncu(wanted, "/opt/ncu", {});
        QVERIFY(plan);
        QCOMPARE(value_of(*plan, "--kernel-name"),
                 std::string(R"(regex:^(?!.*(?:^nccl|^nvshmem).*$).*(?:gemm|^a.b$).*$)"));
        QCOMPARE(value_of(*plan, "--nvtx-include"), std::string("regex:.*(?:^step ).*/"));
        QCOMPARE(value_of(*plan, "--launch-skip"), std::string("3"));
        QCOMPARE(value_of(*plan, "--launch-count"), std::string("7"));
        wanted.measuring.filter = {};
        wanted.measuring.filter.except.clear();
        QCOMPARE(value_of(*plan_ncu(wanted, "/opt/ncu", {}), "--kernel-name"), std::string("absent"));
    }

    void what_ncu_cannot_do_is_refused() {
        const MadeRoot root;
        ProfileRequest timed = request(root);
        timed.measuring.counters = false;
        QCOMPARE(plan_ncu(timed, "/opt/ncu", {}).error().code, ErrorCode::bad_argument);
        ProfileRequest attached = request(root);
        attached.attach_to = 1;
        QCOMPARE(plan_ncu(attached, "/opt/ncu", {}).error().code, ErrorCode::bad_argument);
        ProfileRequest streamed = request(root);
        streamed.output = "-";
        QCOMPARE(plan_ncu(streamed, "/opt/ncu", {}).error().code, ErrorCode::bad_argument);
        ProfileRequest flagged = request(root);
        flagged.measuring.filter.except = {"(?i)gemm"};
        QCOMPARE(plan_ncu(flagged, "/opt/ncu", {}).error().code, ErrorCode::bad_argument);
        ProfileRequest absent = request(root);
        absent.launch.command = {"./none"};
        QCOMPARE(plan_ncu(absent, "/opt/ncu", {}).error().code, ErrorCode::file_not_found);
    }
};

}  // namespace tst_ncu_plan

ROOFWALK_TEST(tst_ncu_plan, TestNcuPlan, NoApplication)
#include "tst_ncu_plan.moc"
