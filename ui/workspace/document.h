// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/devices/device_file.h"
#include "core/workspace/load_files.h"
#include "core/workspace/workspace_result.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/job.h"
#include "ui/workspace/view_builder.h"

namespace roofwalk {

/// What is open and how it is looked at, one value, and what was made of it on the pool. Views read from it
/// and listen; they never talk to each other.
class Document : public QObject {
    Q_OBJECT

  public:
    enum class Opening : std::uint8_t { replace, add };

    explicit Document(QObject* parent = nullptr);

    /// Reads files; the document stays as it is until they are read, and when none of them can be. Files that
    /// are being read already are read too, unless these replace them.
    void open(const QStringList& paths, Opening opening);
    /// Reads a session, its reports and those `beside` in the place of what is open, and brings back what was
    /// done with them. Everything stays as it is when none of the reports can be read.
    void open_session(const SessionRequest& session, const QStringList& beside);
    /// Whether a session is being read, which will take the place of what is done here.
    [[nodiscard]] bool session_arrives() const { return load_.running() && loads_.session; }
    void reload();
    /// Makes one run of the reports, or shows each by itself again; not while others take their place.
    void set_joined(bool joined);
    /// Shows what a recording has brought so far, under the path of its file; nothing is read. Its first
    /// profile takes the place of what is open.
    void show_recording(OpenFile recording);
    /// Closes one file, or gives up reading it; the others stay. The last one leaves the document empty.
    void close(const QString& path);
    /// Whether nothing stays open without that file.
    [[nodiscard]] bool is_last(const QString& path) const {
        return request_under_way().keeps_only(path.toStdString());
    }
    void close_all();
    /// Forgets what was done with the files, of a document without any.
    void reset_spec() { set_spec({}); }

    [[nodiscard]] bool empty() const { return result().analysis == nullptr; }
    [[nodiscard]] const std::vector<OpenFile>& files() const { return files_; }
    [[nodiscard]] const std::vector<OpenFile>& baselines() const { return baselines_; }

    /// Everything but where a person looks. Reports have absolute paths; those that could not be read stay.
    [[nodiscard]] const WorkspaceSpec& spec() const { return spec_; }
    /// Takes how the reports are looked at; they stay. A filter with a fault leaves the last one in force.
    void set_spec(WorkspaceSpec spec);
    /// The same with one part changed.
    template <class Change>
    void change(Change change) {
        WorkspaceSpec spec = spec_;
        change(spec);
        set_spec(std::move(spec));
    }
    /// What is shown, which jobs bring up to the spec; its parts are null or empty while the document is
    /// empty.
    [[nodiscard]] const WorkspaceResult& result() const { return builder_.view().result; }
    [[nodiscard]] const std::shared_ptr<const Profile>& profile() const { return result().inputs.profile; }
    [[nodiscard]] const std::shared_ptr<const Analysis>& analysis() const { return result().analysis; }
    [[nodiscard]] const ChartScene& chart_scene() const { return builder_.view().scene; }
    [[nodiscard]] const std::shared_ptr<const Scene>& scene() const { return chart_scene().scene(); }

    [[nodiscard]] AnalysisOptions analysis_options() const {
        AnalysisOptions options = roofwalk::analysis_options(spec_);
        options.memory = analysis() ? analysis()->options.memory : MemoryName::dram;
        return options;
    }
    /// The levels of the scene follow the levels of the analysis. Stopping the analysis brings back the
    /// options of the result that stays.
    void set_analysis_options(const AnalysisOptions& options) {
        change([&](WorkspaceSpec& spec) { roofwalk::set_analysis_options(spec, options); });
    }
    [[nodiscard]] SceneOptions scene_options() const {
        return roofwalk::scene_options(spec_, focus_, theme_);
    }
    /// But for levels and selection.
    void set_scene_options(const SceneOptions& options);
    /// Measurements that hold on this machine, and which devices get them. They are of no file: they stay
    /// when files are opened and closed, and a session brings its choice only.
    [[nodiscard]] MeasuredUse measured_use() const { return {measured_, spec_.view.measured}; }
    void set_measured_use(const MeasuredUse& use);
    /// The device whose roofs are drawn; null without kernels.
    [[nodiscard]] const Device* drawn_device() const { return roofwalk::drawn_device(result(), focus_); }
    /// What was measured on it, where that is used; null: nothing.
    [[nodiscard]] const MeasuredCeilings* measured_of_drawn() const;
    /// Older reports that those open are compared with, oldest first. They stay when files are opened, and go
    /// with the last one that is closed.
    void set_baselines(std::vector<OpenFile> baselines);
    /// A GPU whose roofs are drawn beside those of the kernels; null without one.
    [[nodiscard]] const Device* other_device() const {
        return spec_.view.other_device ? known_or_described(*spec_.view.other_device) : nullptr;
    }
    /// A GPU that an open file leaves unnamed, as that file describes it; null when each is named.
    [[nodiscard]] const Device* unnamed_device() const { return roofwalk::unnamed_device(files_); }
    /// Takes this one for it: by its name, and with the ceilings that a person typed of it. Null: not told.
    /// Nothing changes while other files take the place of those open.
    void set_ran_on(const Device* device);
    [[nodiscard]] QString notes() const { return to_qt(spec_.notes); }
    [[nodiscard]] QString filter_text() const { return to_qt(spec_.view.filter); }
    /// What is wrong with the filter; the last valid one stays in force. Empty when all is well.
    [[nodiscard]] const QString& filter_fault() const { return filter_fault_; }

