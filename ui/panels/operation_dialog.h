// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/algorithm/op_binding.h"

class QDialogButtonBox;
class QLineEdit;

namespace roofwalk {

class Document;
class TextLabel;
struct KernelPoint;

/// Asks which operation a kernel carries out, and shows while a person types what it would need.
class OperationDialog : public QDialog {
    Q_OBJECT

  public:
    OperationDialog(const Document& document, const KernelPoint& point, QWidget* parent = nullptr);

    /// What was typed, for every launch of the kernel; its operation is empty when the field is.
    [[nodiscard]] UserBinding binding() const;

  private:
    void show_needs();

    std::string kernel_;
    QLineEdit* operation_;
    TextLabel* needs_;
    QDialogButtonBox* buttons_;
};

}  // namespace roofwalk
