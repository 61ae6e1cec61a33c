// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ncu_session.h"

#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_log {

using namespace roofwalk;

namespace {

NcuLog log_of(std::string_view text) {
    NcuLog log;
    log.add(ChildStream::output, text);
    return log;
}

}  // namespace

class TestNcuLog : public QObject {
    Q_OBJECT

  private slots:
    void launches_are_counted_and_the_report_is_named_wherever_the_text_is_cut() {
        const std::string text =
            "==PROF== Connected to process 5268 (/opt/app)\n"
            "launching 4471 blocks\n"
            "==PROF== Profiling \"vectorAdd_A\" - 0: 0%....50%....100% - 46 passes\n"
            "==PROF== Profiling \"vectorAdd_B\" - 1 (2/2): 0%....50%....100% - 1 pass\n"
            "==PROF== Disconnected from process 5268\n"
            "==PROF== Report: /tmp/my run.ncu-rep\n";
        NcuLog cut;
        for (const char c : text)
            cut.add(ChildStream::output, {&c, 1});
        for (const NcuLog& log : {log_of(text), cut}) {
            QCOMPARE(log.launches(), std::uint64_t{2});
            QCOMPARE(log.processes(), std::uint32_t{1});
            QCOMPARE(log.report(), std::string("/tmp/my run.ncu-rep"));
            QVERIFY(log.problems().empty());
        }
    }
    void a_launch_that_was_broken_off_is_not_counted() {
        const NcuLog log = log_of(
            "==PROF== Profiling \"gemm\" - 20: 0%..==PROF== Received signal\n"
            "==PROF== Trying to shutdown target application\n"
            " - 3 passes\n"
            "==ERROR== Failed to profile \"gemm\" in process 25093\n"
            "==ERROR== Failed to profile \"gemm\" in process 25093\n");
        QCOMPARE(log.launches(), std::uint64_t{0});
        QCOMPARE(log.problems().size(), std::size_t{1});
        QCOMPARE(log.problems()[0].what, std::string("Failed to profile \"gemm\" in process 25093"));
    }
    void words_of_the_program_without_a_line_end_do_not_hide_what_ncu_says() {
        const NcuLog log =
            log_of("progress 10%==PROF== Profiling \"a\" - 0: 0%....50%....100% - 8 passes\r\n" +
                   std::string(100'000, 'x') + "==WARNING== No metrics\n");
        QCOMPARE(log.launches(), std::uint64_t{1});
        QCOMPARE(log.problems()[0].what, std::string("No metrics"));
    }
    void what_the_program_says_of_an_error_meanwhile_cuts_no_line() {
        NcuLog log;
        log.add(ChildStream::output, "==PROF== Profiling \"gemm\" - 0: 0%....50%");
        log.add(ChildStream::error, "epoch 1\n");
        log.add(ChildStream::output, "....100% - 8 passes\n");
        QCOMPARE(log.launches(), std::uint64_t{1});
    }
    void problems_without_end_are_not_kept() {
        std::string text;
        for (int i = 0; i < 1000; ++i)
            text += "==WARNING== number " + std::to_string(i) + "\n";
        QCOMPARE(log_of(text).problems().size(), std::size_t{20});
    }
};

}  // namespace tst_ncu_log

ROOFWALK_TEST(tst_ncu_log, TestNcuLog, QCoreApplication)
#include "tst_ncu_log.moc"
