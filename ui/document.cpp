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

}  // namespace

Document::Document(QObject* parent) : QObject(parent) {
    scene_options_.levels = analysis_options_.levels;
    for (Job* job : {&load_, &analyse_, &scene_})
        connect(job, &Job::failed, this, &Document::failed);
    connect(&analyse_, &Job::failed, this, &Document::keep_old_picture);
}

void Document::open(const QStringList& paths, Opening opening) {
    QStringList absolute;
    for (const QString& path : paths)
        absolute.append(QFileInfo(path).absoluteFilePath());
    absolute.removeDuplicates();
    if (!absolute.isEmpty()) load(absolute, opening == Opening::add ? files_ : std::vector<OpenFile>());
}

void Document::reload() {
    QStringList paths;
    for (const OpenFile& file : files_)
        paths.append(file.path);
    if (!paths.isEmpty()) load(paths, files_);
}

void Document::close(const QString& path) {
    std::vector<OpenFile> kept = files_;
    std::erase_if(kept, [&](const OpenFile& file) { return file.path == path; });
    if (kept.empty())
        close_all();
    else if (kept.size() < files_.size())
        load({}, std::move(kept));
}

void Document::load(const QStringList& paths, std::vector<OpenFile> kept) {
    const SceneOptions scene_options = without_points(scene_options_);
    load_.start(
        [paths, kept = std::move(kept), options = analysis_options_, scene_options, filter = filter_,
         revision = revision_](const Progress& progress) {
            Loaded loaded{load_files(paths, kept, progress), std::nullopt, revision};
            // Kernels read before a cancel are kept, so what is drawn of them must not be cut short too.
            if (loaded.files.any_read || paths.isEmpty())
                loaded.picture = make_picture(*loaded.files.merged, options, scene_options, filter, {});
            return loaded;
        },
        [this, paths](Loaded loaded) { install(std::move(loaded), paths); });
}

void Document::install(Loaded loaded, const QStringList& asked_for) {
    if (loaded.picture) {
        const bool same_files =
            std::ranges::equal(files_, loaded.files.files, {}, &OpenFile::path, &OpenFile::path);
        analyse_.drop();
        scene_.drop();
        files_ = std::move(loaded.files.files);
        profile_ = std::move(loaded.files.merged);
        picture_ = {};
        scene_options_ = without_points(std::move(scene_options_));
        if (!same_files) scene_options_.roofs_of.reset();
        emit files_changed();
        const bool stale = loaded.revision != revision_;
        take_over(std::move(*loaded.picture), loaded.revision, same_files);
        if (stale) analyse_again(same_files);
        QStringList read;
        for (const OpenFile& file : files_)
            if (asked_for.contains(file.path)) read.append(file.path);
        emit opened(read);
    }
    for (const Error& error : loaded.files.failures)
        emit failed(error);
}

void Document::close_all() {
    load_.drop();
    analyse_.drop();
    scene_.drop();
    files_.clear();
    profile_.reset();
    picture_ = {};
    scene_options_ = without_points(std::move(scene_options_));
    scene_options_.roofs_of.reset();
    emit files_changed();
    emit analysis_changed();
    emit scene_changed(false);
    emit selection_changed();
}

void Document::take_over(Picture picture, std::uint64_t revision, bool keep_view) {
    matches_revision_ = revision;
    const std::optional<std::uint32_t> selected = scene_options_.selected;
    scene_options_ = without_points(std::move(scene_options_));
    const std::shared_ptr<const Analysis> before = std::exchange(picture_, std::move(picture)).analysis;
    if (selected && before) scene_options_.selected = same_point(*before, *selected, *picture_.analysis);
    emit analysis_changed();
    emit selection_changed();
    emit scene_changed(keep_view);
}

void Document::keep_old_picture() {
    analysis_options_ = picture_.analysis->options;
    scene_options_.levels = analysis_options_.levels;
    ++revision_;
    emit options_changed();
    build_scene_again();
}

void Document::set_analysis_options(const AnalysisOptions& options) {
    const bool same_axes = options.operations == analysis_options_.operations;
    analysis_options_ = options;
    scene_options_.levels = options.levels;
    ++revision_;
    emit options_changed();
    if (!empty()) analyse_again(same_axes);
}

void Document::analyse_again(bool keep_view) {
    scene_.drop();
    const SceneOptions scene_options = without_points(scene_options_);
    analyse_.start(
        [profile = profile_, options = analysis_options_, scene_options,
         filter = filter_](const Progress& progress) {
            return make_picture(*profile, options, scene_options, filter, progress);
        },
        [this, keep_view, revision = revision_](std::optional<Picture> picture) {
            if (!picture) return keep_old_picture();
            take_over(std::move(*picture), revision, keep_view);
            if (revision != revision_ || scene_options_.selected) build_scene_again();
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
    const bool match_again = matches_revision_ < filter_revision_;
    scene_.start(
        [profile = profile_, analysis = picture_.analysis, options = scene_options_,
         matches = picture_.matches, filter = filter_, match_again](const Progress&) mutable {
            if (match_again) matches = matching_points(*analysis, filter);
            std::shared_ptr<const Scene> scene = make_scene(*profile, *analysis, options, matches);
            return Drawn{std::move(matches), std::move(scene)};
        },
        [this, match_again, revision = revision_](Drawn drawn) {
            picture_.scene = std::move(drawn.scene);
            if (match_again) {
                picture_.matches = std::move(drawn.matches);
                matches_revision_ = revision;
                emit matches_changed();
            }
            emit scene_changed(true);
        });
}

const KernelPoint* Document::selected_point() const {
    if (!picture_.analysis || !scene_options_.selected) return nullptr;
    return &picture_.analysis->points[*scene_options_.selected];
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
    std::vector<bool> wanted(picture_.by_time.size());
    for (const std::uint32_t point : points)
        wanted[point] = true;
    if (!foremost || !wanted[*foremost]) {
        const auto longest =
            std::ranges::find_if(picture_.by_time, [&](std::uint32_t point) { return wanted[point]; });
        foremost = longest != picture_.by_time.end() ? std::optional(*longest) : std::nullopt;
    }
    std::vector<std::uint32_t> others;
    for (std::uint32_t point = 0; point < wanted.size(); ++point)
        if (wanted[point] && point != foremost) others.push_back(point);
    if (foremost == scene_options_.selected && others == scene_options_.also_selected) return;
    scene_options_.selected = foremost;
    scene_options_.also_selected = std::move(others);
    emit selection_changed();
    build_scene_again();
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
