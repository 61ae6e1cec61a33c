// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/base/sentences.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_sentences {

using namespace roofwalk;

std::string sentences_of(const std::string& text) {
    return short_sentences(text).text();
}

class TestSentences : public QObject {
    Q_OBJECT

  private slots:
    void words_hold_a_letter_or_a_digit() {
        QCOMPARE(count_words("FP32 at 1.50 % of 19.5 TFLOP/s – (usual)"), std::size_t{7});
        QCOMPARE(count_words(""), std::size_t{0});
    }
    void the_first_sentence_is_the_headline() {
        const Sentences two = short_sentences("At (1.5. x) of it. More. And more");
        QCOMPARE(two.first, std::string("At (1.5. x) of it."));
        QCOMPARE(two.rest, std::string("More. And more"));
        Sentences one = short_sentences("All of it.");
        QCOMPARE(one.first, std::string("All of it."));
        QVERIFY(one.rest.empty());
        one.add(" More.");
        one.add("");
        QCOMPARE(one.text(), std::string("All of it. More."));
    }
    void a_long_sentence_ends_at_its_semicolons() {
        const std::string ten = "one two three four five six seven eight nine ten";
        QCOMPARE(sentences_of(ten + "; " + ten + "."), ten + "; " + ten + ".");
        QCOMPARE(sentences_of(ten + "; " + ten + "; " + ten + "."),
                 ten + "; " + ten + ". One" + ten.substr(3) + ".");
        QCOMPARE(sentences_of(ten + ": " + ten + "; " + ten + "."),
                 ten + ": " + ten + ". One" + ten.substr(3) + ".");
        QCOMPARE(sentences_of(ten + "; " + ten + ": " + ten + "."),
                 ten + ". One" + ten.substr(3) + ": " + ten + ".");
        QCOMPARE(short_sentences(ten + "; " + ten + "; " + ten + ".", ClauseStart::name).text(),
                 ten + "; " + ten + ". " + ten + ".");
        QCOMPARE(sentences_of(ten + " (" + ten + "; " + ten + ")."), ten + " (" + ten + "; " + ten + ").");
    }
};

}  // namespace tst_sentences

ROOFWALK_TEST(tst_sentences, TestSentences, NoApplication)
#include "tst_sentences.moc"
