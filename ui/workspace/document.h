// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/chart/scene/scene.h"
#include "core/roofline/analysis.h"
#include "core/workspace/session.h"
#include "ui/workspace/document_loader.h"
#include "ui/workspace/followed_points.h"
#include "ui/workspace/job.h"
#include "ui/workspace/picture.h"

namespace roofwalk {

/// What is open and how it is looked at: files, options, selection and filter. Views read from it and listen;
/// they never talk to each other. Reading, analysing and scene building run on the pool.
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
    void open_session(const SessionOrder& session, const QStringList& beside);
    /// Whether a session is being read, which will take the place of what is done here.
    [[nodiscard]] bool session_arrives() const { return load_.running() && order_.session; }
    void reload();
    /// Shows what a recording has brought so far, under the path of its file; nothing is read. Its first
    /// profile takes the place of what is open.
    void show_recording(OpenFile recording);
    /// Closes one file, or gives up reading it; the others stay. The last one leaves the document empty.
    void close(const QString& path);
    /// Whether nothing stays open without that file.
    [[nodiscard]] bool is_last(const QString& path) const;
    void close_all();
    /// Forgets what was done with the files, of a document without any.
    void begin_anew();

    [[nodiscard]] bool empty() const { return profile_ == nullptr; }
    [[nodiscard]] const std::vector<OpenFile>& files() const { return files_; }
    /// Everything below is null or empty while the document is empty.
    [[nodiscard]] const std::shared_ptr<const Profile>& profile() const { return profile_; }
    [[nodiscard]] const std::shared_ptr<const Analysis>& analysis() const { return picture_.analysis; }
    [[nodiscard]] const std::shared_ptr<const Scene>& scene() const { return picture_.scene.scene(); }
    [[nodiscard]] const ChartScene& chart_scene() const { return picture_.scene; }

    [[nodiscard]] const AnalysisOptions& analysis_options() const { return analysis_options_; }
    /// The levels of the scene follow the levels of the analysis. Stopping the analysis brings back the
    /// options of the picture that stays.
    void set_analysis_options(const AnalysisOptions& options);
    /// Measurements that hold on this machine, and which devices get them. They are of no file: they stay
    /// when files are opened and closed, and a session brings its choice only.
    [[nodiscard]] const MeasuredUse& measured_use() const { return measured_use_; }
    void set_measured_use(MeasuredUse use);
    /// The device whose roofs are drawn; null without kernels.
    [[nodiscard]] const Device* drawn_device() const;
    /// What was measured on it, where that is used; null: nothing.
    [[nodiscard]] const MeasuredCeilings* measured_of_drawn() const;
    /// What a person and the rules say of operations. They stay when files are opened and closed.
    [[nodiscard]] const Bindings& bindings() const { return bindings_; }
    void set_bindings(const Bindings& bindings);
    /// What-if moves. They stay when files are opened and closed, and are made where they find their kernels.
    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    /// The moves are made on the pool; what_if_changed() tells when they are.
    void set_scenario(const Scenario& scenario);
    /// What the scenario made of the analysis when it was last made; analysis() stays as measured.
    [[nodiscard]] const std::shared_ptr<const WhatIf>& what_if() const { return picture_.overlays.what_if; }
    /// What is shown beside the analysis: the last three together.
    [[nodiscard]] const Overlays& overlays() const { return picture_.overlays; }
    /// What the chart shows: the analysis as the scenario leaves it.
    [[nodiscard]] const std::shared_ptr<const Analysis>& drawn_analysis() const;
    /// Older reports that those open are compared with, oldest first. They stay when files are opened, and go
    /// with the last one that is closed.
    [[nodiscard]] const std::vector<OpenFile>& baselines() const { return baselines_; }
    /// The comparison is made on the pool; compared_changed() tells when it is.
    void set_baselines(std::vector<OpenFile> baselines);
    /// How they are compared, and how much of it the chart shows.
    [[nodiscard]] const ComparisonView& comparison_view() const { return comparison_view_; }
    void set_comparison_view(const ComparisonView& view);
    /// The comparison with the older reports as it was last made; null without one.
    [[nodiscard]] const std::shared_ptr<const Compared>& compared() const {
        return picture_.overlays.compared;
    }
    /// A GPU of the built-in table whose roofs are drawn beside those of the kernels; null without one.
    [[nodiscard]] const Device* other_device() const { return other_device_; }
    void set_other_device(const Device* device);
    /// What would bind the kernels there, as it was last made; null without such a GPU.
    [[nodiscard]] const std::shared_ptr<const Elsewhere>& elsewhere() const {
        return picture_.overlays.elsewhere;
    }
    /// Where the rules of advice begin to fire.
    [[nodiscard]] const AdviceThresholds& advice_thresholds() const { return advice_thresholds_; }
    void set_advice_thresholds(const AdviceThresholds& thresholds);
    /// What a person wrote about all of it.
    [[nodiscard]] const QString& notes() const { return notes_; }
    void set_notes(const QString& notes);
    [[nodiscard]] const SceneOptions& scene_options() const { return scene_options_; }
    void set_scene_options(const SceneOptions& options);

