// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"
#include "ui/record/program_output.h"

#include <QTest>

namespace tst_program_output {

using namespace roofwalk;

namespace {

QString shown(const QList<QByteArray>& pieces) {
    ProgramOutput output;
    for (const QByteArray& piece : pieces)
        output.add(piece);
    return output.toPlainText();
}

}  // namespace

class TestProgramOutput : public QObject {
    Q_OBJECT

  private slots:
    void text_is_shown_as_it_comes() {
        QCOMPARE(shown({"one\ntw", "o\nthree"}), QString("one\ntwo\nthree"));
        QCOMPARE(shown({"windows\r\nlines\r", "\nend"}), QString("windows\nlines\nend"));
        QCOMPARE(shown({}), QString());
    }
    void a_letter_cut_in_two_is_one_letter() {
        QCOMPARE(shown({"5 \xC2", "\xB5s"}), QString::fromUtf8("5 µs"));
    }
    void colours_and_titles_are_left_out_even_when_cut() {
        QCOMPARE(shown({"\x1b[1;31mred\x1b[0m \x1b]0;title\x07plain"}), QString("red plain"));
        QCOMPARE(shown({"a\x1b[1;3", "1mb"}), QString("ab"));
    }
    void a_progress_line_stands_in_its_last_state() {
        QCOMPARE(shown({"step 1\rstep 2\r", "step 3\ndone"}), QString("step 3\ndone"));
    }
    void markup_is_no_markup() { QCOMPARE(shown({"<b>bold</b> &amp;"}), QString("<b>bold</b> &amp;")); }
    void old_lines_give_way() {
        QByteArray many;
        for (int i = 0; i < 10'100; ++i)
            many += QByteArray::number(i) + '\n';
        const QString text = shown({many});
        QVERIFY(!text.startsWith("0\n"));
        QVERIFY(text.contains("\n10099\n"));
    }
    void a_new_program_begins_with_an_empty_page() {
        ProgramOutput output;
        output.add("first\x1b[");
        output.begin_anew();
        output.add("second");
        QCOMPARE(output.toPlainText(), QString("second"));
    }
};

}  // namespace tst_program_output

ROOFWALK_TEST(tst_program_output, TestProgramOutput, QApplication)
#include "tst_program_output.moc"
