// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/base/enum_array.h"
#include "core/scenario/scenario_effect.h"

class QComboBox;
class QFormLayout;

namespace roofwalk {

class NumberBox;
class TextLabel;

/// Edits the factors of a move, and shows meanwhile what it makes of its kernel.
class MoveDialog : public QDialog {
    Q_OBJECT

  public:
    /// `row` is null or without a step where the move is off or could not be made: then nothing is known of
    /// the kernel. It is not kept.
    MoveDialog(const Move& move, const ScenarioRow* row, const AnalysisOptions& options,
               QWidget* parent = nullptr);

    /// As edited. A factor that was left alone keeps every digit. What a preset made is no longer its move
    /// once a factor differs.
    [[nodiscard]] Move move() const;

  private:
    struct Kernel {
        KernelModel model;
        KernelState before;
    };

    [[nodiscard]] NumberBox* add_factor(QFormLayout& form, const QString& name, double factor);
    void show_gains();

    Move move_;
    std::optional<Kernel> kernel_;
    VerdictThresholds thresholds_;
    EnumArray<MemoryLevel, NumberBox*> bytes_{};
    NumberBox* work_;
    QComboBox* rule_;
    NumberBox* time_;
    TextLabel* gains_;
};

}  // namespace roofwalk
