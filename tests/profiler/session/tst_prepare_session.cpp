// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/session/prepare_session.h"

#include <QTest>

#include "tests/profiler/session/made_root.h"
#include "tests/support/qt_strings.h"

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

    void a_process_has_but_one_cupti() {
        const MadeRoot root;
        const auto loaded = root.write("13.0/libcupti.so.13", "");
        const auto other = root.write("13.1/libcupti.so.13", "");
        GpuProcess process;
        process.process = 300;
        process.cupti = loaded;
        const auto refused = choose_cupti(process, other, {});
        QVERIFY(!refused);
        QVERIFY(refused.error().where.find(loaded.string()) != std::string::npos);
        QVERIFY(refused.error().hint.find("ROOFWALK_AGENT_CUPTI=" + other.string()) != std::string::npos);
        QCOMPARE(choose_cupti(process, loaded, other).value_or("").string(), loaded.string());
        process.cupti.reset();
        QCOMPARE(choose_cupti(process, other, {}).value_or("").string(), other.string());
    }

    void counters_are_planned_by_the_cupti_that_counts_them() {
        const MadeRoot root;
        const auto found = root.write("13.1/libcupti.so.13", "");
        GpuProcess process;
        process.cupti = root.write("13.0/libcupti.so.13", "");
        QCOMPARE(choose_cupti(process, {}, found).value_or("").string(), found.string());
        root.write("13.0/libnvperf_host.so", "");
        QCOMPARE(choose_cupti(process, {}, found).value_or("").string(), process.cupti->string());
        QCOMPARE(choose_cupti({}, {}, found).value_or("").string(), found.string());
        QVERIFY(choose_cupti({}, {}, {}).value_or("some").empty());
    }

    void an_agent_or_a_library_that_is_not_there_is_refused() {
        const MadeRoot root;
        ProfileRequest request;
        SessionChoices choices{root.path() / "none.so", {}, true};
        const auto without_agent = prepare_session(request, choices, "test");
        QVERIFY(!without_agent);
        QCOMPARE(without_agent.error().code, ErrorCode::not_profiled);
        QCOMPARE(without_agent.error().where, choices.agent.string());

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

QTEST_APPLESS_MAIN(TestPrepareSession)
#include "tst_prepare_session.moc"
