// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/workspace/load_files.h"
#include "core/workspace/workspace_result.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/report_loader.h"
#include "ui/workspace/view_builder.h"

namespace roofwalk {

/// What is open and how it is looked at, one value, and what was made of it on the pool. Views read from it
/// and listen; they never talk to each other.
class Document : public QObject {
    Q_OBJECT

  public:
    explicit Document(QObject* parent = nullptr);

    /// Opens, closes and reads its reports.
    [[nodiscard]] ReportLoader& loader() { return loader_; }

    [[nodiscard]] bool empty() const { return result().analysis == nullptr; }
    [[nodiscard]] const std::vector<OpenFile>& files() const { return open_.files; }
    [[nodiscard]] const std::vector<OpenFile>& baselines() const { return open_.baselines; }

    /// Everything but where a person looks. Reports have absolute paths; those that could not be read stay.
    [[nodiscard]] const WorkspaceSpec& spec() const { return open_.spec; }
    /// Takes how the reports are looked at; they stay. A filter with a fault leaves the last one in force.
    void set_spec(WorkspaceSpec spec);
    /// The same with one part changed.
    template <class Change>
    void change(Change change) {
        WorkspaceSpec spec = open_.spec;
        change(spec);
        set_spec(std::move(spec));
    }
    /// What is shown, which jobs bring up to the spec; its parts are null or empty without reports.
    [[nodiscard]] const WorkspaceResult& result() const { return builder_.view().result; }
    [[nodiscard]] const std::shared_ptr<const Profile>& profile() const { return result().inputs.profile; }
    [[nodiscard]] const std::shared_ptr<const Analysis>& analysis() const { return result().analysis; }
    [[nodiscard]] const ChartScene& chart_scene() const { return builder_.view().scene; }
    [[nodiscard]] const std::shared_ptr<const Scene>& scene() const { return chart_scene().scene(); }

    [[nodiscard]] AnalysisOptions analysis_options() const {
        AnalysisOptions options = roofwalk::analysis_options(open_.spec);
        options.memory = analysis() ? analysis()->options.memory : MemoryName::dram;
        return options;
    }
    /// The levels of the scene follow the levels of the analysis. Stopping the analysis brings back the
    /// options of the result that stays.
    void set_analysis_options(const AnalysisOptions& options) {
        change([&](WorkspaceSpec& spec) { roofwalk::set_analysis_options(spec, options); });
    }
    template <class Change>
    void change_analysis(Change change) {
        AnalysisOptions options = analysis_options();
        change(options);
        set_analysis_options(options);
    }
    [[nodiscard]] SceneOptions scene_options() const {
        return roofwalk::scene_options(open_.spec, focus_, theme_);
    }
    /// But for levels and selection.
    void change_scene(const std::function<void(SceneOptions&)>& change_options);
    /// Measurements that hold on this machine, and which devices get them. They are of no file: they stay
    /// when files are opened and closed, and a session brings its choice only.
    [[nodiscard]] MeasuredUse measured_use() const { return {measured_, open_.spec.view.measured}; }
    void set_measured_use(const MeasuredUse& use);
    [[nodiscard]] QString notes() const { return to_qt(open_.spec.notes); }
    [[nodiscard]] QString filter_text() const { return to_qt(open_.spec.view.filter); }
    /// What is wrong with the filter; the last valid one stays in force. Empty when all is well.
    [[nodiscard]] const QString& filter_fault() const { return filter_fault_; }

    void set_notes(const QString& to) {
        change([&](auto& spec) { spec.notes = to.toStdString(); });
    }
    void set_filter(const QString& to) {
        change([&](auto& spec) { spec.view.filter = to.toStdString(); });
    }

    [[nodiscard]] const ViewFocus& focus() const { return focus_; }
    void set_focus(const ViewFocus& focus);
    [[nodiscard]] std::optional<std::uint32_t> selection() const { return focus_.selected; }
    [[nodiscard]] const KernelPoint* selected_point() const {
        return analysis() && selection() ? &analysis()->points[*selection()] : nullptr;
    }
    void select(std::optional<std::uint32_t> point) {
        select_points(point ? std::vector{*point} : std::vector<std::uint32_t>(), point);
    }
    /// Selects all of `points`, and looks at `foremost`, else at the longest of them.
    void select_points(const std::vector<std::uint32_t>& points,
                       std::optional<std::uint32_t> foremost = std::nullopt);
    /// Selects a kernel besides others, or no longer.
    void toggle(std::uint32_t point) { set_focus(focus_.with_toggled(point, result().ranking)); }
    /// Selects the kernel that stands `step` behind the selected one in the order of the ranking.
    void select_ranked(int step) {
        if (const auto point = next_ranked(result(), selection(), step)) select(point);
    }
    [[nodiscard]] Job& analysing() { return builder_.analysing(); }

  signals:
    void files_changed();
    void failed(const roofwalk::Error& error);
    void analysis_changed();
    /// `keep_view` is false when the scene shows something else than before.
    void scene_changed(bool keep_view);
    void options_changed();
    void selection_changed();
    void filter_changed();  ///< text or fault
    void matches_changed();
    void what_if_changed();
    void comparison_changed();
    void projection_changed();
    void notes_changed();
    void advice_thresholds_changed();

  private:
    friend ReportLoader;  // a part of it

    [[nodiscard]] ViewInputs wanted() const;  ///< what the view is to be made of
    /// Shows what a load brought. Returns the reports whose content is not what was said of them.
    std::vector<std::string> install(const LoadRequest& asked, LoadedView& loaded);
    void update();
    void take_filter();
    void follow(const ViewResult& before);
    /// The axes stay where the same files are counted by the same operations.
    void emit_new_view(const ViewResult& before, bool same_files);
    void emit_drawn(const ViewResult& drawn_before);
    /// A filter that shows none of the selected kernels leads to the first of those that it shows.
    void leave_hidden_selection();
    void keep_old_options();

    OpenWorkspace open_;
    std::vector<std::shared_ptr<const MeasuredCeilings>> measured_;
    ViewFocus focus_;
    Theme theme_ = Theme::light;
    std::string filter_in_force_;
    QString filter_fault_;
    ViewBuilder builder_{this};
    ReportLoader loader_{*this};
};

}  // namespace roofwalk
