// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/roofline/analysis.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace roofwalk {

class RateEdit;
class TextLabel;

/// One ceiling: a switch, its rate, where the rate comes from, and for a memory level the boundary it counts.
class CeilingRow : public QWidget {
    Q_OBJECT

  public:
    /// The row of a memory level, with a choice of boundaries.
    explicit CeilingRow(MemoryLevel level, QWidget* parent = nullptr);
    /// The row of a pipe.
    explicit CeilingRow(Pipe pipe, QWidget* parent = nullptr);

    /// The ceiling the row speaks of now.
    [[nodiscard]] CeilingTarget target() const { return target_; }
    /// `ceilings` are those in use, `overrides` those typed.
    void show_ceiling(const CeilingTarget& target, bool shown, const CeilingSet& ceilings,
                      const CeilingSet& overrides);

  signals:
    void switched(bool shown);
    void boundary_chosen(roofwalk::Boundary boundary);
    void rate_typed(std::optional<double> rate);

  private:
    CeilingRow(const CeilingTarget& target, const QString& name, const QString& unit, QWidget* parent);

    CeilingTarget target_;
    QString unit_;
    QCheckBox* shown_;
    QComboBox* boundary_ = nullptr;
    RateEdit* rate_;
    QLabel* fault_ = nullptr;
    TextLabel* provenance_;
};

}  // namespace roofwalk
