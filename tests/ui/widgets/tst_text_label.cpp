// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/text_label.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QTest>

namespace tst_text_label {

using namespace roofwalk;

class TestTextLabel : public QObject {
    Q_OBJECT

  private slots:
    void a_word_of_any_length_wraps() {
        for (const QString& word :
             {QString(500, 'x'), QStringLiteral("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"),
              QStringLiteral("thrust::detail::wrapped_function<cub::Tuple<float,float>,void>::apply()")}) {
            const TextLabel label(word);
            QVERIFY2(label.minimumSizeHint().width() < 250, qPrintable(word));
            QCOMPARE(label.accessibleName(), word);
        }
    }
    void a_word_that_has_the_room_it_asks_for_is_not_elided() {
        for (const char* word : {"launch", "ridge", "step", "memory", "largest batch", "tokens/s by batch"})
            for (const Qt::TextElideMode mode : {Qt::ElideMiddle, Qt::ElideRight})
                for (const double size : {8.0, 9.0, 9.5, 10.0, 11.3}) {
                    ElidedLabel label(word, mode);
                    QFont font = label.font();
                    font.setPointSizeF(size);
                    label.setFont(font);
                    label.resize(label.sizeHint());
                    label.show();
                    QCOMPARE(label.text(), QString(word));
                    label.resize(label.sizeHint() - QSize(8, 0));
                    QVERIFY2(label.text() != QString(word), word);
                }
    }
    void short_words_stay_whole() {
        const QString text = QStringLiteral("HBM-bound: 3.4x below the HBM roof and 2 of 3 rows");
        QCOMPARE(TextLabel(text).text(), text);
    }
    void a_figure_and_its_unit_stand_on_one_line() {
        const QString text = QStringLiteral("29 % of 1.94 TB/s, 2 kernels of 3 sizes");
        QCOMPARE(TextLabel(text).text(),
                 QStringLiteral("29\u00a0% of 1.94\u00a0TB/\u2060s, 2 kernels of 3 sizes"));
        QCOMPARE(TextLabel(text).accessibleName(), text);
    }
    void no_line_begins_with_punctuation() {
        for (const char* words :
             {"may not read them (ERR_NVGPUCTRPERM). File", "L2 traffic (l2/sm-sectors_of_all), SMEM",
              "of a_name_that_is_long_enough_to_break: why"}) {
            const QString marked = TextLabel(words).text();
            for (const char* end : {").", "),", ".", ",", ":"})
                QVERIFY2(!marked.contains(QChar(0x200b) + QString(end) + u' '), qPrintable(marked));
        }
    }
    void what_is_copied_has_no_marks() {
        const QString name = QString(80, 'x') + QStringLiteral(" 29 % of 1.94 TB/s");
        TextLabel label(name);
        label.show();
        QVERIFY(QTest::qWaitForWindowExposed(&label));
        label.setSelection(0, static_cast<int>(label.text().size()));
        QTest::keySequence(&label, QKeySequence::Copy);
        QCOMPARE(QGuiApplication::clipboard()->text(), name);
    }
};

}  // namespace tst_text_label

ROOFWALK_TEST(tst_text_label, TestTextLabel, QApplication)
#include "tst_text_label.moc"
