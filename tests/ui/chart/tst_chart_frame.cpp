// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontMetricsF>
#include <QTest>

#include "tests/support/folder_tests.h"
#include "ui/chart/chart_frame.h"
#include "ui/chart/chart_theme.h"

namespace tst_chart_frame {

using namespace roofwalk;

class TestChartFrame : public QObject {
    Q_OBJECT

  private slots:
    void every_line_of_the_caption_fits_between_title_and_edge() {
        const QMargins margins = chart_margins(caption_lines_shown);
        const RectF plot{100, 50, 400, 300};
        const double bottom = plot.bottom() + margins.bottom();
        const auto height = [](double size) { return QFontMetricsF(chart_font(size)).height(); };
        double above = plot.bottom() + tick_length + tick_label_gap + height(tick_label_size) +
                       axis_title_gap + height(axis_title_size);
        const QFontMetricsF caption(chart_font(caption_size));
        for (std::size_t line = 0; line < caption_lines_shown; ++line) {
            const double baseline = caption_start(plot, line).y;
            QVERIFY(baseline - caption.ascent() >= above - 0.01);
            above = baseline + caption.descent();
        }
        QVERIFY(above <= bottom);
    }

    void labels_and_titles_fit_beside_the_plot() {
        const QMargins margins = chart_margins();
        const QFontMetricsF labels(chart_font(tick_label_size));
        const double width = labels.horizontalAdvance(QStringLiteral("100 G"));
        QVERIFY(margins.left() >= tick_length + tick_label_gap + width + axis_title_gap +
                                      QFontMetricsF(chart_font(axis_title_size)).height());
        QVERIFY(margins.right() >= width / 2);
        QVERIFY(margins.top() >= labels.height() / 2);
    }
};

}  // namespace tst_chart_frame

ROOFWALK_TEST(tst_chart_frame, TestChartFrame, QApplication)
#include "tst_chart_frame.moc"
