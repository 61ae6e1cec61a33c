// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/wire/posix_expression.h"
#include "tests/support/folder_tests.h"

#include <re2/re2.h>
#include <regex.h>

#include <QTest>

namespace tst_posix_expression {

using namespace roofwalk;

/// Whether the C library finds `expression` in `text`.
bool finds(const std::string& expression, const char* text) {
    regex_t pattern{};
    if (regcomp(&pattern, expression.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
        qFatal("not taken: %s", expression.c_str());
    const bool found = regexec(&pattern, text, 0, nullptr, 0) == 0;
    regfree(&pattern);
    return found;
}

class TestPosixExpression : public QObject {
    Q_OBJECT

  private slots:
    /// Both libraries on the same names: one dialect, whoever looks.
    void finds_what_RE2_finds() {
        const char* const patterns[] = {"gemm",    "^gemm$",       "gemm|saxpy",   "^(?:gemm|saxpy)",
                                        "ge.*m",   R"(\d+x\d+)",   R"(\Wf)",       R"(saxpy\<float)",
                                        R"(a\.b)", "[^a-z]gemm",   "m{2}",         "s}?",
                                        "a{2",     "m{2,3}?$",     "{a}",          "a{,2}",
                                        "m{3,}",   "x*?y",         "(ns::)+?s",    R"([\d_]+$)",
                                        "[]a]b",   R"(\(float\*)", "[[:digit:]]x", "s{a",
                                        R"(\^)",   R"(\\)",        R"(\S\s\S)",    "",
                                        R"(\D$)",  "g??emm$",      R"(\w{6,})",    R"(\+|\{|\})",
                                        "(a|b)?c", "(?i)GEMM",     "(?i)[^g-m]E",  R"((?i)\w\*$)",
                                        R"(\bs)",  R"(gemm\b)",    R"(\Bemm)",     "é?b",
                                        "gé+m",    "^.$",          "(?i)s{1}AX",   "[[:digit:]-]$"};
        const char* const names[] = {"gemm",
                                     "void gemm_128x64<float>(float*)",
                                     "ns::saxpy<float>",
                                     "a.b",
                                     "axb",
                                     "_ZN4gemmEv_1",
                                     "]b c",
                                     "operator^(int)",
                                     "back\\slash",
                                     "s{a}+",
                                     "mmm",
                                     "gém",
                                     "géém",
                                     "\n",
                                     ""};
        int found = 0;
        for (const char* const pattern : patterns) {
            const re2::RE2 re2(pattern, re2::RE2::Quiet);
            QVERIFY2(re2.ok(), pattern);
            const auto expression = wire::posix_expression(pattern);
            QVERIFY2(expression, pattern);
            for (const char* const name : names) {
                const bool in_re2 = re2::RE2::PartialMatch(name, re2);
                QVERIFY2(finds(*expression, name) == in_re2,
                         qPrintable(QString("%1 in %2").arg(pattern, name)));
                found += in_re2 ? 1 : 0;
            }
        }
        QVERIFY(found > 40);
    }

    /// Each letter alone, which shows a range that none was meant to be.
    void takes_the_letters_between_brackets() {
        for (const char* const members :
             {"[a-]",    "[-a]",     "[A-z]", "[_-z]", "[]a]",  "[^]a]", "[^-a]", "[a-c-x]", "[\\d-x]",
              "[a^]",    "[+^-]",    "[-^]",  "[^^-]", "[]^-]", "[--/]", "[ -~]", "[[=a=]",  "[[.x]",
              "[\\w*-]", "[\\s\\w]", "[[-a]", "[]-a]", "[9-A]", "[^^]",  "[Zz-]"}) {
            for (const std::string flag : {"", "(?i)"}) {
                const std::string pattern = flag + "^" + members + "$";
                const re2::RE2 re2(pattern, re2::RE2::Quiet);
                const auto expression = wire::posix_expression(pattern);
                QVERIFY2(re2.ok() && expression, pattern.c_str());
                for (char letter = 1; letter < 127; ++letter)
                    QVERIFY2(finds(*expression, std::string{letter}.c_str()) ==
                                 re2::RE2::PartialMatch(std::string{letter}, re2),
                             qPrintable(QString("%1: %2").arg(pattern.c_str()).arg(letter)));
            }
        }
    }

    void what_POSIX_lacks_is_not_written() {
        for (const char* const pattern : {"ge(?i)mm", "(?i)[[:alpha:]]", "[é]", R"(\pL)", R"(\x41)",
                                          R"(\Agemm)", R"([\]a])", "(?P<size>a)", R"([\W])", R"([a-\]])"})
            QVERIFY2(!wire::posix_expression(pattern), pattern);
    }
};

}  // namespace tst_posix_expression

ROOFWALK_TEST(tst_posix_expression, TestPosixExpression, NoApplication)
#include "tst_posix_expression.moc"
