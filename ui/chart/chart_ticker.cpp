// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_ticker.h"

#include <qcustomplot.h>

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

}  // namespace

QSharedPointer<QCPAxisTicker> make_log_ticker(const QCPAxis& axis, TickLabels labels) {
    return QSharedPointer<QCPAxisTicker>(new LogTicker(axis, labels));
}

}  // namespace roofwalk
