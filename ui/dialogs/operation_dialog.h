// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>
#include <string>

#include "core/operations/op_binding.h"

class QDialogButtonBox;
class QLineEdit;

namespace roofwalk {

class Document;
class TextLabel;
struct KernelPoint;
struct Launch;
struct Profile;

/// Asks which operation a kernel carries out, beginning with the one that it is taken for, and shows while a
/// person types what it would need.
class OperationDialog : public QDialog {
    Q_OBJECT

  public:
    OperationDialog(const Document& document, const KernelPoint& point, QWidget* parent = nullptr);

    /// What was typed, for every launch of the kernel; its operation is empty when the field is.
    [[nodiscard]] UserBinding binding() const;
    /// Whether anything was typed that did not stand there.
    [[nodiscard]] bool is_new() const;

  private:
    void show_needs();

    std::shared_ptr<const Profile> profile_;
    const Launch& launch_;  ///< of the profile: the kernel's first
    std::string kernel_;
    QString before_;  ///< what the field began with
    QLineEdit* operation_;
    TextLabel* needs_;
    QDialogButtonBox* buttons_;
};

}  // namespace roofwalk
