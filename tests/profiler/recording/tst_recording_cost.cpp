// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/prepare_session.h"

#include <QTest>

#include "profiler/recording/capability_check.h"
#include "tests/profiler/plan/cupti_here.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_recording_cost {

using namespace roofwalk;

namespace {

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

class TestRecordingCost : public QObject {
    Q_OBJECT

  private slots:
    void without_a_known_gpu_it_is_that_of_all_chips() {
        for (const std::vector<std::string>& gpus :
             {std::vector<std::string>{}, std::vector<std::string>{"NVIDIA Z9000"}}) {
            for (const RecordingCost& cost : recording_cost(gpus, {})) {
                QVERIFY2(has(cost.sampled, "GH100") && has(cost.sampled, "The shorter the kernels"),
                         cost.sampled.c_str());
                QCOMPARE(cost.every, cost.sampled);
            }
        }
    }
    void of_a_known_gpu_it_is_counted_once_for_each_chip() {
        const test::CuptiHere here = test::cupti_here();
        if (!here.host) QSKIP(here.reason.c_str());
        const auto costs =
            recording_cost({"NVIDIA H100 PCIe", "NVIDIA H100 PCIe"}, find_cupti_here().front());
        const RecordingCost& cost = costs[ReplayPolicy::once];
        QVERIFY2(cost.sampled.starts_with("NVIDIA H100 PCIe (GH100): "), cost.sampled.c_str());
        QCOMPARE(cost.sampled.rfind("(GH100)"), cost.sampled.find("(GH100)"));
        QVERIFY2(has(cost.sampled, "Of 1,000 launches of a kernel"), cost.sampled.c_str());
        QVERIFY2(has(cost.every, "All 1,000 launches of a kernel"), cost.every.c_str());
        QVERIFY2(has(cost.sampled, "3 for a launch that is replayed"), cost.sampled.c_str());
        QVERIFY2(has(costs[ReplayPolicy::never].every, "in 1,000 runs"),
                 costs[ReplayPolicy::never].every.c_str());
        QVERIFY2(has(costs[ReplayPolicy::always].every, "in 3,000 runs"),
                 costs[ReplayPolicy::always].every.c_str());
    }
};

}  // namespace tst_recording_cost

ROOFWALK_TEST(tst_recording_cost, TestRecordingCost, NoApplication)
#include "tst_recording_cost.moc"
