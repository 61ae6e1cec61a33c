// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/document.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/devices/device_file.h"
#include "core/report/kernel_filter.h"
#include "core/workspace/session_sources.h"

namespace roofwalk {

Document::Document(QObject* parent) : QObject(parent) {
    connect(&load_, &Job::failed, this, &Document::failed);
    connect(&load_, &Job::failed, this, &Document::options_changed);
    connect(&builder_, &ViewBuilder::failed, this, &Document::failed);
    connect(&builder_, &ViewBuilder::stopped, this, &Document::keep_old_options);
    connect(&builder_, &ViewBuilder::ended, this, &Document::update);
    connect(&builder_, &ViewBuilder::drawn, this,
            [this](const ViewResult& before) { emit_drawn(before.result); });
    connect(&builder_, &ViewBuilder::analysed, this, [this](const ViewResult& before) {
        focus_ = followed(focus_, before.result.measured(), result().measured(), result().ranking);
        emit_new_view(false, before.result.analysis->options.operations == analysis()->options.operations);
    });
}

// How it is looked at.

void Document::set_spec(WorkspaceSpec spec) {
    if (spec == spec_) return;
    const WorkspaceSpec before = std::exchange(spec_, std::move(spec));
    if (spec_.view.filter != before.view.filter) take_filter();
    emit_spec_changes(before);
    update();
}

void Document::take_filter() {
    const Result<KernelFilter> filter = parse_kernel_filter(spec_.view.filter);
    filter_fault_ = filter ? QString() : to_qt(to_line(filter.error()));
    if (!filter) return;
    filter_in_force_ = spec_.view.filter;
    builder_.hurry();  // what it matches, it matches against an older filter
}

void Document::emit_spec_changes(const WorkspaceSpec& before) {
    if (spec_.view.filter != before.view.filter) emit filter_changed();
    if (spec_.notes != before.notes) emit notes_changed();
    if (spec_.thresholds != before.thresholds) emit advice_thresholds_changed();
    WorkspaceSpec rest = before;
    rest.view.filter = spec_.view.filter;
    rest.notes = spec_.notes;
    rest.thresholds = spec_.thresholds;
    if (rest != spec_) emit options_changed();
}

void Document::set_scene_options(const SceneOptions& options) {
    theme_ = options.theme;
    const bool other_roofs = std::exchange(focus_.roofs_of, options.roofs_of) != options.roofs_of;
    change([&](WorkspaceSpec& spec) {
        roofwalk::set_scene_options(spec, options);
        if (!other_roofs) return;
        spec.view.roofs_of.clear();
        if (options.roofs_of && !empty())
            spec.view.roofs_of = model_name(*profile(), profile()->at(*options.roofs_of));
    });
    update();
}

void Document::set_measured_use(const MeasuredUse& use) {
    if (use == measured_use()) return;
    measured_ = use.known;
    spec_.view.measured = use.choice;
    emit options_changed();
    update();
}

const MeasuredCeilings* Document::measured_of_drawn() const {
    const Device* device = drawn_device();
    return device != nullptr ? measured_for(*device, measured_use()) : nullptr;
}

void Document::set_baselines(std::vector<OpenFile> baselines) {
    spec_.baselines = sources_of(baselines, spec_.baselines);
    baselines_ = std::move(baselines);
    emit options_changed();
    update();
}

void Document::set_ran_on(const Device* device) {
    std::optional<Device> ran_on;
    if (device) ran_on = described_part(*device);
    LoadRequest request = request_under_way();
    if (request.kept.empty() || request.replaces || request.ran_on == ran_on) return emit options_changed();
    request.ran_on = std::move(ran_on);
    request.shows_anew = true;
    load(std::move(request));
}

// The files: they are opened, added, closed and read again, one after another or all at once.

LoadRequest Document::request_under_way() const {
    if (load_.running()) return loads_;
    return {.paths = {}, .kept = files_, .joins = spec_.joined, .ran_on = spec_.view.ran_on};
}

void Document::open(const QStringList& paths, Opening opening) {
    if (paths.isEmpty()) return;
    std::vector<std::string> more;
    for (const QString& path : paths)
        more.push_back(QFileInfo(path).absoluteFilePath().toStdString());
    LoadRequest request = request_under_way();
    request.open(more, opening == Opening::replace);
    load(std::move(request));
}

void Document::open_session(const SessionRequest& session, const QStringList& beside) {
    LoadRequest request = request_under_way();
    request.open({}, true);
    for (const QString& path : beside)
        request.open({path.toStdString()}, false);
    request.session = session;
    if (request.reads()) load(std::move(request));
}

void Document::reload() {
    LoadRequest request = request_under_way();
    if (request.replaces || request.kept.empty()) return;  // what is open is about to go
    request.reload();
    load(std::move(request));
}

void Document::set_joined(bool joined) {
    LoadRequest request = request_under_way();
    if (request.kept.empty() || request.replaces || request.joins == joined) return emit options_changed();
    request.joins = joined;
    request.shows_anew = true;
    load(std::move(request));
}

void Document::show_recording(OpenFile recording) {
    LoadRequest request = request_under_way();
    request.record(std::move(recording));
    load(std::move(request));
}

void Document::close(const QString& path) {
    LoadRequest request = request_under_way();
    if (!request.close(path.toStdString())) return;
    if (request.kept.empty()) close_all();
    if (!request.kept.empty() || request.reads()) load(std::move(request));
}

void Document::close_all() {
    load_.drop();
    files_.clear();
    baselines_.clear();
    spec_.clear_reports();
    focus_ = {};
    (void)builder_.put({}, {});
    emit_new_view(true, false);
}

void Document::load(LoadRequest request) {
    load_.drop();  // so that who shows the work is told that it is another now
    loads_ = std::move(request);
    ViewInputs of = wanted();
    of.focus = {std::nullopt, {}, focus_.roofs_of};
    of.inputs.spec.view.ran_on = loads_.ran_on;
    load_.start([loads = loads_, of = std::move(of), closes = loads_.kept.size() < files_.size()](
                    const Progress& progress) { return load_view(loads, of, closes, progress); },
                [this](LoadedView loaded_view) { install(std::move(loaded_view)); });
}

void Document::install(LoadedView loaded_view) {
    LoadResult& loaded = loaded_view.files;
    const std::shared_ptr<const OpenSession> session = loaded.session;
    QStringList changed;
    if (loaded_view.view) {
        spec_.view.ran_on = loaded_view.wanted.inputs.spec.view.ran_on;
        const bool same_files =
            std::ranges::equal(files_, loaded.files, {}, &OpenFile::path, &OpenFile::path);
        if (!same_files) {
            focus_.roofs_of.reset();
            spec_.view.roofs_of.clear();
        }
        spec_.joined = loads_.joins;
        if (session) take_session(*session, loaded_view);
        changed = take_sources(loaded);
        const std::optional<std::uint32_t> first_look = loaded_view.view->focus.selected;
        const ViewResult before = builder_.put(*std::move(loaded_view.view), std::move(loaded_view.wanted));
        if (before.result.analysis && !session)
            focus_ = followed(focus_, before.result.measured(), result().measured(), result().ranking);
        if (!focus_.selected) focus_.selected = first_look;
        const bool same_axes = before.result.analysis &&
                               before.result.analysis->options.operations == analysis()->options.operations;
        emit_new_view(before.result.inputs.profile != profile(), same_files && !session && same_axes);
        update();
        if (session) {
            emit options_changed();
            emit filter_changed();
            emit notes_changed();
            emit advice_thresholds_changed();
            emit session_opened(session);
        }
        if (!loaded.read.empty()) emit opened(to_qt(loaded.read));
        if (loaded.separate_runs && !loaded.read.empty()) emit separate_runs_opened();
        if (!loaded.joined.empty()) emit runs_joined(to_qt(loaded.joined));
    }
    if (loads_.shows_anew || !loaded_view.view) emit options_changed();  // who asked shows what came of it
    for (const QString& path : changed)
        emit report_changed(path);
    for (const Error& error : loaded.failures)
        emit failed(error);
}

void Document::take_session(const OpenSession& session, LoadedView& loaded_view) {
    spec_ = session.spec;
    spec_.view.selection.clear();
    spec_.view.axes.reset();
    spec_.autosave_of.clear();
    spec_.autosave_of_hash.clear();
    baselines_ = std::move(loaded_view.files.baselines);
    focus_ = loaded_view.view->focus;
    take_filter();
    filter_in_force_ = loaded_view.wanted.inputs.spec.view.filter;
}

QStringList Document::take_sources(LoadResult& loaded) {
    const bool replaced = loads_.replaces && !loaded.session && (!loaded.read.empty() || loads_.recording);
    if (replaced) spec_.sources.clear();
    const std::vector<OpenFile> before = std::exchange(files_, std::move(loaded.files));
    return to_qt(update_sources(spec_.sources, loaded.session ? std::vector<OpenFile>() : before, files_)) +
           to_qt(update_sources(spec_.baselines, {}, baselines_));
}

// The view, which is made on the pool.

ViewInputs Document::wanted() const {
    ViewInputs of{{profile(), baselines_, drawn_part(spec_), measured_}, focus_, theme_};
    of.inputs.spec.view.filter = filter_in_force_;
    return of;
}

void Document::update() {
    if (!empty()) builder_.build(wanted());
}

void Document::keep_old_options() {
    take_analysis_of(result().inputs.spec, spec_);
    emit options_changed();
    if (same_analysis(wanted().inputs, result().inputs)) update();
}

void Document::emit_new_view(bool other_files, bool keep_view) {
    if (other_files) emit files_changed();
    emit analysis_changed();
    emit what_if_changed();
    emit comparison_changed();
    emit projection_changed();
    emit selection_changed();
    emit scene_changed(keep_view);
}

void Document::emit_drawn(const WorkspaceResult& before) {
    const bool same_comparison = result().comparison == before.comparison;
    const bool same_projection = result().projection == before.projection;
    if (result().what_if != before.what_if) emit what_if_changed();
    if (!same_comparison) emit comparison_changed();
    if (!same_projection) emit projection_changed();
    if (result().inputs.spec.view.filter != before.inputs.spec.view.filter) emit matches_changed();
    emit scene_changed(same_comparison && same_projection);  // they bring places that lie outside
}

// What is selected.

void Document::set_focus(const ViewFocus& focus) {
    if (focus == focus_) return;
    focus_ = focus;
    emit selection_changed();
    update();
}

void Document::select_points(const std::vector<std::uint32_t>& points,
                             std::optional<std::uint32_t> foremost) {
    if (!empty()) set_focus(focus_.with_selected(points, foremost, result().ranking));
}

void Document::toggle(std::uint32_t point) {
    if (!empty()) set_focus(focus_.with_toggled(point, result().ranking));
}

void Document::select_ranked(int step) {
    if (const auto point = next_ranked(result(), selection(), step)) select(point);
}

}  // namespace roofwalk
