// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/base/sentences.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_sentences {

using namespace roofwalk;

class TestSentences : public QObject {
    Q_OBJECT

  private slots:
    void words_hold_a_letter_or_a_digit() {
        QCOMPARE(count_words("FP32 at 1.50 % of 19.5 TFLOP/s – (usual)"), std::size_t{7});
        QCOMPARE(count_words(""), std::size_t{0});
    }
    void a_long_sentence_ends_at_its_semicolons() {
        const std::string ten = "one two three four five six seven eight nine ten";
        QCOMPARE(short_sentences(ten + "; " + ten + "."), ten + "; " + ten + ".");
        QCOMPARE(short_sentences(ten + "; " + ten + "; " + ten + "."),
                 ten + "; " + ten + ". One" + ten.substr(3) + ".");
        QCOMPARE(short_sentences(ten + ": " + ten + "; " + ten + "."),
                 ten + ": " + ten + ". One" + ten.substr(3) + ".");
        QCOMPARE(short_sentences(ten + "; " + ten + ": " + ten + "."),
                 ten + ". One" + ten.substr(3) + ": " + ten + ".");
        QCOMPARE(short_sentences(ten + " (" + ten + "; " + ten + ")."), ten + " (" + ten + "; " + ten + ").");
    }
};

}  // namespace tst_sentences

ROOFWALK_TEST(tst_sentences, TestSentences, NoApplication)
#include "tst_sentences.moc"
