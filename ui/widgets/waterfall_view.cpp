// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/waterfall_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/chart/scene/palette.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/theme.h"

namespace roofwalk {

namespace {

constexpr int margin = 10;
constexpr int gap = 8;
constexpr int line_padding = 8;
constexpr double bar_share = 0.62;   // of the height of a line
constexpr double least_share = 0.3;  // of the bars, of what titles and bars have together
constexpr double least_bar = 2;      // a gain too small to see is still a gain
constexpr int least_plot = 60;
constexpr int usual_plot = 160;
constexpr int most_title = 220;
constexpr std::size_t longest_name = 24;
constexpr std::size_t shortest_name = 12;  // which still tells kernels apart
constexpr std::size_t measured_colour = 0;
constexpr std::size_t gain_colour = 2;
constexpr std::size_t loss_colour = 1;

QColor colour_of(const WaterfallBar& bar) {
    const std::size_t category = !bar.is_step()      ? measured_colour
                                 : bar.to > bar.from ? loss_colour
                                                     : gain_colour;
    return to_qt(categorical_colour(category, current_theme()));
}

}  // namespace

WaterfallView::WaterfallView(QWidget* parent) : QWidget(parent) {
    name_control(*this, "waterfall", tr("Waterfall: time of the program after each move"));
}

void WaterfallView::set_bars(std::vector<WaterfallBar> bars) {
    ensurePolished();  // measured in the letters that are drawn
    bars_ = std::move(bars);
    std::vector<std::string_view> kernels;
    for (const WaterfallBar& bar : bars_)
        if (bar.is_step()) kernels.emplace_back(bar.kernel);
    names_ = SimilarNames(std::move(kernels));
    const auto width_of = [letters = QFontMetricsF(font())](const std::string& words) {
        return static_cast<int>(std::ceil(letters.horizontalAdvance(to_qt(words)))) + 1;
    };
    amount_width_ = 0;
    title_width_ = 0;
    for (const WaterfallBar& bar : bars_) {
        amount_width_ = std::max(amount_width_, width_of(amount_words(bar)));
        title_width_ = std::max(title_width_, width_of(bar_label(bar, names_, longest_name)));
    }
    setAccessibleDescription(to_qt(waterfall_words(bars_)));
    updateGeometry();
    update();
}

int WaterfallView::line_height() const {
    return fontMetrics().height() + line_padding;
}

int WaterfallView::height_of(int bars) const {
    return 2 * margin + bars * line_height();
}

QSize WaterfallView::sizeHint() const {
    const int words = std::min(title_width_, most_title) + amount_width_;
    return {2 * margin + 2 * gap + words + usual_plot, height_of(static_cast<int>(bars_.size()))};
}

QSize WaterfallView::minimumSizeHint() const {
    return {2 * margin + 2 * gap + amount_width_ + 2 * least_plot, sizeHint().height()};
}

QRectF WaterfallView::plot() const {
    const double right = width() - margin - amount_width_ - gap;
    const double room = right - margin - gap;
    const double title =
        std::min<double>(title_width_, room - std::max<double>(least_plot, least_share * room));
    const double left = margin + std::max(title, 0.0) + gap;
    return {left, margin, std::max(right - left, 1.0), static_cast<double>(bars_.size()) * line_height()};
}

QRectF WaterfallView::bar_area(std::size_t bar) const {
    double longest = 0;
    for (const WaterfallBar& each : bars_)
        longest = std::max({longest, each.from.value(), each.to.value()});
    const QRectF area = plot();
    const auto x = [&](Seconds time) {
        return area.left() + (longest > 0 ? time.value() / longest * area.width() : 0);
    };
    const auto [lo, hi] = std::minmax(bars_[bar].from, bars_[bar].to);
    const double height = bar_share * line_height();
    const double top = area.top() + static_cast<double>(bar) * line_height() + (line_height() - height) / 2;
    return {x(lo), top, std::max(x(hi) - x(lo), least_bar), height};
}

QString WaterfallView::title_in(double room, const WaterfallBar& bar) const {
    QString title;
    for (std::size_t chars = longest_name; chars >= shortest_name; --chars) {
        title = to_qt(bar_label(bar, names_, chars));
        if (fontMetrics().horizontalAdvance(title) <= room) break;
    }
    return fontMetrics().elidedText(title, Qt::ElideRight, static_cast<int>(room));
}

void WaterfallView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (bars_.empty()) return;
    for (std::size_t bar = 0; bar < bars_.size(); ++bar)
        paint_bar(painter, bar);
}

void WaterfallView::paint_bar(QPainter& painter, std::size_t bar) const {
    const WaterfallBar& shown = bars_[bar];
    const QRectF area = bar_area(bar);
    painter.fillRect(area, colour_of(shown));
    painter.setPen(palette().color(QPalette::Mid));
    if (bar + 1 < bars_.size()) {  // from where this one ends to the next
        const QRectF next = bar_area(bar + 1);
        const double x = shown.to < shown.from ? area.left() : area.right();
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, next.top()));
    }
    const double line = plot().top() + static_cast<double>(bar) * line_height();
    const QRectF title(margin, line, plot().left() - gap - margin, line_height());
    const QRectF amount(width() - margin - amount_width_, line, amount_width_, line_height());
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(title, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     title_in(title.width(), shown));
    painter.drawText(amount, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine,
                     to_qt(amount_words(shown)));
}

bool WaterfallView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int line = (help->pos().y() - margin) / line_height();
    if (help->pos().y() < margin || line >= static_cast<int>(bars_.size())) {
        QToolTip::hideText();
        return true;
    }
    const std::vector<WaterfallBar> one{bars_[static_cast<std::size_t>(line)]};
    show_tooltip_at(help->globalPos(), to_qt(waterfall_words(one)), *this);
    return true;
}

}  // namespace roofwalk
