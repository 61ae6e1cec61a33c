// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document.h"

#include <QFileInfo>
#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/qt_text.h"

namespace roofwalk {

namespace {

/// Without the selection: indices of points mean nothing in another analysis.
SceneOptions without_points(SceneOptions options) {
    options.selected.reset();
    options.also_selected.clear();
    return options;
}

bool same_selection(const SceneOptions& one, const SceneOptions& other) {
    return one.selected == other.selected && one.also_selected == other.also_selected;
}

}  // namespace

Document::Document(QObject* parent) : QObject(parent) {
    scene_options_.levels = analysis_options_.levels;
    for (Job* job : {&load_, &analyse_, &scene_})
        connect(job, &Job::failed, this, &Document::failed);
    connect(&analyse_, &Job::failed, this, &Document::keep_old_picture);
    connect(&scene_, &Job::failed, this, [this] {
        if (scene_stale_) build_scene_again();
    });
}

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

void Document::close(const QString& path) {
    LoadOrder order = order_under_way();
    const auto closed = std::erase_if(order.kept, [&](const OpenFile& file) { return file.path == path; });
    if (closed + static_cast<std::size_t>(order.paths.removeAll(path)) == 0) return;
    if (order.kept.empty()) {
        load_.drop();
        clear();
    }
    if (!order.kept.empty() || !order.paths.isEmpty()) load(std::move(order));
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
        [order = order_, closes,
         picture_order = order_.session ? picture_order_of(*order_.session)
                                        : picture_order(without_points(scene_options_)),
         revision = revision_](const Progress& progress) {
            Loaded loaded{load_files(order, progress), std::nullopt, revision};
            // Kernels read before a cancel are kept, so what is drawn of them must not be cut short too.
            if (closes || !loaded.files.read.isEmpty())
                loaded.picture = make_picture(loaded.files.merged, picture_order, {});
            return loaded;
        },
        [this](Loaded loaded) { install(std::move(loaded)); });
}

