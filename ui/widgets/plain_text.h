// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QMessageBox>
#include <QString>
#include <concepts>

class QMenu;

/// Names of kernels, files, devices and programs come from strangers: they are text, never markup. Qt takes
/// what looks like markup in a tooltip, a label or a question for just that, and loads the files that it
/// names; in a menu it takes & for the mark of a key. Whatever a person is shown goes through what stands
/// here, and a test of the house finds what does not.
namespace roofwalk {

/// What a tooltip is given, also by a model, so that it shows `words` as they stand, in lines that wrap.
[[nodiscard]] QString tooltip_text(const QString& words);

/// `object` is for style and tests, `spoken` for who cannot see the widget.
void name_control(QWidget& widget, const QString& object, const QString& spoken);

/// A field whose text cannot be used looks so.
void mark_invalid(QWidget& field, bool invalid);

/// Of a widget; who cannot see it hears the same.
void set_tooltip(QWidget& widget, const QString& text);
/// Of an action, or an item of a list.
template <class Target>
requires(!std::derived_from<Target, QWidget>) void set_tooltip(Target& target, const QString& text) {
    target.setToolTip(tooltip_text(text));
}
/// Of one column of an item of a tree.
template <class Item>
void set_tooltip(Item& item, int column, const QString& text) {
    item.setToolTip(column, tooltip_text(text));
}

/// Shows a tooltip of `widget` now.
void show_tooltip_at(QPoint on_screen, const QString& text, QWidget& widget);

/// What a menu or a button is given so that it shows a name as it stands: & marks no key, and a tab does not
/// begin the column of the keys.
[[nodiscard]] QString menu_text(QString name);
/// A first line that says what a menu is about.
void add_menu_title(QMenu& menu, const QString& title);
/// The words of a menu as a person reads them: "Undo: move a&b" of "&Undo: move a&&b".
[[nodiscard]] QString words_of_menu(const QString& text);

/// A label whose text is no markup. With a buddy, a field that it names, & marks its key, as in other labels.
class PlainLabel : public QLabel {
    Q_OBJECT

  public:
    explicit PlainLabel(QWidget* parent = nullptr) : PlainLabel(QString(), parent) {}
    explicit PlainLabel(const QString& text, QWidget* parent = nullptr, QWidget* buddy = nullptr);
};

/// A question or a message whose words are no markup.
class PlainMessageBox : public QMessageBox {
    Q_OBJECT

  public:
    /// `more` stands below `text`.
    PlainMessageBox(Icon icon, const QString& title, const QString& text, const QString& more,
                    StandardButtons buttons, QWidget* parent);
};

/// From now on no label and no tooltip in the process takes words for markup of its own accord, those of Qt's
/// own dialogs included: what looks like markup is shown as it stands.
void guard_plain_text();

}  // namespace roofwalk
