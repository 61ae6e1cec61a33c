// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/counter_planner.h"

#include <QTemporaryDir>
#include <QTest>
#include <iterator>

#include "tests/profiler/plan/cupti_here.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_counter_planner {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

std::ptrdiff_t files_in(const QTemporaryDir& folder) {
    const std::filesystem::directory_iterator files(folder.path().toStdString());
    return std::distance(begin(files), end(files));
}

}  // namespace

class TestCounterPlanner : public QObject {
    Q_OBJECT

  private slots:
    void a_chip_has_the_images_of_its_plans() {
        const CuptiHere cupti = cupti_here();
        if (!cupti.host) QSKIP(cupti.reason.c_str());
        CuptiPlanner planner(cupti.library, cupti.host->version(), std::nullopt);
        const auto counters = planner.counters_of("GH100", {});
        QVERIFY2(counters, counters ? "" : counters.error().what.c_str());
        QVERIFY(counters->left_out.empty());
        QCOMPARE(counters->plans.size(), std::size_t{7});
        for (const CounterConfig& config : counters->plans) {
            QVERIFY(!config.image.empty() && !config.metrics.empty());
            QVERIFY(config.passes >= 1);
        }
        QCOMPARE(counters->plans.front().plan, PlanKind::memory);
        QCOMPARE(counters->plans.front().passes, std::size_t{1});
    }

    void images_are_kept_and_found_again() {
        const CuptiHere cupti = cupti_here();
        if (!cupti.host) QSKIP(cupti.reason.c_str());
        const QTemporaryDir folder;
        CuptiPlanner planner(cupti.library, cupti.host->version(), ConfigCache(folder.path().toStdString()));
        const auto first = planner.counters_of("GA100", {});
        QCOMPARE(files_in(folder), std::ptrdiff_t{4});
        const auto again = planner.counters_of("GA100", {});
        QVERIFY(first && again);
        for (std::size_t i = 0; i < first->plans.size(); ++i)
            QVERIFY(first->plans[i].image == again->plans[i].image);
    }

    void a_chip_without_plans_is_an_error() {
        const CuptiHere cupti = cupti_here();
        if (!cupti.host) QSKIP(cupti.reason.c_str());
        CuptiPlanner planner(cupti.library, cupti.host->version(), std::nullopt);
        const auto unknown = planner.counters_of("GZ999", {});
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().code, ErrorCode::unsupported_version);
        QVERIFY(unknown.error().what.find("GZ999") != std::string::npos);
    }
};

}  // namespace tst_counter_planner

ROOFWALK_TEST(tst_counter_planner, TestCounterPlanner, NoApplication)
#include "tst_counter_planner.moc"
