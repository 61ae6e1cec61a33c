// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/operations/op_suggestions.h"

class QDialogButtonBox;
class QUndoStack;
class QVBoxLayout;

namespace roofwalk {

class Document;
class OperationForm;
class RooflineChart;
class TextLabel;
struct Analysis;
struct KernelPoint;
struct Launch;
struct OperationModel;
struct Profile;

/// Asks which operation a kernel carries out, beginning with the one that it is taken for, and shows while a
/// person chooses and types what it would need.
class OperationDialog : public QDialog {
    Q_OBJECT

  public:
    OperationDialog(const Document& document, const KernelPoint& point, QWidget* parent = nullptr);

    /// What was typed or chosen, for every launch of the kernel; its operation is empty when the text is.
    [[nodiscard]] UserBinding binding() const;
    /// Whether anything was typed or chosen that did not stand there.
    [[nodiscard]] bool is_new() const;
    /// Of the operation as it stands, in the unit of the chart [FLOP/byte]; absent while it can not be read,
    /// or where it counts what the chart does not.
    [[nodiscard]] std::optional<double> intensity() const { return intensity_; }

  signals:
    void intensity_changed(std::optional<double> intensity);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void show_needs();
    /// What the operation needs beside what was measured, and whether the two contradict each other.
    void show_figures(const OperationModel* model);
    void fit_height();

    std::shared_ptr<const Profile> profile_;
    std::shared_ptr<const Analysis> analysis_;
    const KernelPoint& point_;  ///< of the analysis
    const Launch& launch_;      ///< of the profile: the kernel's first
    std::string kernel_;
    std::string unit_;      ///< of the chart: "FLOP"
    UserBinding before_;    ///< what was said before
    bool follows_ = false;  ///< an operation from that, or from what was measured
    std::optional<double> intensity_;
    OperationForm* form_;
    QVBoxLayout* figures_;
    TextLabel* fit_;  ///< what the operation contradicts, else how far from it the kernel is
    TextLabel* needs_;
    int fitted_height_ = 0;  ///< that the dialog gave itself
    QDialogButtonBox* buttons_;
};

/// Asks it of the selected kernel, while the chart marks where the answer stands; a step of `changes`.
void ask_for_operation(Document& document, RooflineChart& chart, QUndoStack& changes, QWidget* window);
/// Binds what was typed for the selected kernel, a step of `changes`; else says why it cannot be.
[[nodiscard]] QString bind_typed_operation(Document& document, QUndoStack& changes, const QString& text);
/// What is suggested for the selected kernel: each launch carries out what its own numbers say.
void accept_suggestion(Document& document, QUndoStack& changes);

}  // namespace roofwalk
