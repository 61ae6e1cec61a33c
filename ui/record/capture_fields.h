// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGroupBox>
#include <QWidget>
#include <optional>

#include "core/import/profile_request.h"
#include "core/import/recording_backend.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QRadioButton;
class QSpinBox;

namespace roofwalk {

class TextLabel;

/// What is to be recorded, as far as it decides what can be measured.
enum class RecordedPlace {
    program_here,
    program_elsewhere,  ///< another machine, which alone can tell what it lacks
    running_program,
};

/// Asks what is measured, and by which profiler. What cannot be chosen says why beside it.
class CaptureFields : public QGroupBox {
    Q_OBJECT

  public:
    explicit CaptureFields(QWidget* parent = nullptr);

    /// `offer`: absent while the machine is looked at.
    void follow(const std::optional<RecordingOffer>& offer, RecordedPlace place);

    [[nodiscard]] bool with_ncu() const;
    /// Why the profiler that is chosen cannot record; absent when it can, or when that is not known.
    [[nodiscard]] const std::optional<Error>& obstacle() const;
    [[nodiscard]] bool counters() const;
    [[nodiscard]] bool every_launch() const;
    [[nodiscard]] ReplayPolicy replay() const;

  signals:
    void changed();

  private:
    [[nodiscard]] QString cost(const RecordingOffer& offer, RecordedPlace place) const;

    QRadioButton* agent_;
    QCheckBox* counters_;
    TextLabel* counters_note_;
    QCheckBox* every_launch_;
    QComboBox* replay_;
    QWidget* replay_row_;
    QRadioButton* ncu_;
    TextLabel* ncu_note_;
    std::optional<Error> no_agent_;
    std::optional<Error> no_ncu_;
    bool countable_ = false;
};

/// Asks which launches are recorded: names, NVTX ranges, counts.
class FilterFields : public QWidget {
    Q_OBJECT

  public:
    explicit FilterFields(QWidget* parent = nullptr);

    [[nodiscard]] LaunchFilter filter() const;

  private:
    QLineEdit* kernels_;
    QLineEdit* except_;
    QLineEdit* ranges_;
    QSpinBox* skip_;
    QSpinBox* count_;  ///< 0: all
};

}  // namespace roofwalk
