// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <optional>

#include "ui/dialogs/preset_preview.h"

class QDialogButtonBox;
class QVBoxLayout;

namespace roofwalk {

class NumberBox;
class TextLabel;

/// Says what a preset assumes, asks for its number, and shows meanwhile what it would make of kernel and
/// program.
class PresetDialog : public QDialog {
    Q_OBJECT

  public:
    PresetDialog(const Preset& preset, PresetPreview subject, QWidget* parent = nullptr);

    /// Empty while the preset cannot be applied.
    [[nodiscard]] const std::vector<OfferedMove>& moves() const { return moves_; }

  private:
    void add_parameter(QVBoxLayout& column, const PresetParameter& parameter);
    [[nodiscard]] std::optional<double> parameter() const;
    void show_gains();

    const Preset& preset_;
    PresetPreview subject_;
    std::vector<OfferedMove> moves_;
    NumberBox* number_ = nullptr;
    TextLabel* assumption_;
    TextLabel* gains_;
    QDialogButtonBox* buttons_;
};

}  // namespace roofwalk
