// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDoubleSpinBox>

namespace roofwalk {

/// A field for a factor, a share or an amount: up to six decimals, without zeros at the end.
class NumberBox : public QDoubleSpinBox {
    Q_OBJECT

  public:
    explicit NumberBox(const QString& name, QWidget* parent = nullptr);

    void set_number(double number);
    /// What is typed; the number that was set, with all its digits, until something is.
    [[nodiscard]] double number() const { return value() == shown_ ? set_ : value(); }

    [[nodiscard]] QString textFromValue(double value) const override;

  private:
    double set_ = 0;
    double shown_ = 0;  ///< as far as the field can show it
};

}  // namespace roofwalk
