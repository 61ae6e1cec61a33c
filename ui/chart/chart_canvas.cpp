// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_canvas.h"

#include <qcustomplot.h>

#include <QSharedPointer>

#include "core/chart/layout/log_axis.h"
#include "ui/chart/chart_frame.h"
#include "ui/chart/chart_theme.h"

namespace roofwalk {

namespace {

class LogTicker : public QCPAxisTicker {
  public:
    LogTicker(const QCPAxis& axis, TickLabels labels) : axis_(axis), labels_(labels) {}

    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                  QVector<double>* sub_ticks, QVector<QString>* tick_labels) override {
        ticks.clear();
        if (sub_ticks) sub_ticks->clear();
        if (tick_labels) tick_labels->clear();
        const QSize size = axis_.axisRect()->size();
        const int pixels = axis_.orientation() == Qt::Horizontal ? size.width() : size.height();
        for (const Tick& tick : log_ticks({range.lower, range.upper}, pixels, labels_)) {
            if (tick.major) {
                ticks.append(tick.value);
                if (tick_labels) tick_labels->append(to_qt(tick.label));
            } else if (sub_ticks) {
                sub_ticks->append(tick.value);
            }
        }
    }

  private:
    const QCPAxis& axis_;
    TickLabels labels_;
};

/// Gives an axis the ticks of log_ticks(): decades in plain or SI numbers, finer steps when zoomed in.
QSharedPointer<QCPAxisTicker> make_log_ticker(const QCPAxis& axis, TickLabels labels) {
    return QSharedPointer<QCPAxisTicker>(new LogTicker(axis, labels));
}

/// A layerable that asks the content to paint.
class ContentLayer : public QCPLayerable {
  public:
    using Paint = void (CanvasContent::*)(QPainter&, const View&);

    ContentLayer(QCustomPlot* plot, const QString& layer, const ChartCanvas& canvas, CanvasContent& content,
                 Paint paint, bool clipped)
        : QCPLayerable(plot, layer), canvas_(canvas), content_(content), paint_(paint), clipped_(clipped) {}

  protected:
    QRect clipRect() const override {
        const RectF frame = canvas_.view().frame();
        return clipped_ ? to_qt(frame).toAlignedRect() : mParentPlot->viewport();
    }
    // Not QCPPainter::setAntialiasing(), which would move everything by half a pixel.
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override {
        painter->setRenderHint(QPainter::Antialiasing);
    }
    void draw(QCPPainter* painter) override { (content_.*paint_)(*painter, canvas_.view()); }

  private:
    const ChartCanvas& canvas_;
    CanvasContent& content_;
    Paint paint_;
    bool clipped_;
};

void prepare(QCPAxis& axis, TickLabels labels) {
    axis.setScaleType(QCPAxis::stLogarithmic);
    axis.setTicker(make_log_ticker(axis, labels));
    axis.setTickLabelFont(chart_font(tick_label_size));
    axis.setLabelFont(chart_font(axis_title_size));
    axis.setTickLabelPadding(tick_label_gap);
    axis.setLabelPadding(axis_title_gap);
    axis.setTickLength(0, tick_length);
    axis.setSubTickLength(0, minor_tick_length);
    axis.grid()->setSubGridVisible(true);
    axis.grid()->setAntialiased(false);
    axis.grid()->setZeroLinePen(Qt::NoPen);
}

void paint_axis(QCPAxis& axis, const Palette& palette) {
    axis.setBasePen(to_qt(palette.axis));
    axis.setTickPen(to_qt(palette.axis));
    axis.setSubTickPen(to_qt(palette.axis));
    axis.setTickLabelColor(to_qt(palette.text));
    axis.setLabelColor(to_qt(palette.text));
    axis.grid()->setPen(to_qt(palette.grid));
    axis.grid()->setSubGridPen(to_qt(palette.minor_grid));
}

}  // namespace

/// Makes its picture when it is painted, and paints the overlay over it each time. QCustomPlot would make a
/// picture at each resize, and a window that opens resizes its chart several times before anything is seen;
/// an overlay of its own would be a second picture as large as the chart.
class ChartCanvas::Plot : public QCustomPlot {
  public:
    Plot(QWidget* parent, const ChartCanvas& canvas, CanvasContent& content)
        : QCustomPlot(parent), canvas_(canvas), content_(content) {}

    void make_anew_when_painted() {
        stale_ = true;
        update();
    }