    void set_notes(const QString& notes) {
        change([&](WorkspaceSpec& spec) { spec.notes = notes.toStdString(); });
    }
    void set_filter(const QString& text) {
        change([&](WorkspaceSpec& spec) { spec.view.filter = text.toStdString(); });
    }
    void set_comparison_view(const ComparisonView& view) {
        change([&](WorkspaceSpec& spec) { spec.view.comparison = view; });
    }
    /// By its name, and with the ceilings that a person typed of it.
    void set_other_device(const Device* device) {
        const std::optional<Device> other = device ? std::optional(described_part(*device)) : std::nullopt;
        change([&](WorkspaceSpec& spec) { spec.view.other_device = other; });
    }

    [[nodiscard]] const ViewFocus& focus() const { return focus_; }
    [[nodiscard]] std::optional<std::uint32_t> selection() const { return focus_.selected; }
    [[nodiscard]] const KernelPoint* selected_point() const {
        return analysis() && selection() ? &analysis()->points[*selection()] : nullptr;
    }
    /// The filter leaves the selected kernel out.
    [[nodiscard]] bool selection_hidden() const { return selection() && !matches(*selection()); }
    /// The selected kernel whose gaps and roofs are drawn: the foremost where it matches the filter, else the
    /// longest of the others that do.
    [[nodiscard]] std::optional<std::uint32_t> drawn_selection() const {
        return roofwalk::drawn_selection(result(), focus_);
    }
    /// Every selected kernel, in the order of the points; selection() is the foremost of them.
    [[nodiscard]] std::vector<std::uint32_t> selected_points() const { return focus_.points(); }
    void select(std::optional<std::uint32_t> point) {
        select_points(point ? std::vector{*point} : std::vector<std::uint32_t>(), point);
    }
    /// Selects all of `points`, and looks at `foremost`, else at the longest of them.
    void select_points(const std::vector<std::uint32_t>& points,
                       std::optional<std::uint32_t> foremost = std::nullopt);
    /// Adds a kernel to the selection, or takes it out.
    void toggle(std::uint32_t point);
    /// Moves the selection through the matching kernels in their ranking; wraps round.
    void select_ranked(int step);
    [[nodiscard]] bool matches(std::uint32_t point) const { return result().matched(point); }
    /// Matching points, in their ranking.
    [[nodiscard]] std::vector<std::uint32_t> matching_ranked() const {
        return roofwalk::matching_ranked(result());
    }

    /// Also at work while files are closed; reading() tells whether it reads any.
    [[nodiscard]] Job& loading() { return load_; }
    [[nodiscard]] bool reading() const { return load_.running() && loads_.reads(); }
    [[nodiscard]] Job& analysing() { return builder_.analysing(); }

  signals:
    void files_changed();
    /// Files were read: those asked for that could be.
    void opened(const QStringList& paths);
    /// Reports were read that hold different counters of the same kernels.
    void separate_runs_opened();
    /// What became one run, a sentence each.
    void runs_joined(const QStringList& sentences);
    /// The session given to open_session() is on screen, but for what the chart shows of its plane.
    void session_opened(const std::shared_ptr<const roofwalk::OpenSession>& session);
    void failed(const roofwalk::Error& error);
    /// A report is not what it was when it was last read, or when the session was saved.
    void report_changed(const QString& path);
    void analysis_changed();
    /// `keep_view` is false when the scene shows something else than before.
    void scene_changed(bool keep_view);
    void options_changed();
    void selection_changed();
    /// Text or fault of the filter.
    void filter_changed();
    void matches_changed();
    void what_if_changed();
    void comparison_changed();
    void projection_changed();
    void notes_changed();
    void advice_thresholds_changed();

  private:
    [[nodiscard]] ViewInputs wanted() const;
    void update();
    [[nodiscard]] LoadRequest request_under_way() const;
    void load(LoadRequest request);
    void install(LoadedView loaded_view);
    void take_session(const OpenSession& session, LoadedView& loaded_view);
    QStringList take_sources(LoadResult& loaded);
    void take_filter();
    void emit_spec_changes(const WorkspaceSpec& before);
    void emit_new_view(bool other_files, bool keep_view);
    void emit_drawn(const WorkspaceResult& before);
    void keep_old_options();
    void set_focus(const ViewFocus& focus);

    std::vector<OpenFile> files_;
    std::vector<OpenFile> baselines_;
    WorkspaceSpec spec_;
    std::vector<std::shared_ptr<const MeasuredCeilings>> measured_;
    ViewFocus focus_;
    Theme theme_ = Theme::light;
    std::string filter_in_force_;
    QString filter_fault_;
    LoadRequest loads_;  ///< under way
    Job load_;
    ViewBuilder builder_{this};
};

}  // namespace roofwalk
