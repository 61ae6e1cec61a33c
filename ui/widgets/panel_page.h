// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QScrollArea>

#include "ui/widgets/fact_table.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace roofwalk {

/// Whether a panel stands in its window: a dock behind another tab is visible to Qt, outside of it.
[[nodiscard]] bool is_seen(const QWidget& panel);

/// A scrolling page of headings, sentences and small tables, filled from top to bottom. Texts may come from
/// files of strangers: they are never read as markup.
class PanelPage : public QScrollArea {
    Q_OBJECT

  public:
    explicit PanelPage(const QString& name, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

    /// Begins an empty page; call before the first part.
    void clear();
    /// The first line of the page, larger than the rest; `sign` stands before it.
    void add_title(const QString& text, const QPixmap& sign = {});
    /// A heading with a line above it, over parts that have headings of their own.
    void add_section(const QString& text);
    void add_heading(const QString& text);
    void add_text(const QString& text);
    void add_faint_text(const QString& text);
    void add_table(const FactTable& table);
    /// A command line with a button that copies it.
    void add_command(const QString& command);
    /// A button of the page; the caller connects it.
    [[nodiscard]] QPushButton* add_button(const QString& name, const QString& text);
    /// Ends the page; call once after the last part.
    void finish();

  private:
    QLabel* add_label(const QString& text);

    QVBoxLayout* column_ = nullptr;
    QWidget* content_ = nullptr;
};

}  // namespace roofwalk