  protected:
    void resizeEvent(QResizeEvent* /*event*/) override {
        setViewport(rect());
        make_anew_when_painted();
    }

    void paintEvent(QPaintEvent* event) override {
        // QCustomPlot reads the ratio only once; a window may move to another screen.
        if (!qFuzzyCompare(bufferDevicePixelRatio(), devicePixelRatioF())) {
            setBufferDevicePixelRatio(devicePixelRatioF());
            stale_ = true;
        }
        if (stale_) {
            stale_ = false;
            setAttribute(Qt::WA_UpdatesDisabled);  // replot() asks for the paint event that this one is
            replot(rpQueuedRefresh);
            setAttribute(Qt::WA_UpdatesDisabled, false);
        }
        QCustomPlot::paintEvent(event);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        content_.paint_overlay(painter, canvas_.view());
    }

  private:
    const ChartCanvas& canvas_;
    CanvasContent& content_;
    bool stale_ = true;
};

ChartCanvas::ChartCanvas(QWidget& parent, CanvasContent& content)
    : plot_(new Plot(&parent, *this, content)), margins_(chart_margins()) {
    plot_->setAttribute(Qt::WA_TransparentForMouseEvents);
    plot_->setFocusPolicy(Qt::NoFocus);
    plot_->setNoAntialiasingOnDrag(false);
    plot_->layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);  // no buffer for what Plot paints
    plot_->addLayer(QStringLiteral("behind"), plot_->layer(QStringLiteral("grid")), QCustomPlot::limBelow);
    plot_->addLayer(QStringLiteral("margins"), plot_->layer(QStringLiteral("axes")), QCustomPlot::limAbove);

    plot_->axisRect()->setAutoMargins(QCP::msNone);
    plot_->axisRect()->setMargins(margins_);
    prepare(*plot_->xAxis, TickLabels::plain);
    prepare(*plot_->yAxis, TickLabels::si);

    using Content = CanvasContent;
    new ContentLayer(plot_, QStringLiteral("behind"), *this, content, &Content::paint_behind_grid, true);
    new ContentLayer(plot_, QStringLiteral("main"), *this, content, &Content::paint_plot, true);
    new ContentLayer(plot_, QStringLiteral("margins"), *this, content, &Content::paint_margins, false);
}

QWidget& ChartCanvas::widget() {
    return *plot_;
}

View ChartCanvas::view() const {
    const QRect plot = plot_->rect().marginsRemoved(margins_ + QMargins(0, 0, beside_, below_));
    const QCPRange x = plot_->xAxis->range();
    const QCPRange y = plot_->yAxis->range();
    // QCustomPlot puts the lower end of a vertical axis on the last row of pixels, not below it.
    return {{static_cast<double>(plot.x()), plot.y() - 1.0, std::max(1.0, static_cast<double>(plot.width())),
             std::max(1.0, static_cast<double>(plot.height()))},
            {x.lower, x.upper},
            {y.lower, y.upper},
            static_cast<double>(below_),
            static_cast<double>(beside_)};
}

void ChartCanvas::set_bands(const Scene& scene) {
    const View needed = view_in({}, scene);
    below_ = static_cast<int>(needed.below);
    beside_ = static_cast<int>(needed.beside);
    plot_->axisRect()->setMargins(margins_ + QMargins(0, 0, beside_, below_));
    plot_->xAxis->setOffset(below_);
}

void ChartCanvas::set_caption_lines(std::size_t lines) {
    margins_ = chart_margins(lines);
    plot_->axisRect()->setMargins(margins_ + QMargins(0, 0, beside_, below_));
}

void ChartCanvas::set_ranges(Range x, Range y) {
    plot_->xAxis->setRange(x.lo, x.hi);
    plot_->yAxis->setRange(y.lo, y.hi);
}

void ChartCanvas::set_titles(const QString& x, const QString& y) {
    plot_->xAxis->setLabel(x);
    plot_->yAxis->setLabel(y);
}

void ChartCanvas::set_palette(const Palette& palette) {
    plot_->setBackground(QBrush(to_qt(palette.background)));
    plot_->axisRect()->setBackground(QBrush(to_qt(palette.plot)));
    paint_axis(*plot_->xAxis, palette);
    paint_axis(*plot_->yAxis, palette);
}

void ChartCanvas::repaint_later() {
    plot_->make_anew_when_painted();
}

void ChartCanvas::repaint_overlay() {
    plot_->update();
}

}  // namespace roofwalk
