// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/export/export_bytes.h"
#include "ui/workspace/job.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace roofwalk {

class ElidedLabel;

/// Asks what to export and how it shall look, with a preview of pictures.
class ExportDialog : public QDialog {
    Q_OBJECT

  public:
    ExportDialog(ExportSource source, const ExportRequest& request, QWidget* parent = nullptr);

    /// Offers to write into the folder at once, under this name, with a number where it is taken.
    void offer_folder(const QString& folder, const QString& name);
    /// Agrees to a file.
    void write_to(const QString& path);
    [[nodiscard]] ExportRequest request() const;
    /// The file that was agreed to.
    [[nodiscard]] const QString& path() const { return path_; }
    /// What the preview shows.
    [[nodiscard]] const ExportSource& source() const { return source_; }
    void accept() override;

  signals:
    /// A person wants to choose the file; until there is one, the dialog keeps what was chosen in it.
    void file_wanted();

  private:
    [[nodiscard]] QWidget* make_choices(const ExportRequest& request);
    void choose_preset(int index);
    void make_sides(QFormLayout& form, const QString& size);
    void show_sides(double width, double height);  ///< [px], in the unit
    void show_size();
    void show_format();
    void show_preview();
    [[nodiscard]] QString free_path() const;
    [[nodiscard]] LengthUnit unit() const;

    ExportSource source_;
    QString place_;  ///< folder and name, without a suffix
    QString path_;
    QPushButton* here_ = nullptr;
    ElidedLabel* goes_to_ = nullptr;  ///< where that writes
    Job drawing_;
    QComboBox* format_ = nullptr;
    QComboBox* preset_ = nullptr;
    QDoubleSpinBox* width_ = nullptr;
    QDoubleSpinBox* height_ = nullptr;
    QComboBox* unit_ = nullptr;
    double shown_pixels_ = 1;            ///< of the unit of the sides on screen
    QDoubleSpinBox* letters_ = nullptr;  ///< [pt]; the least: by the size
    QComboBox* dots_ = nullptr;          ///< per inch, of a PNG
    QComboBox* theme_ = nullptr;
    QLineEdit* title_ = nullptr;
    QCheckBox* only_matching_ = nullptr;
    QCheckBox* only_seen_ = nullptr;
    QList<QWidget*> of_pictures_;  ///< choices that mean nothing to numbers
    QLabel* preview_ = nullptr;
    QLabel* lack_ = nullptr;  ///< what has no room on the page; hidden where all has
};

}  // namespace roofwalk
