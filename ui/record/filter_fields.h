// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/import/profile_request.h"

class QLineEdit;
class QSpinBox;

namespace roofwalk {

/// Asks which launches are recorded: names, NVTX ranges, counts.
class FilterFields : public QWidget {
    Q_OBJECT

  public:
    explicit FilterFields(QWidget* parent = nullptr);

    void set_filter(const LaunchFilter& filter);
    [[nodiscard]] LaunchFilter filter() const;

  private:
    QLineEdit* kernels_;
    QLineEdit* except_;
    QLineEdit* ranges_;
    QSpinBox* skip_;
    QSpinBox* count_;  ///< 0: all
};

}  // namespace roofwalk
