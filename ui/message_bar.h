// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <functional>
#include <vector>

#include "core/error.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace roofwalk {

/// Errors and warnings above the chart. A message stays until a person dismisses it; equal ones are counted,
/// and beyond a few the rest waits its turn. Where the window is too small for all of them they scroll.
class MessageBar : public QScrollArea {
    Q_OBJECT

  public:
    enum class Severity : std::uint8_t { warning, error };

    explicit MessageBar(QWidget* parent = nullptr);

    static constexpr std::size_t most_shown = 3;

    /// What a person can do about a message, by a button beside it.
    struct Offer {
        QString text;
        std::function<bool()> act;  ///< whether it was done: the message goes then, and stays otherwise
    };

    void show_message(Severity severity, const Error& message, const Offer& offer = {});
    void dismiss_all();
    /// Different messages that are not dismissed yet, shown or waiting.
    [[nodiscard]] std::size_t count() const { return messages_.size(); }

    /// As high as the messages are at the width that the bar has.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Message {
        Severity severity = Severity::error;
        Error error;
        Offer offer;
        int times = 1;
    };

    void dismiss(std::size_t index);
    void accept(const Error& error);
    void rebuild();
    [[nodiscard]] QWidget* make_row(std::size_t index);

    std::vector<Message> messages_;  ///< oldest first
    QVBoxLayout* rows_;
    QWidget* more_;
    QLabel* more_text_;
};

}  // namespace roofwalk
