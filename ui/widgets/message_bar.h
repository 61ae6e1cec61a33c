// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QScrollArea>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/notice.h"

class QLabel;
class QVBoxLayout;

namespace roofwalk {

/// One message: what happened, where, what to do; copied or dismissed by a button each. A button does
/// its action.
class MessageRow : public QFrame {
    Q_OBJECT

  public:
    /// `discards`: with a button to discard what is offered.
    MessageRow(const Notice& notice, int times, bool discards, QWidget* parent = nullptr);

  signals:
    void dismissed();
    void accepted();
    void discard_wanted();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Severity severity_;
};

/// Notices above the chart, the oldest first. A message stays until a person dismisses it; equal
/// ones are counted, and beyond the newest few the rest waits its turn. Where these would take too much of
/// the window they scroll, each as high as the highest of them, by whole messages.
class MessageBar : public QScrollArea {
    Q_OBJECT

  public:
    explicit MessageBar(QWidget* parent = nullptr);

    static constexpr std::size_t most_shown = 3;

    void show_notice(const Notice& notice);
    void show_error(const Error& error);
    void show_warning(const Error& warning);
    /// With a button for the notice's action. `act` returns whether it was done: the message goes then, and
    /// stays otherwise. So does `discard`, of a button beside it.
    void offer(const Notice& notice, std::function<bool()> act, std::function<bool()> discard = {});
    void dismiss_all();
    /// Takes away messages whose cause is gone.
    void withdraw(const std::function<bool(const Notice&)>& is_gone);
    /// Different messages that are not dismissed yet, shown or waiting.
    [[nodiscard]] std::size_t count() const { return messages_.size(); }

    /// As high as the messages are at the width that the bar has, or as those that a share of its window
    /// holds.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Message {
        Notice notice;
        std::function<bool()> act;
        std::function<bool()> discard;
        int times = 1;
    };

    void dismiss(std::size_t index);
    void accept(const Notice& notice, std::function<bool()> Message::*done);
    void rebuild();
    [[nodiscard]] QWidget* make_row(std::size_t index);
    [[nodiscard]] QList<QWidget*> rows() const;
    /// The most that the messages may take [px].
    [[nodiscard]] int most_height() const;
    void fit_rows();
    void show_arrived();
    void keep_rows_whole(int value);

    std::vector<Message> messages_;       ///< oldest first
    std::optional<std::size_t> arrived_;  ///< the oldest of those that came together
    QTimer arrival_;                      ///< until they have all come
    int wanted_ = 0;                      ///< the height that the bar asks for [px]
    int step_ = 0;                        ///< the height of each message where they scroll, else 0 [px]
    int before_ = 0;                      ///< where they were scrolled to [px]
    QVBoxLayout* rows_;
    QWidget* more_;
    QLabel* more_text_;
};

}  // namespace roofwalk
