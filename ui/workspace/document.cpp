// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/document.h"

#include <QFileInfo>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/devices/device_ceilings.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/selected_points.h"

namespace roofwalk {

// What a person asks of a document: options, operations, moves, comparisons and the filter.

Document::Document(QObject* parent) : QObject(parent) {
    scene_options_.levels = analysis_options_.levels;
    for (Job* job : {&load_, &analyse_, &scene_})
        connect(job, &Job::failed, this, &Document::failed);
    connect(&analyse_, &Job::failed, this, &Document::keep_old_picture);
    connect(&scene_, &Job::failed, this, [this] {
        if (scene_stale_) build_scene_again();
    });
}

void Document::set_analysis_options(const AnalysisOptions& options) {
    analysis_options_ = options;
    scene_options_.levels = options.levels;
    ++revision_;
    emit options_changed();
    if (!empty()) analyse_again();
}

void Document::set_measured_use(MeasuredUse use) {
    if (use == measured_use_) return;
    measured_use_ = std::move(use);
    const bool analyses = lacks_measured() || analyse_.running() || !baselines_.empty();
    if (analyses) ++revision_;
    emit options_changed();
    if (analyses) analyse_again();
}

const Device* Document::drawn_device() const {
    if (empty()) return nullptr;
    SceneOptions options = scene_options_;
    options.selected = roofwalk::drawn_selection(*picture_.analysis, options, picture_.matches);
    const auto device = board_in_use(*profile_, *picture_.analysis, options);
    return device ? &profile_->devices[static_cast<std::size_t>(*device)] : nullptr;
}

const MeasuredCeilings* Document::measured_of_drawn() const {
    const Device* device = drawn_device();
    return device != nullptr ? measured_for(*device, measured_use_) : nullptr;
}

void Document::set_bindings(const Bindings& bindings) {
    bindings_ = bindings;
    ++revision_;
    emit options_changed();
    if (!empty()) analyse_again();
}

void Document::set_scenario(const Scenario& scenario) {
    scenario_ = scenario;
    ask_for(parts_.what_if);
}

void Document::set_baselines(std::vector<OpenFile> baselines) {
    baselines_ = std::move(baselines);
    ask_for(parts_.compared);
}

void Document::set_comparison_view(const ComparisonView& view) {
    if (view == comparison_view_) return;
    const bool compares_otherwise = view.noise != comparison_view_.noise;
    comparison_view_ = view;
    if (compares_otherwise) return ask_for(parts_.compared);
    ++revision_;
    emit options_changed();
    build_scene_again();
}

void Document::set_other_device(const Device* device) {
    other_device_ = device;
    ask_for(parts_.elsewhere);
}

void Document::ask_for(Part& part) {
    part.asked = ++revision_;
    emit options_changed();
    build_scene_again();
}

void Document::set_scene_options(const SceneOptions& options) {
    SceneOptions before = std::exchange(scene_options_, options);
    scene_options_.selected = before.selected;
    scene_options_.also_selected = std::move(before.also_selected);
    scene_options_.levels = analysis_options_.levels;
    ++revision_;
    emit options_changed();
    build_scene_again();
}

void Document::set_filter(const QString& text) {
    filter_text_ = text;
    Result<KernelFilter> filter = parse_kernel_filter(text.toStdString());
    filter_fault_ = filter ? QString() : to_qt(to_line(filter.error()));
    if (filter) {
        filter_ = std::move(*filter);
        parts_.matches.asked = ++revision_;
        scene_.cancel();  // what it matches, it matches against an older filter
        build_scene_again();
    }
    emit filter_changed();
}

void Document::set_advice_thresholds(const AdviceThresholds& thresholds) {
    if (thresholds == advice_thresholds_) return;
    advice_thresholds_ = thresholds;
    emit advice_thresholds_changed();
}

void Document::set_notes(const QString& notes) {
    if (notes == notes_) return;
    notes_ = notes;
    emit notes_changed();
}

// The files of a document: they are opened, added, closed and read again, one after another or all at once.

LoadOrder Document::order_under_way() const {
    return load_.running() ? order_ : LoadOrder{{}, files_, false};
}

void Document::open(const QStringList& paths, Opening opening) {
    if (paths.isEmpty()) return;
    LoadOrder order = order_under_way();
    if (opening == Opening::replace) {
        order.paths.clear();
        order.session.reset();
        order.replaces = true;
    }
    for (const QString& path : paths)
        order.paths.append(QFileInfo(path).absoluteFilePath());
    order.paths.removeDuplicates();
    load(std::move(order));
}

void Document::open_session(const SessionOrder& session, const QStringList& beside) {
    LoadOrder order = order_under_way();
    order.paths = beside;
    order.paths.removeDuplicates();
    order.replaces = true;
    order.session = session;
    if (order.reads()) load(std::move(order));
}

void Document::reload() {
    LoadOrder order = order_under_way();
    if (order.replaces || order.kept.empty()) return;  // what is open is about to go
    QStringList paths;
    for (const OpenFile& file : order.kept)
        paths.append(file.path);
    order.paths = paths + order.paths;
    order.paths.removeDuplicates();
    load(std::move(order));
}

void Document::show_recording(OpenFile recording) {
    LoadOrder order = order_under_way();
    order.replaces = std::ranges::find(order.kept, recording.path, &OpenFile::path) == order.kept.end();
    order.recording = std::move(recording);
    load(std::move(order));
}

void Document::close(const QString& path) {
    LoadOrder order = order_under_way();
    const auto closed = std::erase_if(order.kept, [&](const OpenFile& file) { return file.path == path; });
    if (closed + static_cast<std::size_t>(order.paths.removeAll(path)) == 0) return;
    if (order.kept.empty()) {
        load_.drop();
        clear();
    }
    if (!order.kept.empty() || order.reads()) load(std::move(order));
}

bool Document::is_last(const QString& path) const {
    const LoadOrder order = order_under_way();
    return !order.kept.empty() &&
           std::ranges::all_of(order.kept, [&](const OpenFile& file) { return file.path == path; });
}

void Document::close_all() {
    load_.drop();
    clear();
}

void Document::load(LoadOrder order) {
    load_.drop();  // so that who shows the work is told that it is another now
    order_ = std::move(order);
    const bool closes = order_.kept.size() < files_.size();
    load_.start(
        [order = order_, closes, picture_order = picture_order(without_points(scene_options_)),
         theme = scene_options_.theme, revision = revision_](const Progress& progress) {
            Loaded loaded{load_files(order, progress), std::nullopt, {}, revision};
            const LoadResult& files = loaded.files;
            // Kernels read before a cancel are kept, so what is drawn of them must not be cut short too.
            if (files.session) {
                loaded.asked = asked_by(files.session->session, theme);
                loaded.asked.picture.baselines = files.baselines;
                loaded.asked.picture.measured.known = picture_order.measured.known;
                loaded.picture = make_picture(files.merged, loaded.asked.picture, {});
            } else if (closes || order.recording || !files.read.isEmpty()) {
                loaded.picture = make_picture(files.merged, picture_order, {});
            }
            return loaded;
        },
        [this](Loaded loaded) { install(std::move(loaded)); });
}

void Document::install(Loaded loaded) {
    const std::shared_ptr<const OpenSession> session = loaded.files.session;
    if (loaded.picture) {
        const bool same_files =
            std::ranges::equal(files_, loaded.files.files, {}, &OpenFile::path, &OpenFile::path);
        analyse_.drop();
        scene_.drop();
        files_ = std::move(loaded.files.files);
        if (!same_files) scene_options_.roofs_of.reset();
        const Theme drawn_in = loaded.picture->scene_options.theme;
        if (session) {
            loaded.asked.picture.scene = loaded.picture->scene_options;
            take_on(std::move(loaded.asked), session->session);
            loaded.revision = revision_;
        }
        take_over(std::move(*loaded.picture), std::move(loaded.files.merged), loaded.revision,
                  session      ? Showing::another_session
                  : same_files ? Showing::same_files
                               : Showing::other_files);
        if (loaded.revision != revision_ || lacks_measured())
            analyse_again();
        else if (drawn_in != scene_options_.theme || (selection() && !session))
            build_scene_again();
        if (session) {
            tell_of_session();
            emit session_opened(session);
        }
        if (!loaded.files.read.isEmpty()) emit opened(loaded.files.read);
    }
    for (const Error& error : loaded.files.failures)
        emit failed(error);
}

void Document::clear() {
    analyse_.drop();
    scene_.drop();
    files_.clear();
    profile_.reset();
    picture_ = {};
    baselines_.clear();
    scene_options_ = without_points(std::move(scene_options_));
    scene_options_.roofs_of.reset();
    emit files_changed();
    emit analysis_changed();
    emit what_if_changed();
    emit compared_changed();
    emit elsewhere_changed();
    emit scene_changed(false);
    emit selection_changed();
}

// The picture of a document: it is made on the pool, whole or in parts, and taken over when it is there.

PictureOrder Document::picture_order(SceneOptions scene_options) const {
    return {bindings_,     analysis_options_,        measured_use_, scenario_, baselines_, comparison_view_,
            other_device_, std::move(scene_options), filter_};
}

const std::shared_ptr<const Analysis>& Document::drawn_analysis() const {
    return what_if() && what_if()->moved ? what_if()->moved : picture_.analysis;
}

void Document::analyse_again() {
    scene_.drop();
    const bool same_points = picture_.analysis->options.group_by == analysis_options_.group_by;
    SceneOptions scene_options = same_points ? scene_options_ : without_points(scene_options_);
    analyse_.start([profile = profile_, order = picture_order(scene_options)](
                       const Progress& progress) { return make_picture(profile, order, progress); },
                   [this, scene_options, revision = revision_](std::optional<Picture> picture) {
                       if (!picture) return keep_old_picture();
                       take_over(std::move(*picture), profile_, revision, Showing::same_files);
                       if (revision != revision_ || !same_selection(scene_options, scene_options_))
                           build_scene_again();
                   });
}

bool Document::lacks_measured() const {
    return !empty() && measured_sets(*profile_, measured_use_) != picture_.analysis->options.measured;
}

void Document::keep_old_picture() {
    bindings_ = picture_.bindings;
    measured_use_.choice = picture_.measured.choice;
    analysis_options_ = picture_.analysis->options;
    analysis_options_.levels = picture_.scene_options.levels;  // as ordered: without L1 where it only binds
    scene_options_.levels = analysis_options_.levels;
    ++revision_;
    emit options_changed();
    build_scene_again();
}

void Document::take_over(Picture picture, std::shared_ptr<const Profile> profile, std::uint64_t revision,
                         Showing showing) {
    for (Part* part : parts_.all())
        part->made = revision;
    const Picture before = std::exchange(picture_, std::move(picture));
    const std::shared_ptr<const Profile> profile_before = std::exchange(profile_, std::move(profile));
    if (before.analysis && showing != Showing::another_session)
        follow_selection({*profile_before, *before.analysis});
    if (profile_ != profile_before) emit files_changed();
    emit analysis_changed();
    emit what_if_changed();
    emit compared_changed();
    emit elsewhere_changed();
    emit selection_changed();
    const bool same_axes =
        before.analysis && before.analysis->options.operations == picture_.analysis->options.operations;
    emit scene_changed(showing == Showing::same_files && same_axes);
}

void Document::follow_selection(const Analysed& before) {
    const Analysed now{*profile_, *picture_.analysis};
    const bool same_points =
        &now.profile == &before.profile && now.analysis.options.group_by == before.analysis.options.group_by;
    if (!selection() || same_points) return;
    std::vector<std::uint32_t> points{*selection()};
    points.insert(points.end(), scene_options_.also_selected.begin(), scene_options_.also_selected.end());
    const std::vector<std::optional<std::uint32_t>> found = follow_points(before, points, now);
    points.clear();
    for (const std::optional<std::uint32_t> point : found)
        if (point) points.push_back(*point);
    put_selection(points, found.front());
}

void Document::build_scene_again() {
    if (empty() || analyse_.running()) return;  // the analysis under way ends with a scene of its own
    scene_stale_ = scene_.running();
    if (scene_stale_) return;  // nobody would see more scenes than can be built
    scene_.start(
        [profile = profile_, analysis = picture_.analysis, order = picture_order(scene_options_),
         parts = parts_, drawn = Drawn{picture_.matches, picture_.overlays, {}}](
            const Progress& progress) mutable -> std::optional<Drawn> {
            if (parts.matches.stale()) {
                auto matched = matching_points(*analysis, order.filter, progress);
                if (!matched) return std::nullopt;
                drawn.matches = std::move(*matched);
            }
            Overlays& overlays = drawn.overlays;
            if (parts.what_if.stale())
                overlays.what_if = make_what_if(order.scenario, *profile, *analysis, progress);
            if (parts.compared.stale())
                overlays.compared = make_compared(order.baselines, profile, analysis, order.measured,
                                                  {.noise = order.comparison.noise}, progress);
            if (parts.elsewhere.stale())
                overlays.elsewhere = make_elsewhere(order.other_device, profile, analysis, progress);
            if (progress.cancelled()) return std::nullopt;
            drawn.scene = ChartScene(make_scene({*profile, *analysis, order.measured}, overlays, order.scene,
                                                drawn.matches, order.comparison.arrows));
            return std::move(drawn);
        },
        [this, parts = parts_, revision = revision_](std::optional<Drawn> drawn) {
            if (drawn) show(std::move(*drawn), parts, revision);
            if (scene_stale_) build_scene_again();
        });
}

void Document::show(Drawn drawn, Parts made, std::uint64_t revision) {
    picture_.overlays = std::move(drawn.overlays);
    const auto place = [&](const Part& was, Part& now, void (Document::*changed)()) {
        if (!was.stale()) return;
        now.made = revision;
        emit(this->*changed)();
    };
    place(made.what_if, parts_.what_if, &Document::what_if_changed);
    place(made.compared, parts_.compared, &Document::compared_changed);
    place(made.elsewhere, parts_.elsewhere, &Document::elsewhere_changed);
    picture_.scene = std::move(drawn.scene);
    if (made.matches.stale()) {
        picture_.matches = std::move(drawn.matches);
        parts_.matches.made = revision;
        emit matches_changed();
    }
    // Another comparison and other roofs bring places that lie outside.
    emit scene_changed(!made.compared.stale() && !made.elsewhere.stale());
}

// What is selected in a document, and what the filter leaves of it.

const KernelPoint* Document::selected_point() const {
    if (!picture_.analysis || !scene_options_.selected) return nullptr;
    return &picture_.analysis->points[*scene_options_.selected];
}

std::optional<std::uint32_t> Document::drawn_selection() const {
    if (!picture_.analysis) return std::nullopt;
    return roofwalk::drawn_selection(*picture_.analysis, scene_options_, picture_.matches);
}

std::vector<std::uint32_t> Document::selected_points() const {
    std::vector<std::uint32_t> points = scene_options_.also_selected;
    if (scene_options_.selected) points.push_back(*scene_options_.selected);
    std::ranges::sort(points);
    return points;
}

void Document::select(std::optional<std::uint32_t> point) {
    select_points(point ? std::vector{*point} : std::vector<std::uint32_t>(), point);
}

void Document::select_points(const std::vector<std::uint32_t>& points,
                             std::optional<std::uint32_t> foremost) {
    if (empty()) return;
    const SceneOptions before = scene_options_;
    put_selection(points, foremost);
    if (same_selection(before, scene_options_)) return;
    emit selection_changed();
    build_scene_again();
}

void Document::put_selection(const std::vector<std::uint32_t>& points,
                             std::optional<std::uint32_t> foremost) {
    std::vector<bool> wanted(picture_.by_time.size());
    for (const std::uint32_t point : points)
        wanted[point] = true;
    if (!foremost || !wanted[*foremost]) {
        const auto longest =
            std::ranges::find_if(picture_.by_time, [&](std::uint32_t point) { return wanted[point]; });
        foremost = longest != picture_.by_time.end() ? std::optional(*longest) : std::nullopt;
    }
    scene_options_.selected = foremost;
    scene_options_.also_selected.clear();
    for (std::uint32_t point = 0; point < wanted.size(); ++point)
        if (wanted[point] && point != foremost) scene_options_.also_selected.push_back(point);
}

void Document::toggle(std::uint32_t point) {
    std::vector<std::uint32_t> points = selected_points();
    if (std::erase(points, point) > 0) return select_points(points, scene_options_.selected);
    points.push_back(point);
    select_points(points, point);
}

void Document::select_by_time(int step) {
    const std::vector<std::uint32_t> order = matching_by_time();
    if (order.empty()) return;
    const auto count = static_cast<std::ptrdiff_t>(order.size());
    const auto here =
        scene_options_.selected ? std::ranges::find(order, *scene_options_.selected) : order.end();
    const std::ptrdiff_t from = here != order.end() ? here - order.begin() : (step > 0 ? -1 : 0);
    select(order[static_cast<std::size_t>((from + step + count) % count)]);
}

bool Document::matches(std::uint32_t point) const {
    return picture_.matches.empty() || picture_.matches[point];
}

std::vector<std::uint32_t> Document::matching_by_time() const {
    std::vector<std::uint32_t> order;
    order.reserve(picture_.by_time.size());
    std::ranges::copy_if(picture_.by_time, std::back_inserter(order),
                         [this](std::uint32_t point) { return matches(point); });
    return order;
}

// What a document does for sessions: it takes on what was done with the files.

namespace {

AnalysisOptions analysis_of(const WorkspaceSpec& session) {
    AnalysisOptions options = session.view.analysis;
    for (const SessionCeilings& device : session.ceilings)
        options.overrides[device.device] = device.ceilings;
    return options;
}

SceneOptions scene_of(const WorkspaceSpec& session, Theme theme) {
    SceneOptions options = session.view.scene;
    options.levels = session.view.analysis.levels;
    options.theme = theme;
    return options;
}

}  // namespace

Document::Asked Document::asked_by(const WorkspaceSpec& session, Theme theme) {
    const SessionView& view = session.view;
    Result<KernelFilter> filter = parse_kernel_filter(view.filter);
    const QString fault = filter ? QString() : to_qt(to_line(filter.error()));
    return {{session.bindings,
             analysis_of(session),
             {{}, view.measured},
             session.scenario,
             {},
             view.comparison,
             view.other_device.empty() ? nullptr : find_known_device(view.other_device),
             scene_of(session, theme),
             filter ? *std::move(filter) : KernelFilter(),
             {view.roofs_of, view.selection}},
            fault};
}

void Document::take_on(Asked asked, const WorkspaceSpec& session) {
    PictureOrder& order = asked.picture;
    bindings_ = std::move(order.bindings);
    analysis_options_ = std::move(order.analysis);
    measured_use_.choice = order.measured.choice;
    scenario_ = std::move(order.scenario);
    baselines_ = std::move(order.baselines);
    comparison_view_ = std::move(order.comparison);
    other_device_ = order.other_device;
    order.scene.theme = scene_options_.theme;  // the theme is the window's
    scene_options_ = std::move(order.scene);
    filter_ = std::move(order.filter);
    filter_text_ = to_qt(session.view.filter);
    filter_fault_ = std::move(asked.filter_fault);
    advice_thresholds_ = session.thresholds;
    notes_ = to_qt(session.notes);
    ++revision_;
    for (Part* part : parts_.all())
        part->asked = revision_;
}

void Document::tell_of_session() {
    emit options_changed();
    emit filter_changed();
    emit notes_changed();
    emit advice_thresholds_changed();
}

void Document::begin_anew() {
    take_on(asked_by({}, scene_options_.theme), {});
    tell_of_session();
}

}  // namespace roofwalk