void Document::install(Loaded loaded) {
    if (loaded.picture) {
        const bool same_files =
            std::ranges::equal(files_, loaded.files.files, {}, &OpenFile::path, &OpenFile::path);
        analyse_.drop();
        scene_.drop();
        files_ = std::move(loaded.files.files);
        if (!same_files) scene_options_.roofs_of.reset();
        const bool outdated = loaded.revision != revision_;
        const std::shared_ptr<const Session> session = std::exchange(order_.session, nullptr);
        if (session) take_on(*session);
        take_over(std::move(*loaded.picture), std::move(loaded.files.merged),
                  session ? revision_ : loaded.revision, same_files && !session);
        if (outdated)
            analyse_again();
        else if (selection())
            build_scene_again();
        if (session) {
            find_again(session->view);
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

void Document::take_over(Picture picture, std::shared_ptr<const Profile> profile, std::uint64_t revision,
                         bool keep_view) {
    matches_revision_ = what_if_revision_ = compared_revision_ = elsewhere_revision_ = revision;
    const Picture before = std::exchange(picture_, std::move(picture));
    const std::shared_ptr<const Profile> profile_before = std::exchange(profile_, std::move(profile));
    if (before.analysis) follow_selection({*profile_before, *before.analysis});
    if (profile_ != profile_before) emit files_changed();
    emit analysis_changed();
    emit what_if_changed();
    emit compared_changed();
    emit elsewhere_changed();
    emit selection_changed();
    const bool same_axes =
        before.analysis && before.analysis->options.operations == picture_.analysis->options.operations;
    emit scene_changed(keep_view && same_axes);
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

void Document::keep_old_picture() {
    bindings_ = picture_.bindings;
    analysis_options_ = picture_.analysis->options;
    scene_options_.levels = analysis_options_.levels;
    ++revision_;
    emit options_changed();
    build_scene_again();
}

void Document::set_analysis_options(const AnalysisOptions& options) {
    analysis_options_ = options;
    scene_options_.levels = options.levels;
    ++revision_;
    emit options_changed();
    if (!empty()) analyse_again();
}

void Document::set_bindings(const Bindings& bindings) {
    bindings_ = bindings;
    ++revision_;
    emit options_changed();
    if (!empty()) analyse_again();
}

void Document::set_scenario(const Scenario& scenario) {
    scenario_ = scenario;
    scenario_revision_ = ++revision_;
    emit options_changed();
    build_scene_again();
}

void Document::set_baselines(std::vector<OpenFile> baselines) {
    baselines_ = std::move(baselines);
    baselines_revision_ = ++revision_;
    emit options_changed();
    build_scene_again();
}

void Document::set_other_device(const Device* device) {
    other_device_ = device;
    other_device_revision_ = ++revision_;
    emit options_changed();
    build_scene_again();
}

PictureOrder Document::picture_order(SceneOptions scene_options) const {
    return {bindings_,     analysis_options_,        scenario_, baselines_,
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
                       take_over(std::move(*picture), profile_, revision, true);
                       if (revision != revision_ || !same_selection(scene_options, scene_options_))
                           build_scene_again();
                   });
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

void Document::build_scene_again() {
    if (empty() || analyse_.running()) return;  // the analysis under way ends with a scene of its own
    scene_stale_ = scene_.running();
    if (scene_stale_) return;  // nobody would see more scenes than can be built
    const Stale stale{matches_revision_ < filter_revision_, what_if_revision_ < scenario_revision_,
                      compared_revision_ < baselines_revision_, elsewhere_revision_ < other_device_revision_};
    scene_.start(
        [profile = profile_, analysis = picture_.analysis, order = picture_order(scene_options_), stale,
         drawn = Drawn{picture_.matches, picture_.overlays, {}}](
            const Progress& progress) mutable -> std::optional<Drawn> {
            if (stale.matches) {
                auto matched = matching_points(*analysis, order.filter, progress);
                if (!matched) return std::nullopt;
                drawn.matches = std::move(*matched);
            }
            Overlays& overlays = drawn.overlays;
            if (stale.what_if) overlays.what_if = make_what_if(order.scenario, *profile, *analysis);
            if (stale.compared)
                overlays.compared = make_compared(order.baselines, profile, analysis, progress);
            if (stale.elsewhere) overlays.elsewhere = make_elsewhere(order.other_device, profile, analysis);
            if (progress.cancelled()) return std::nullopt;
            drawn.scene = ChartScene(make_scene(*profile, *analysis, overlays, order.scene, drawn.matches));
            return std::move(drawn);
        },
        [this, stale, revision = revision_](std::optional<Drawn> drawn) {
            if (drawn) show(std::move(*drawn), stale, revision);
            if (scene_stale_) build_scene_again();
        });
}

void Document::show(Drawn drawn, Stale made, std::uint64_t revision) {
    picture_.overlays = std::move(drawn.overlays);
    const auto place = [&](bool is_new, std::uint64_t& of, void (Document::*changed)()) {
        if (!is_new) return;
        of = revision;
        emit(this->*changed)();
    };
    place(made.what_if, what_if_revision_, &Document::what_if_changed);
    place(made.compared, compared_revision_, &Document::compared_changed);
    place(made.elsewhere, elsewhere_revision_, &Document::elsewhere_changed);
    picture_.scene = std::move(drawn.scene);
    if (made.matches) {
        picture_.matches = std::move(drawn.matches);
        matches_revision_ = revision;
        emit matches_changed();
    }
    emit scene_changed(!made.compared && !made.elsewhere);  // these bring places and roofs that lie outside
}

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

void Document::set_filter(const QString& text) {
    filter_text_ = text;
    Result<KernelFilter> filter = parse_kernel_filter(text);
    filter_fault_ = filter ? QString() : to_qt(to_line(filter.error()));
    if (filter) {
        filter_ = std::move(*filter);
        filter_revision_ = ++revision_;
        scene_.cancel();  // what it matches, it matches against an older filter
        build_scene_again();
    }
    emit filter_changed();
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

}  // namespace roofwalk
