// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/chart/scene.h"
#include "core/roofline/analysis.h"
#include "core/session/session.h"
#include "ui/document_loader.h"
#include "ui/followed_points.h"
#include "ui/job.h"
#include "ui/picture.h"

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
    /// Reads the files of a session in the place of what is open, and brings back what was done with them.
    /// Everything stays as it is when none of them can be read.
    void open_session(const QStringList& files, std::shared_ptr<const Session> session);
    void reload();
    /// Closes one file, or gives up reading it; the others stay. The last one leaves the document empty.
    void close(const QString& path);
    void close_all();
    /// Closes everything and forgets what was done with it.
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
    [[nodiscard]] bool reading() const { return load_.running() && !order_.paths.isEmpty(); }
    [[nodiscard]] Job& analysing() { return analyse_; }

  signals:
    void files_changed();
    /// Files were read: those asked for that could be.
    void opened(const QStringList& paths);
    /// The session given to open_session() is on screen, but for what the chart shows of its plane.
    void session_opened(const std::shared_ptr<const roofwalk::Session>& session);
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

  private:
    struct Loaded {
        LoadResult files;
        std::optional<Picture> picture;  ///< absent when nothing was read
        std::uint64_t revision = 0;
    };
    struct Drawn {
        std::vector<bool> matches;
        Overlays overlays;
        ChartScene scene;
    };
    /// What is no longer as it was when the picture was made, and has to be made again for a new scene.
    struct Stale {
        bool matches = false;
        bool what_if = false;
        bool compared = false;
        bool elsewhere = false;
    };

    [[nodiscard]] LoadOrder order_under_way() const;
    [[nodiscard]] PictureOrder picture_order(SceneOptions scene_options) const;
    void load(LoadOrder order);
    void install(Loaded loaded);
    void clear();
    [[nodiscard]] PictureOrder picture_order_of(const Session& session) const;
    void take_on(const Session& session);
    void find_again(const SessionView& view);
    void analyse_again();
    void build_scene_again();
    void take_over(Picture picture, std::shared_ptr<const Profile> profile, std::uint64_t revision,
                   bool keep_view);
    void follow_selection(const Analysed& before);
    void show(Drawn drawn, Stale made, std::uint64_t revision);
    void keep_old_picture();
    void put_selection(const std::vector<std::uint32_t>& points, std::optional<std::uint32_t> foremost);

    std::vector<OpenFile> files_;
    std::shared_ptr<const Profile> profile_;
    AnalysisOptions analysis_options_;
    SceneOptions scene_options_;
    Bindings bindings_;
    Scenario scenario_;
    std::vector<OpenFile> baselines_;
    const Device* other_device_ = nullptr;
    AdviceThresholds advice_thresholds_;
    QString notes_;
    KernelFilter filter_;
    QString filter_text_;
    QString filter_fault_;
    Picture picture_;
    std::uint64_t revision_ = 0;            ///< of options and filter: tells whether a picture is of today's
    std::uint64_t filter_revision_ = 0;     ///< at which the filter last changed
    std::uint64_t matches_revision_ = 0;    ///< that picture_.matches is of
    std::uint64_t scenario_revision_ = 0;   ///< at which the scenario last changed
    std::uint64_t what_if_revision_ = 0;    ///< that picture_.overlays.what_if is of
    std::uint64_t baselines_revision_ = 0;  ///< at which the older reports last changed
    std::uint64_t compared_revision_ = 0;   ///< that picture_.overlays.compared is of
    std::uint64_t other_device_revision_ = 0;  ///< at which the other GPU last changed
    std::uint64_t elsewhere_revision_ = 0;     ///< that picture_.overlays.elsewhere is of
    LoadOrder order_;                          ///< of the load under way
    bool scene_stale_ = false;                 ///< the scene under way is of yesterday's options
    Job load_;
    Job analyse_;
    Job scene_;
};

}  // namespace roofwalk
