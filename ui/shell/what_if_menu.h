// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

class QUndoStack;

namespace roofwalk {

class Document;
class PresetPreview;
struct Preset;

/// Every known way to make the selected kernel faster, which asks for its number before it becomes a move.
/// Those that cannot be applied to it stand apart, with the reason.
class WhatIfMenu : public QMenu {
    Q_OBJECT

  public:
    WhatIfMenu(Document& document, QUndoStack& changes, QWidget* parent);

  private:
    void list_presets();
    void add_preset(const Preset& preset, const PresetPreview& subject);
    void ask(const Preset& preset, const PresetPreview& subject);

    Document& document_;
    QUndoStack& changes_;
};

}  // namespace roofwalk
