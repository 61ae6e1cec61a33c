// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"
#include "ui/widgets/waterfall_view.h"

#include <QTest>

#include "core/chart/scene/palette.h"
#include "ui/widgets/theme.h"

namespace tst_waterfall_view {

using namespace roofwalk;

namespace {

const QSize size(600, 120);

/// 10 ms, a step to 4 ms, one back to 6 ms, and what is left.
std::vector<WaterfallBar> bars() {
    return {{"as measured", {}, {}, Seconds(10e-3)},
            {"a name that is much longer than the room there is for it, by far and on purpose", "kernel",
             Seconds(10e-3), Seconds(4e-3)},
            {"by hand", "<b>kernel</b>", Seconds(4e-3), Seconds(6e-3)},
            {"after 2 moves", {}, {}, Seconds(6e-3)}};
}

struct Span {
    int left = -1;
    int right = -1;

    [[nodiscard]] int width() const { return left < 0 ? 0 : right - left + 1; }
};

/// Where a colour stands in the line of a bar.
Span span_of(const QImage& image, std::size_t bar, QColor colour) {
    const int line = (image.height() - 20) / 4;
    const int y = 10 + static_cast<int>(bar) * line + line / 2;
    Span span;
    for (int x = 0; x < image.width(); ++x) {
        if (image.pixelColor(x, y) != colour) continue;
        if (span.left < 0) span.left = x;
        span.right = x;
    }
    return span;
}

QImage picture() {
    WaterfallView view;
    view.set_bars(bars());
    view.resize(size.width(), view.sizeHint().height());
    return view.grab().toImage();
}

QColor category(std::size_t index, Theme theme) {
    return to_qt(categorical_colour(index, theme));
}

}  // namespace

class TestWaterfallView : public QObject {
    Q_OBJECT

  private slots:
    void bars_stand_where_their_times_are() {
        for (const Theme theme : {Theme::light, Theme::dark}) {
            apply_theme(*qApp, theme);
            const QImage image = picture();
            const Span whole = span_of(image, 0, category(0, theme));
            const Span gain = span_of(image, 1, category(2, theme));
            const Span loss = span_of(image, 2, category(1, theme));
            const Span left = span_of(image, 3, category(0, theme));
            QVERIFY(whole.width() > 100);
            QVERIFY(std::abs(gain.width() - 0.6 * whole.width()) <= 2);
            QVERIFY(std::abs(gain.right - whole.right) <= 1);
            QVERIFY(std::abs(loss.left - gain.left) <= 1);
            QVERIFY(std::abs(loss.width() - 0.2 * whole.width()) <= 2);
            QVERIFY(std::abs(left.width() - 0.6 * whole.width()) <= 2);
            QCOMPARE(left.left, whole.left);
        }
    }

    void titles_are_whole_where_bars_have_their_least_width() {
        apply_theme(*qApp, Theme::light);
        WaterfallView view;
        std::vector<WaterfallBar> few = bars();
        few[1].title = "Tile it";
        view.set_bars(few);
        int titles = 0;
        for (const WaterfallBar& bar : few)
            titles = std::max(
                titles, view.fontMetrics().horizontalAdvance(QString::fromStdString(bar_label(bar, {}, 24))));
        const auto words_at = [&](int width) {
            view.resize(width, view.sizeHint().height());
            return view.grab(QRect(0, 0, 10 + titles, view.height())).toImage();
        };
        const QImage whole = words_at(1200);
        QCOMPARE(words_at(view.sizeHint().width()), whole);
        QCOMPARE(words_at(view.sizeHint().width() - 60), whole);
        QVERIFY(words_at(view.minimumSizeHint().width()) != whole);
    }

    void the_numbers_can_be_read_aloud() {
        WaterfallView view;
        view.set_bars(bars());
        QVERIFY(!view.accessibleName().isEmpty());
        for (const char* part : {"as measured: 10.0 ms", "−6.00 ms → 4.00 ms", "+2.00 ms → 6.00 ms"})
            QVERIFY2(view.accessibleDescription().contains(part), qPrintable(view.accessibleDescription()));
    }

    void a_gain_too_small_to_see_still_has_a_bar() {
        apply_theme(*qApp, Theme::light);
        WaterfallView view;
        std::vector<WaterfallBar> small = bars();
        small[1].to = Seconds(9.9999e-3);
        view.set_bars(small);
        view.resize(size.width(), view.sizeHint().height());
        QVERIFY(span_of(view.grab().toImage(), 1, category(2, Theme::light)).width() >= 1);
    }
};

}  // namespace tst_waterfall_view

ROOFWALK_TEST(tst_waterfall_view, TestWaterfallView, QApplication)
#include "tst_waterfall_view.moc"
