// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/base/error.h"
#include "core/import/profile_request.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;

namespace roofwalk {

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

/// One line as a shell or this form reads it back.
[[nodiscard]] QString command_line(const std::vector<std::string>& command);

}  // namespace roofwalk
