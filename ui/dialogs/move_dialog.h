// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/base/enum_array.h"
#include "core/scenario/scenario_effect.h"
#include "ui/dialogs/preset_preview.h"

class QComboBox;
class QDialogButtonBox;
class QFormLayout;

namespace roofwalk {

class NumberBox;
class TextLabel;

/// Edits the factors of a move, or the number of its preset, from which they follow, and shows meanwhile what
/// it makes of its kernel.
class MoveDialog : public QDialog {
    Q_OBJECT

  public:
    /// `row` is null or without a step where the move is off or could not be made: then nothing is known of
    /// the kernel. It is not kept. Without the kernel `before` the move the number of a preset is not asked
    /// for.
    MoveDialog(const Move& move, const ScenarioRow* row, const AnalysisOptions& options,
               std::optional<PresetPreview> before, QWidget* parent = nullptr);

    /// As edited. A factor that was left alone keeps every digit. What a preset made is no longer its move
    /// once a factor differs.
    [[nodiscard]] Move move() const;

  private:
    struct Kernel {
        KernelModel model;
        KernelState before;
    };

    [[nodiscard]] NumberBox* add_factor(QFormLayout& form, const QString& name, double factor);
    void add_number(QFormLayout& form, const PresetParameter& parameter);
    void use_number();
    void show_factors();
    void show_gains();

    Move move_;
    std::optional<PresetPreview> before_;
    bool renamed_ = false;
    QString refused_;  ///< why the preset cannot have its number
    NumberBox* number_ = nullptr;
    std::optional<Kernel> kernel_;
    VerdictThresholds thresholds_;
    EnumArray<MemoryLevel, NumberBox*> bytes_{};
    NumberBox* work_;
    QComboBox* rule_;
    NumberBox* time_;
    TextLabel* gains_;
    QDialogButtonBox* buttons_;
};

}  // namespace roofwalk
