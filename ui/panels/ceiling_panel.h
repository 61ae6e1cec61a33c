// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QScrollArea>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/enum_array.h"
#include "core/chart/scene/scene.h"
#include "core/devices/measured_ceilings.h"
#include "core/roofline/analysis.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QRadioButton;
class QVBoxLayout;

namespace roofwalk {

class CeilingBenchmarkJob;
class CeilingBenchmarkPanel;
class DeviceChoice;
class Document;
class RateEdit;
class TextLabel;

/// Puts, replaces or (without a rate) removes a typed ceiling.
void set_override(CeilingSet& overrides, const CeilingTarget& target, const std::optional<double>& rate);
/// The typed rate of a target, if any.
[[nodiscard]] std::optional<double> override_of(const CeilingSet& overrides, const CeilingTarget& target);
/// Whether the scene draws the roof of this pipe.
[[nodiscard]] bool shows_pipe(const Scene& scene, Pipe pipe);

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
    void show_ceiling(const CeilingTarget& target, MemoryName memory, bool shown, const CeilingSet& ceilings,
                      const CeilingSet& overrides);
    /// Where launches have bytes of the level, those that none has cannot be chosen, and say why.
    void offer_boundaries(const EnumArray<Boundary, bool>& counted, MemoryName memory);

  signals:
    void switched(bool shown);
    void boundary_chosen(roofwalk::Boundary boundary);
    void rate_typed(std::optional<double> rate);

  private:
    void set_name(const QString& name);
    CeilingRow(const CeilingTarget& target, const QString& unit, QWidget* parent);

    CeilingTarget target_;
    QString unit_;
    QCheckBox* shown_;
    QComboBox* boundary_ = nullptr;
    RateEdit* rate_;
    QLabel* fault_ = nullptr;
    TextLabel* provenance_;
};

/// The ceilings in use, each with its provenance: switch them on and off, choose which bytes a level counts,
/// type rates, choose the clock, and the presets that reproduce other tools' pictures.
class CeilingPanel : public QScrollArea {
    Q_OBJECT

  public:
    CeilingPanel(Document& document, CeilingBenchmarkJob& measurer, QWidget* parent = nullptr);

    /// Brings the panel up to date if it can be seen: behind another tab it stays as it is, and is empty
    /// until it is seen for the first time.
    void show_document();
    /// Puts the cursor where the GPU of files that name none is chosen.
    void ask_device();

  signals:
    /// A person wants to name a file that describes the GPU of what is open.
    void device_file_requested();
    void measured_import_requested();
    void measured_export_requested(const std::shared_ptr<const roofwalk::MeasuredCeilings>& measured);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void make_content();
    void add_heading(const QString& text);
    void add_presets();
    void show_view();
    void add_device();
    void add_unnamed_device();
    void show_unnamed_device();
    void add_clock();
    void show_devices();
    void add_measured();
    void add_levels();
    void add_factors();
    void add_launch_floor();
    void add_near_ridge();
    template <class Values>
    QDoubleSpinBox* add_share(const QString& name, const QString& accessible_name,
                              Values AnalysisOptions::*values, double Values::*share);
    void show_pipes(const CeilingSet& ceilings, const CeilingSet& overrides);
    void connect_rate(CeilingRow* row);
    /// The options that choose whose roofs are drawn.
    [[nodiscard]] SceneOptions drawn_options() const;

    Document& document_;
    CeilingBenchmarkJob& measurer_;
    CeilingBenchmarkPanel* measured_ = nullptr;
    QVBoxLayout* column_ = nullptr;
    QVBoxLayout* pipes_ = nullptr;
    std::vector<std::pair<QPushButton*, std::function<AnalysisOptions(AnalysisOptions)>>> views_;
    QWidget* device_part_ = nullptr;  ///< hidden while there is one device
    QComboBox* device_ = nullptr;
    QWidget* unnamed_part_ = nullptr;  ///< hidden while every file names its GPU
    DeviceChoice* ran_on_ = nullptr;
    QRadioButton* measured_clock_ = nullptr;
    QRadioButton* boost_clock_ = nullptr;
    EnumArray<MemoryLevel, CeilingRow*> level_rows_;
    QList<CeilingRow*> pipe_rows_;
    std::vector<Pipe> listed_pipes_;
    QDoubleSpinBox* compute_factor_ = nullptr;
    QDoubleSpinBox* bandwidth_factor_ = nullptr;
    QDoubleSpinBox* near_ridge_low_ = nullptr;
    QDoubleSpinBox* near_ridge_high_ = nullptr;
    QDoubleSpinBox* little_room_limit_ = nullptr;
    QDoubleSpinBox* some_room_limit_ = nullptr;
    QDoubleSpinBox* launch_floor_ = nullptr;
};

}  // namespace roofwalk
