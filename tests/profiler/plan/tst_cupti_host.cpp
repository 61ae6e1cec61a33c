// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/cupti_host.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/devices/chip.h"
#include "tests/profiler/plan/cupti_here.h"
#include "tests/support/folder_tests.h"

namespace tst_cupti_host {

using namespace roofwalk;
using namespace roofwalk::test;

class TestCuptiHost : public QObject {
    Q_OBJECT

    CuptiHere cupti_ = cupti_here();

  private slots:
    void a_library_that_is_not_there_is_named() {
        const QTemporaryDir folder;
        const auto library = folder.filePath("libcupti.so.13").toStdString();
        const auto host = CuptiHost::load(library);
        QVERIFY(!host);
        QCOMPARE(host.error().code,
                 built_with_cupti() ? ErrorCode::file_not_readable : ErrorCode::unsupported_version);
        QVERIFY(!host.error().hint.empty());
    }

    void a_library_without_the_planner_is_too_old() {
        if (!built_with_cupti()) QSKIP("built without the headers of CUPTI");
        const auto host = CuptiHost::load("libc.so.6");
        QVERIFY(!host);
        QCOMPARE(host.error().code, ErrorCode::unsupported_version);
        QVERIFY(host.error().what.find("cuptiGetVersion") != std::string::npos);
    }

    void every_chip_with_plans_is_one_of_cupti() {
        if (!cupti_.host) QSKIP(cupti_.reason.c_str());
        const auto chips = cupti_.host->chips();
        QVERIFY(chips);
        for (const Chip& chip : planned_chips())
            QVERIFY2(std::ranges::find(*chips, chip.name) != chips->end(), std::string(chip.name).c_str());
    }

    void a_chip_that_nobody_knows_is_refused() {
        if (!cupti_.host) QSKIP(cupti_.reason.c_str());
        const std::vector<std::string> metrics{"gpu__time_duration.sum"};
        const auto image = cupti_.host->config_image("ZZ999", metrics);
        QVERIFY(!image);
        QCOMPARE(image.error().code, ErrorCode::unsupported_version);
        QVERIFY(image.error().where.find("ZZ999") != std::string::npos);
        QVERIFY(!image.error().hint.empty());
    }

    void a_metric_that_nobody_knows_is_found() {
        if (!cupti_.host) QSKIP(cupti_.reason.c_str());
        const std::vector<std::string> metrics{"gpu__time_duration.sum", "gpu__nonsense.sum",
                                               "gpu__time_duration.nonsense"};
        const auto unknown = cupti_.host->unknown_metrics("GH100", metrics);
        QVERIFY(unknown);
        QVERIFY((*unknown == std::vector<std::string>{"gpu__nonsense.sum", "gpu__time_duration.nonsense"}));
        QVERIFY(!cupti_.host->config_image("GH100", metrics));
    }
};

}  // namespace tst_cupti_host

ROOFWALK_TEST(tst_cupti_host, TestCuptiHost, NoApplication)
#include "tst_cupti_host.moc"
