// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/process_recording.h"

#include <QTest>

#include "profiler/plan/cupti_host.h"
#include "tests/support/folder_tests.h"

namespace tst_cupti_remedy {

using namespace roofwalk;

class TestCuptiRemedy : public QObject {
    Q_OBJECT

  private slots:
    void each_code_has_the_remedy_for_what_it_says_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("word");
        const auto row = [](std::int32_t code, const char* word) {
            QTest::addRow("%d", code) << code << word;
        };
        row(cupti_code::insufficient_privileges, "`roofwalk-cli check`");
        row(cupti_code::hardware_busy, "dcgmi profile --pause");
        row(cupti_code::multiple_subscribers_not_supported, "compute-sanitizer");
        for (const std::int32_t code :
             {cupti_code::not_compatible, cupti_code::not_initialized, cupti_code::unknown})
            row(code, "driver 580 or later");
        for (const std::int32_t code :
             {cupti_code::invalid_device, cupti_code::not_supported, cupti_code::invalid_chip_name})
            row(code, "newer CUDA toolkit");
        for (const std::int32_t code : {cupti_code::virtualized_device_not_supported,
                                        cupti_code::virtualized_device_insufficient_privileges})
            row(code, "enable_profiling=1");
        row(cupti_code::invalid_metric_name, "--cupti");
        row(cupti_code::confidential_computing_not_supported, "not in that mode");
        row(cupti_code::cmp_device_not_supported, "another GPU");
        row(cupti_code::mig_device_not_supported, "instance");
        row(cupti_code::sli_device_not_supported, "SLI");
        row(cupti_code::wsl_device_not_supported, "Update Windows");
    }
    void each_code_has_the_remedy_for_what_it_says() {
        QFETCH(int, code);
        QFETCH(QString, word);
        const std::string remedy(remedy_for_cupti(code, "cuptiSubscribe_v2"));
        QVERIFY2(remedy.find(word.toStdString()) != std::string::npos, remedy.c_str());
    }
    void an_old_driver_is_not_sent_for_a_cupti_that_would_be_refused() {
        const std::string remedy(remedy_for_cupti(cupti_code::not_compatible, "cuptiSubscribe_v2"));
        QVERIFY2(remedy.find("--cupti") == std::string::npos, remedy.c_str());
    }
    void an_unknown_error_in_the_midst_is_none_of_the_driver() {
        const std::string remedy(remedy_for_cupti(cupti_code::unknown, "cuptiRangeProfilerStop"));
        QVERIFY2(remedy.find("compute-sanitizer") != std::string::npos, remedy.c_str());
        QVERIFY(remedy.find("driver") == std::string::npos);
    }
    void an_unknown_error_of_what_is_asked_before_launches_is_none_of_the_program() {
        for (const char* const call :
             {"cuptiProfilerInitialize", "cuptiProfilerDeviceSupported", "cuptiDeviceGetChipName"}) {
            const std::string remedy(remedy_for_cupti(cupti_code::unknown, call));
            QVERIFY2(remedy.find("driver") != std::string::npos, remedy.c_str());
        }
    }
    void the_helper_of_another_cupti_is_none_of_the_driver() {
        for (const char* const helper : {"libnvperf_host.so", "/opt/cuda/lib64/libnvperf_host.so"}) {
            const std::string remedy(remedy_for_cupti(cupti_code::not_compatible, helper));
            QVERIFY2(remedy.find("--cupti") != std::string::npos, remedy.c_str());
            QVERIFY(remedy.find("driver") == std::string::npos);
        }
    }
    void a_cupti_that_is_too_old_is_none_of_the_driver() {
        const std::string remedy(remedy_for_cupti(cupti_code::not_compatible, "cuptiRangeProfilerEnable"));
        QVERIFY2(remedy.find("12.6") != std::string::npos, remedy.c_str());
        QVERIFY(remedy.find("driver") == std::string::npos);
    }
    void other_codes_have_none() {
        for (const std::int32_t code : {0, 1, 8, 1000, -1})
            QVERIFY(remedy_for_cupti(code, "cuptiRangeProfilerStart").empty());
    }
};

}  // namespace tst_cupti_remedy

ROOFWALK_TEST(tst_cupti_remedy, TestCuptiRemedy, NoApplication)
#include "tst_cupti_remedy.moc"
