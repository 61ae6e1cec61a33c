// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QActionGroup>
#include <QMenu>

namespace roofwalk {

/// A menu that shows the tooltips of its entries beside or below itself, where they cover none.
class TippedMenu : public QMenu {
  public:
    TippedMenu(const QString& title, const QString& object_name, QWidget* parent);

  protected:
    bool event(QEvent* event) override;
};

/// A menu of which one entry is chosen, or none where what is set is not among them.
class ChoiceMenu : public QMenu {
    Q_OBJECT

  public:
    ChoiceMenu(const QString& title, const QString& object_name, QWidget* parent);

    void add_choice(const QString& text, int value, const char* object_name);
    /// Marks without telling anybody.
    void set_current(int value);
    [[nodiscard]] QString current_text() const;

  signals:
    /// A person chose.
    void chosen(int value);
    /// Another entry is marked, by whomever.
    void current_changed();

  private:
    QActionGroup* group_;
};

}  // namespace roofwalk
