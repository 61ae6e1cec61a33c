// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/scenario/move_words.h"

namespace roofwalk {

/// The time of a program before and after a scenario, with a step for each move: one bar under the other.
class WaterfallView : public QWidget {
    Q_OBJECT

  public:
    explicit WaterfallView(QWidget* parent = nullptr);

    void set_bars(std::vector<WaterfallBar> bars);
    [[nodiscard]] const std::vector<WaterfallBar>& bars() const { return bars_; }
    /// The height that so many bars need.
    [[nodiscard]] int height_of(int bars) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    [[nodiscard]] int line_height() const;
    /// Where the bars stand; beside them their titles and amounts.
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QRectF bar_area(std::size_t bar) const;
    void paint_bar(QPainter& painter, std::size_t bar) const;
    /// Its label in so much room: of a kernel's name as much as fits.
    [[nodiscard]] QString title_in(double room, const WaterfallBar& bar) const;

    std::vector<WaterfallBar> bars_;
    SimilarNames names_;  // of bars_
    int amount_width_ = 0;
    int title_width_ = 0;  // of the longest
};

}  // namespace roofwalk
