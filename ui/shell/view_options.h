// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <utility>
#include <vector>

#include "core/model/memory_level.h"

class QAction;
class QMenu;
class QToolBar;
class QToolButton;
class QWidget;

namespace roofwalk {

class ChoiceMenu;
class Document;
struct SceneOptions;

/// Whether a level that nobody asked for is shown because it binds a kernel; only L1 can be one.
[[nodiscard]] bool is_shown_unasked(const Document& document, MemoryLevel level);

/// The switches for how the document is looked at, in the View menu and on the toolbar. Follows the document
/// and changes it.
class ViewOptions : public QObject {
    Q_OBJECT

  public:
    ViewOptions(Document& document, QWidget* parent);

    void add_to(QMenu& menu);
    void add_to(QToolBar& toolbar);

    /// One switch for each memory level, in the order of MemoryLevel.
    [[nodiscard]] const QList<QAction*>& levels() const { return levels_; }

  private:
    template <class Options, class Value>
    [[nodiscard]] ChoiceMenu* make_menu(const QString& title, const char* name, Value Options::*member);
    void make_levels();
    void make_switch(const char* name, const QString& text, bool SceneOptions::*member,
                     const QString& tooltip = {});
    void show_document();
    void show_levels();
    [[nodiscard]] QToolButton* make_button(ChoiceMenu* menu, const QString& caption, QToolBar& toolbar);

    Document& document_;
    QWidget* parent_;
    ChoiceMenu* group_;
    ChoiceMenu* operations_;
    ChoiceMenu* colour_;
    ChoiceMenu* gaps_;
    QList<QAction*> levels_;
    std::vector<std::pair<QAction*, bool SceneOptions::*>>
        switches_;  ///< of the roofs and what else is drawn
};

}  // namespace roofwalk
