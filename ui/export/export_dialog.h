// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/export/export_bytes.h"
#include "ui/workspace/job.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace roofwalk {

/// Asks what to export and how it shall look, with a preview of pictures.
class ExportDialog : public QDialog {
    Q_OBJECT

  public:
    ExportDialog(ExportSource source, const ExportRequest& request, QWidget* parent = nullptr);

    [[nodiscard]] ExportRequest request() const;
    /// What the preview shows.
    [[nodiscard]] const ExportSource& source() const { return source_; }

  private:
    [[nodiscard]] QWidget* make_choices(const ExportRequest& request);
    void choose_preset(int index);
    void show_format();
    void show_preview();

    ExportSource source_;
    Job drawing_;
    QComboBox* format_ = nullptr;
    QComboBox* preset_ = nullptr;
    QSpinBox* width_ = nullptr;
    QSpinBox* height_ = nullptr;
    QDoubleSpinBox* letters_ = nullptr;  ///< [pt]; 0: by the size of the page
    QComboBox* scale_ = nullptr;
    QComboBox* theme_ = nullptr;
    QLineEdit* title_ = nullptr;
    QCheckBox* only_matching_ = nullptr;
    QList<QWidget*> of_pictures_;  ///< choices that mean nothing to numbers
    QLabel* preview_ = nullptr;
};

}  // namespace roofwalk
