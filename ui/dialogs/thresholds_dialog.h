// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "core/advice/thresholds.h"

class QGridLayout;
class QUndoStack;

namespace roofwalk {

class Document;
class NumberBox;

/// Asks where the rules of advice begin to fire: each threshold with its unit and what is usual.
class ThresholdsDialog : public QDialog {
    Q_OBJECT

  public:
    explicit ThresholdsDialog(const AdviceThresholds& thresholds, QWidget* parent = nullptr);

    [[nodiscard]] AdviceThresholds thresholds() const;

  private:
    void add_row(QGridLayout& rows, const ThresholdSpec& spec, double number);
    void put_back_all();

    std::vector<NumberBox*> values_;  ///< by advice_threshold_specs()
};

/// Asks it; the answer is a step of `changes`.
void ask_for_thresholds(Document& document, QUndoStack& changes, QWidget* window);

}  // namespace roofwalk
