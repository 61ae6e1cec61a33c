// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/import/profile_request.h"
#include "core/import/recording_backend.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTreeWidget;

namespace roofwalk {

class TextLabel;

/// Asks which program is to be started: command line, folder, variables, and the command that starts it on
/// another machine.
class LaunchFields : public QWidget {
    Q_OBJECT

  public:
    explicit LaunchFields(QWidget* parent = nullptr);

    void set_history(const QStringList& commands);
    /// Of the labels beside the fields, so that those of the page below stand in line. [px]
    [[nodiscard]] int label_width() const;
    void set_launch(const ProgramStart& launch);
    /// An error names what is missing or cannot be understood.
    [[nodiscard]] Result<ProgramStart> launch() const;
    /// Whether it is to run on another machine.
    [[nodiscard]] bool elsewhere() const;
    /// As it was typed.
    [[nodiscard]] QString command() const;

  signals:
    void changed();

  private:
    [[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> variables() const;

    QComboBox* command_;
    QLineEdit* folder_;
    QPlainTextEdit* variables_;
    QLineEdit* through_;
    QCheckBox* pytorch_;
};

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

/// One line as a shell or this form reads it back.
[[nodiscard]] QString command_line(const std::vector<std::string>& command);

}  // namespace roofwalk
