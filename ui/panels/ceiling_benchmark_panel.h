// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/devices/measured_ceilings.h"

class QComboBox;
class QProgressBar;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace roofwalk {

class Document;
class CeilingBenchmarkJob;
class TextLabel;
struct StoredCeilings;

/// The part of the ceilings panel that measures: which measured roofs are used, what is known of them,
/// measuring, taking in and writing, and the table beside theory and published figures.
class CeilingBenchmarkPanel : public QWidget {
    Q_OBJECT

  public:
    CeilingBenchmarkPanel(Document& document, CeilingBenchmarkJob& measurer, QWidget* parent = nullptr);

    /// Brings the part up to date; the first time it asks what can be measured.
    void show_document();
    /// What the part speaks of: what the drawn roofs use, else what is kept of their device, else what was
    /// measured or taken in last; null: nothing.
    [[nodiscard]] std::shared_ptr<const MeasuredCeilings> subject() const;

  signals:
    void import_requested();
    void export_requested();

  private:
    void make_choice(QVBoxLayout& column);
    void make_buttons(QVBoxLayout& column);
    void make_progress(QVBoxLayout& column);
    void show_choice();
    void show_devices();
    void show_progress();
    void show_facts();
    /// As measured_for() chooses: of several of the device the last that holds, else the last; null: none.
    [[nodiscard]] const StoredCeilings* stored_ceilings_in_use() const;
    /// What was measured on the device whose roofs are drawn, where that is used; null: nothing.
    [[nodiscard]] const MeasuredCeilings* measured_ceilings_in_use() const;
    /// Why nothing can be measured now; empty: it can.
    [[nodiscard]] QString obstacle() const;
    [[nodiscard]] QString state_words() const;

    Document& document_;
    CeilingBenchmarkJob& measurer_;
    bool looked_ = false;
    QComboBox* choice_ = nullptr;
    TextLabel* state_ = nullptr;
    QComboBox* device_ = nullptr;  ///< hidden while there is one GPU
    QPushButton* measure_ = nullptr;
    QPushButton* export_ = nullptr;
    TextLabel* obstacle_ = nullptr;
    QPushButton* look_again_ = nullptr;  ///< hidden while nothing is in the way
    QWidget* progress_part_ = nullptr;
    QProgressBar* bar_ = nullptr;
    TextLabel* benchmark_ = nullptr;
    QPushButton* cancel_ = nullptr;
    TextLabel* outcome_ = nullptr;
    QToolButton* fold_ = nullptr;
    QWidget* facts_ = nullptr;
    QWidget* grid_ = nullptr;
    TextLabel* notes_ = nullptr;
    std::shared_ptr<const MeasuredCeilings> tabled_;  ///< what the table is of
};

}  // namespace roofwalk
