// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/source/recording_offer.h"

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

  signals:
    void changed();
    void look_again_requested();
    /// The chosen program is to be started anew instead.
    void restart_requested(const roofwalk::LaunchRequest& launch);

  private:
    [[nodiscard]] const RunningProgram* chosen() const;
    void show_obstacle();

    std::vector<RunningProgram> programs_;
    QTreeWidget* list_;
    TextLabel* obstacle_;
    QPushButton* restart_;
};

}  // namespace roofwalk