    [[nodiscard]] std::optional<std::uint32_t> selection() const { return scene_options_.selected; }
    [[nodiscard]] const KernelPoint* selected_point() const;
    /// The filter leaves the selected kernel out.
    [[nodiscard]] bool selection_hidden() const { return selection() && !matches(*selection()); }
    /// The selected kernel whose gaps and roofs are drawn: the foremost where it matches the filter, else the
    /// longest of the others that do.
    [[nodiscard]] std::optional<std::uint32_t> drawn_selection() const;
    /// Every selected kernel, in the order of the points; selection() is the foremost of them.
    [[nodiscard]] std::vector<std::uint32_t> selected_points() const;
    void select(std::optional<std::uint32_t> point);
    /// Selects all of `points`, and looks at `foremost`, else at the longest of them.
    void select_points(const std::vector<std::uint32_t>& points,
                       std::optional<std::uint32_t> foremost = std::nullopt);
    /// Adds a kernel to the selection, or takes it out.
    void toggle(std::uint32_t point);
    /// Moves the selection through the matching kernels, longest first; wraps round.
    void select_by_time(int step);

    [[nodiscard]] const QString& filter_text() const { return filter_text_; }
    /// What is wrong with the filter; the last valid one stays in force. Empty when all is well.
    [[nodiscard]] const QString& filter_fault() const { return filter_fault_; }
    /// The kernels are matched on the pool; matches_changed() tells when it is done.
    void set_filter(const QString& text);
    [[nodiscard]] bool matches(std::uint32_t point) const;
    /// By point; empty while every kernel matches.
    [[nodiscard]] const std::vector<bool>& matching() const { return picture_.matches; }
    /// Matching points, longest first.
    [[nodiscard]] std::vector<std::uint32_t> matching_by_time() const;

    /// Also at work while files are closed; reading() tells whether it reads any.
    [[nodiscard]] Job& loading() { return load_; }
    [[nodiscard]] bool reading() const { return load_.running() && order_.reads(); }
    [[nodiscard]] Job& analysing() { return analyse_; }

  signals:
    void files_changed();
    /// Files were read: those asked for that could be.
    void opened(const QStringList& paths);
    /// The session given to open_session() is on screen, but for what the chart shows of its plane.
    void session_opened(const std::shared_ptr<const roofwalk::OpenSession>& session);
    void failed(const roofwalk::Error& error);
    void analysis_changed();
    /// `keep_view` is false when the scene shows something else than before.
    void scene_changed(bool keep_view);
    void options_changed();
    void selection_changed();
    /// Text or fault of the filter.
    void filter_changed();
    void matches_changed();
    void what_if_changed();
    void compared_changed();
    void elsewhere_changed();
    void notes_changed();
    void advice_thresholds_changed();

  private:
    /// What a session asks for.
    struct Asked {
        PictureOrder picture;
        QString filter_fault;
    };
    struct Loaded {
        LoadResult files;
        std::optional<Picture> picture;  ///< absent when nothing was read
        Asked asked;                     ///< by the session, where there is one
        std::uint64_t revision = 0;
    };
    struct Drawn {
        std::vector<bool> matches;
        Overlays overlays;
        ChartScene scene;
    };
    /// Something made again by itself: the revisions at which it was last asked for, and last made of.
    struct Part {
        std::uint64_t asked = 0;
        std::uint64_t made = 0;

        [[nodiscard]] bool stale() const { return made < asked; }
    };
    struct Parts {
        Part matches;
        Part what_if;
        Part compared;
        Part elsewhere;

        [[nodiscard]] std::array<Part*, 4> all() { return {&matches, &what_if, &compared, &elsewhere}; }
    };
    /// What a picture shows, beside what is on screen.
    enum class Showing : std::uint8_t { another_session, other_files, same_files };

    [[nodiscard]] LoadOrder order_under_way() const;
    [[nodiscard]] PictureOrder picture_order(SceneOptions scene_options) const;
    void load(LoadOrder order);
    void install(Loaded loaded);
    void clear();
    [[nodiscard]] static Asked asked_by(const WorkspaceSpec& session, Theme theme);
    void take_on(Asked asked, const WorkspaceSpec& session);
    void tell_of_session();
    /// Asks for a part of the picture anew.
    void ask_for(Part& part);
    void analyse_again();
    void build_scene_again();
    void take_over(Picture picture, std::shared_ptr<const Profile> profile, std::uint64_t revision,
                   Showing showing);
    void follow_selection(const Analysed& before);
    void show(Drawn drawn, Parts made, std::uint64_t revision);
    void keep_old_picture();
    /// The picture is of other measured ceilings than are to be used.
    [[nodiscard]] bool lacks_measured() const;
    void put_selection(const std::vector<std::uint32_t>& points, std::optional<std::uint32_t> foremost);

    std::vector<OpenFile> files_;
    std::shared_ptr<const Profile> profile_;
    AnalysisOptions analysis_options_;
    MeasuredUse measured_use_;
    SceneOptions scene_options_;
    Bindings bindings_;
    Scenario scenario_;
    std::vector<OpenFile> baselines_;
    ComparisonView comparison_view_;
    const Device* other_device_ = nullptr;
    AdviceThresholds advice_thresholds_;
    QString notes_;
    KernelFilter filter_;
    QString filter_text_;
    QString filter_fault_;
    Picture picture_;
    std::uint64_t revision_ = 0;  ///< of options and filter: tells whether a picture is of today's
    Parts parts_;                 ///< of the picture
    LoadOrder order_;             ///< of the load under way
    bool scene_stale_ = false;    ///< the scene under way is of yesterday's options
    Job load_;
    Job analyse_;
    Job scene_;
};

}  // namespace roofwalk
