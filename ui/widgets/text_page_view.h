// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QPointer>
#include <QScrollArea>
#include <QSet>

#include "core/report/text_page.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace roofwalk {

/// Whether a panel stands in its window: a dock behind another tab is visible to Qt, outside of it.
[[nodiscard]] bool is_seen(const QWidget& panel);

/// A small table as labels that a person can select and a screen reader can read.
[[nodiscard]] QWidget* make_fact_grid(const FactTable& table, QWidget* parent);

/// A page of blocks, from top to bottom. Texts may come from files of strangers: they are never read as
/// markup.
class TextPageView : public QScrollArea {
    Q_OBJECT

  public:
    explicit TextPageView(const QString& name, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

    /// Goes to the line to type in; false on a page without one.
    bool focus_input();
    /// Says below the line why nothing was done with what was typed.
    void show_input_fault(const QString& fault);

  signals:
    /// A person chose an action of the page.
    void action_requested(const QString& action);
    /// A person typed it into the line and pressed Enter.
    void text_entered(const QString& text);

  protected:
    /// `sign` stands before the title. A page on what the page before it was about is shown from where the
    /// reader was.
    void show_page(const TextPage& page, const QPixmap& sign = {});

  private:
    void add(const TextBlock& block, const QPixmap& sign);
    void add_title(const QString& text, const QPixmap& sign);
    void add_heading(const QString& text);
    void add_faint(const QString& text);
    void add_input(const TextBlock& block);
    void add_copy_button(const QString& name, const QString& text, const QString& copied);
    /// A heading that opens and closes what stands below it, which is made when it is first seen.
    void add_fold(std::vector<TextBlock> blocks);
    [[nodiscard]] QPushButton* add_button(const QString& name, const QString& text);
    QLabel* add_label(const QString& text);

    std::string subject_;
    QSet<QString> unfolded_;  ///< ids of folds, on this page and later ones
    QVBoxLayout* column_ = nullptr;
    QWidget* content_ = nullptr;
    QPointer<QLineEdit> input_;  ///< of the page, if it has one
};

}  // namespace roofwalk
