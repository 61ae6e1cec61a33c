// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/roofline/recorded_command.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_recorded_command {

using namespace roofwalk;

class TestRecordedCommand : public QObject {
    Q_OBJECT

  private slots:
    void the_application_starts_after_the_options() {
        QCOMPARE(application_of("/opt/nsight/target/linux/ncu --set full -o gemm -f ./gemm.out 1024 1024 "),
                 std::string("./gemm.out 1024 1024"));
        QCOMPARE(application_of(
                     "/usr/bin/ncu -c 3 --section SpeedOfLight --section WarpStateStats -o silu python3 "
                     "silu.py --single_benchmark "),
                 std::string("python3 silu.py --single_benchmark"));
        QCOMPARE(application_of(
                     "ncu -f --app-replay-buffer=file --replay-mode=application --clock-control=none --set "
                     "roofline release/main 0.1 41"),
                 std::string("release/main 0.1 41"));
        QCOMPARE(application_of("/x/ncu --call-stack -f --set detailed -k saxpy -o test ./test --metrics"),
                 std::string("./test --metrics"));
    }
    void words_are_quoted_again() {
        QCOMPARE(application_of(
                     "\"C:\\Program Files\\ncu.exe\" --config-file off --export F:/out \"F:/my app.exe\" $x"),
                 std::string("'F:/my app.exe' '$x'"));
        QCOMPARE(application_of("ncu ./app ; rm -rf /"), std::string("./app ';' rm -rf /"));
    }
    void what_is_not_understood_gives_nothing() {
        QCOMPARE(application_of(""), std::string());
        QCOMPARE(application_of("\""), std::string());
        QCOMPARE(application_of("nsys profile ./app"), std::string());
        QCOMPARE(application_of("ncu --an-option-of-tomorrow ./app"), std::string());
        QCOMPARE(application_of("ncu --set full"), std::string());
        QCOMPARE(application_of("ncu -o"), std::string());
    }
};

}  // namespace tst_recorded_command

ROOFWALK_TEST(tst_recorded_command, TestRecordedCommand, NoApplication)
#include "tst_recorded_command.moc"
