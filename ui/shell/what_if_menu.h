// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <vector>

class QUndoStack;

namespace roofwalk {

class Document;
class PresetPreview;
struct OfferedMove;
struct Preset;

/// Every known way to make the selected kernel faster; those with a number ask for it before they become a
/// move. Those that cannot be applied to it stand apart, with the reason.
class WhatIfMenu : public QMenu {
    Q_OBJECT

  public:
    WhatIfMenu(Document& document, QUndoStack& changes, QWidget* parent);

  private:
    void list_presets();
    void add_preset(const Preset& preset, const PresetPreview& subject);
    void choose(const Preset& preset, const PresetPreview& subject);
    void add_moves(const Preset& preset, const PresetPreview& subject, const std::vector<OfferedMove>& moves);

    Document& document_;
    QUndoStack& changes_;
};

}  // namespace roofwalk
