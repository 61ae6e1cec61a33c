// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include <QTest>
#include <set>

#include "core/base/notice.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_error {

using namespace roofwalk;

class TestError : public QObject {
    Q_OBJECT

  private slots:
    void a_line_says_what_where_and_what_to_do() {
        const Error error{ErrorCode::truncated, "The report ends early", "a.ncu-rep, offset 7",
                          "Copy it again."};
        QCOMPARE(to_line(error), std::string("The report ends early (a.ncu-rep, offset 7). Copy it again."));
    }
    void a_line_has_one_full_stop_behind_the_place() {
        QCOMPARE(to_line({ErrorCode::bad_argument, "There is no column.", "character 5", "Look again."}),
                 std::string("There is no column (character 5). Look again."));
    }
    void a_line_leaves_out_what_is_not_known() {
        QCOMPARE(to_line({ErrorCode::cancelled, "Stopped.", "", ""}), std::string("Stopped."));
        QCOMPARE(to_line({ErrorCode::cancelled, "Stopped", "", "Open it again."}),
                 std::string("Stopped. Open it again."));
    }
    void a_notice_says_the_same_as_the_failure_that_it_tells_of() {
        const Error error{ErrorCode::truncated, "The report ends early", "a.ncu-rep", "Copy it again."};
        const Notice notice = notice_of(error, Severity::warning);
        QCOMPARE(notice.severity, Severity::warning);
        QCOMPARE(to_line(notice), to_line(error));
    }
    void every_code_has_a_name_of_its_own() {
        std::set<std::string_view> names;
        constexpr int count = static_cast<int>(ErrorCode::bad_argument) + 1;
        for (int code = 0; code < count; ++code) {
            const std::string_view name = name_of(static_cast<ErrorCode>(code));
            QVERIFY(!name.empty() && name != "unknown");
            QVERIFY(names.insert(name).second);
        }
        QVERIFY(name_of(ErrorCode::file_not_found) == "file_not_found");
    }
};

}  // namespace tst_error

ROOFWALK_TEST(tst_error, TestError, NoApplication)
#include "tst_error.moc"
