// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/prepare_session.h"

#include <unistd.h>

#include <QTest>

#include "profiler/recording/processes.h"
#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_prepare_session {

using namespace roofwalk;
using roofwalk::test::MadeRoot;

namespace {

CapabilityFinding finding(std::string subject, Readiness readiness) {
    return {std::move(subject), readiness, "What was found.", "What to do."};
}

}  // namespace

class TestPrepareSession : public QObject {
    Q_OBJECT

  private slots:
    void nothing_is_refused_where_all_is_there() {
        QVERIFY(refuse_by_findings(
            {finding("driver", Readiness::ready), finding("GPU", Readiness::ready),
             finding("counters", Readiness::limited), finding("Nsight Compute", Readiness::missing)},
            true));
    }

    void without_driver_or_gpu_nothing_can_be_recorded() {
        for (const char* subject : {"driver", "GPU"}) {
            const auto refused = refuse_by_findings({finding(subject, Readiness::missing)}, false);
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, ErrorCode::not_profiled);
            QCOMPARE(refused.error().what, std::string("What was found."));
            QCOMPARE(refused.error().hint, std::string("What to do."));
        }
    }

    void patterns_that_an_agent_cannot_look_for_are_refused() {
        QVERIFY(refuse_patterns({}));
        for (const char* const pattern : {"gemm(", "ge(?i)mm", "[\\pL]", "^*"}) {
            LaunchFilter filter;
            filter.nvtx_ranges = {"^step", pattern};
            const auto refused = refuse_patterns(filter);
            QVERIFY2(!refused, pattern);
            QCOMPARE(refused.error().code, ErrorCode::bad_argument);
            QCOMPARE(refused.error().where, std::string(pattern));
        }
    }

    void an_old_driver_is_refused_to_the_agent_alone() {
        const std::vector<CapabilityFinding> findings{finding("driver", Readiness::ready),
                                                      finding("CUPTI", Readiness::missing)};
        QVERIFY(refuse_by_findings(findings, true));
        const auto refused = refuse_agent_by_findings(findings, false);
        QVERIFY(!refused);
        QCOMPARE(refused.error().hint, std::string("What to do."));
        QVERIFY(refuse_agent_by_findings({finding("CUPTI", Readiness::limited)}, false));
    }

    void without_permission_time_can_be_recorded() {
        const std::vector<CapabilityFinding> findings{finding("driver", Readiness::ready),
                                                      finding("counters", Readiness::missing)};
        QVERIFY(refuse_by_findings(findings, false));
        const auto refused = refuse_by_findings(findings, true);
        QVERIFY(!refused);
        QVERIFY(refused.error().hint.starts_with("What to do.") &&
                refused.error().hint.find("--timing") != std::string::npos);
    }

    void a_process_of_another_user_is_refused_before_anything_of_it_is_read() {
        ProfileRequest request;
        request.attach_to = 1;
        const RecordingOptions choices{"/none.so", {}, true};
        const bool root_of_its_own = refuse_other_owner(1).has_value();
        const auto refused = prepare_session(request, choices, "test");
        if (!root_of_its_own) {
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, ErrorCode::not_profiled);
            QVERIFY(refused.error().where.find("process 1") != std::string::npos);
        }
        request.attach_to = 999'999'999;
        QVERIFY(!prepare_session(request, choices, "test"));
    }

    void counters_are_planned_by_the_library_that_the_person_named() {
        const MadeRoot root;
        ProfileRequest request;
        request.attach_to = static_cast<std::uint32_t>(getpid());
        request.measuring.counters = false;
        const auto cupti = root.write("libcupti.so.13", "no library");
        const auto parts = prepare_session(request, {"/none.so", cupti, true}, "test");
        QVERIFY(parts);
        QCOMPARE(parts->cupti, cupti);
        // What has just been loaded takes longer to answer.
        request.inject = true;
        const auto injected = prepare_session(request, {"/none.so", cupti, true}, "test");
        QVERIFY(injected && injected->limits.answer > parts->limits.answer);
    }

    void what_is_stopped_while_it_prepares_ends_there() {
        const MadeRoot root;
        ProfileRequest request;
        const RecordingOptions choices{root.write("agent.so", ""), root.write("libcupti.so.13", "no library"),
                                       true};
        std::stop_source stop;
        const auto not_stopped = prepare_session(request, choices, "test", {}, stop.get_token());
        QVERIFY(!not_stopped);
        QCOMPARE(not_stopped.error().code, ErrorCode::not_profiled);
        stop.request_stop();
        const auto stopped = prepare_session(request, choices, "test", {}, stop.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::cancelled);
    }

    void an_agent_or_a_library_that_is_not_there_is_refused() {
        const MadeRoot root;
        ProfileRequest request;
        RecordingOptions choices{root.path() / "none.so", {}, true};
        const auto without_agent = prepare_session(request, choices, "test");
        QVERIFY(!without_agent);
        QCOMPARE(without_agent.error().code, ErrorCode::not_profiled);
        QCOMPARE(without_agent.error().where, choices.agent.string());
        // A program that was built without one does not bring it.
        QCOMPARE(without_agent.error().hint.find("Install roofwalk-cli") == std::string::npos,
                 !built_with_cupti());

        choices.agent = root.write("agent.so", "");
        choices.cupti = root.write("libcupti.so.13", "no library");
        const auto without_cupti = prepare_session(request, choices, "test");
        QVERIFY(!without_cupti);
        QCOMPARE(without_cupti.error().code, ErrorCode::not_profiled);

        request.measuring.counters = false;
        const auto timed = prepare_session(request, choices, "test");
        QVERIFY(timed);
        QVERIFY(!timed->planner);
        QCOMPARE(timed->agent, choices.agent);
        QCOMPARE(timed->tool, std::string("test"));
        QVERIFY(!timed->environment.empty());
    }
};

}  // namespace tst_prepare_session

ROOFWALK_TEST(tst_prepare_session, TestPrepareSession, NoApplication)
#include "tst_prepare_session.moc"
