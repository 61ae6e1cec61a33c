// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/import/recording_backend.h"

class QCheckBox;
class QPushButton;
class QTreeWidget;

namespace roofwalk {

class TextLabel;

/// The programs that hold a GPU, to attach to one of them; of the chosen one, why that cannot be.
class ProgramList : public QWidget {
    Q_OBJECT

  public:
    explicit ProgramList(QWidget* parent = nullptr);

    /// Keeps what was chosen where it is still there.
    void show_programs(std::vector<RunningProgram> programs);
    /// The chosen program, where it can be recorded.
    [[nodiscard]] std::optional<std::uint32_t> process() const;
    /// Whether an agent is to be loaded into it as it runs.
    [[nodiscard]] bool injects() const;
    /// How loading one into a process of our own went.
    void show_trial(const QString& outcome);

  signals:
    void changed();
    void look_again_requested();
    void trial_requested();
    /// The chosen program is to be started anew instead.
    void restart_requested(const roofwalk::ProgramStart& launch);

  private:
    [[nodiscard]] const RunningProgram* chosen() const;
    void make_injection();
    void show_obstacle();
    void show_injection();

    std::vector<RunningProgram> programs_;
    QTreeWidget* list_;
    TextLabel* obstacle_;
    QPushButton* restart_;
    QWidget* injection_;
    QCheckBox* inject_;
    TextLabel* injection_note_;
    TextLabel* trial_;
};

}  // namespace roofwalk
