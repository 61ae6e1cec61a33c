// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/document.h"

#include <algorithm>
#include <utility>

#include "core/report/kernel_filter.h"

namespace roofwalk {

Document::Document(QObject* parent) : QObject(parent) {
    connect(&builder_, &ViewBuilder::failed, this, &Document::failed);
    connect(&builder_, &ViewBuilder::stopped, this, &Document::keep_old_options);
    connect(&builder_, &ViewBuilder::ended, this, &Document::update);
    connect(&builder_, &ViewBuilder::drawn, this, &Document::emit_drawn);
    connect(&builder_, &ViewBuilder::analysed, this, [this](const ViewResult& before) {
        follow(before);
        emit_new_view(before, true);
    });
}

void Document::set_spec(WorkspaceSpec spec) {
    if (spec == open_.spec) return;
    WorkspaceSpec before = std::exchange(open_.spec, std::move(spec));
    if (std::exchange(before.view.filter, open_.spec.view.filter) != open_.spec.view.filter) {
        take_filter();
        emit filter_changed();
    }
    if (std::exchange(before.notes, open_.spec.notes) != open_.spec.notes) emit notes_changed();
    if (std::exchange(before.thresholds, open_.spec.thresholds) != open_.spec.thresholds)
        emit advice_thresholds_changed();
    if (before != open_.spec) emit options_changed();
    update();
}

void Document::take_filter() {
    const Result<KernelFilter> filter = parse_kernel_filter(open_.spec.view.filter);
    filter_fault_ = filter ? QString() : to_qt(to_line(filter.error()));
    if (!filter) return;
    filter_in_force_ = open_.spec.view.filter;
    builder_.cancel_drawing();  // what it matches, it matches against an older filter
}

void Document::change_scene(const std::function<void(SceneOptions&)>& change_options) {
    SceneOptions options = scene_options();
    change_options(options);
    theme_ = options.theme;
    const bool other_roofs = std::exchange(focus_.roofs_of, options.roofs_of) != options.roofs_of;
    change([&](WorkspaceSpec& spec) {
        roofwalk::set_scene_options(spec, options);
        if (other_roofs)
            spec.view.roofs_of =
                options.roofs_of && !empty() ? model_name(*profile(), profile()->at(*options.roofs_of)) : "";
    });
    update();
}

void Document::set_measured_use(const MeasuredUse& use) {
    if (use == measured_use()) return;
    measured_ = use.known;
    open_.spec.view.measured = use.choice;
    emit options_changed();
    update();
}

std::vector<std::string> Document::install(const LoadRequest& asked, LoadedView& loaded) {
    const bool session = loaded.files.session != nullptr;
    const bool same_files =
        std::ranges::equal(open_.files, loaded.files.files, {}, &OpenFile::path, &OpenFile::path);
    std::vector<std::string> changed = open_.take(asked, loaded.files);
    if (!same_files) focus_.roofs_of.reset();
    if (session) {
        focus_ = loaded.view->focus;
        take_filter();
        filter_in_force_ = loaded.wanted.inputs.spec.view.filter;
    }
    const std::optional<std::uint32_t> first_look = loaded.view->focus.selected;
    const ViewResult before = builder_.put(*std::move(loaded.view), std::move(loaded.wanted));
    if (before.result.analysis && !session) follow(before);
    if (!focus_.selected) focus_.selected = first_look;
    emit_new_view(before, same_files && !session);
    update();
    return changed;
}

ViewInputs Document::wanted() const {
    ViewInputs of{{profile(), open_.baselines, drawn_part(open_.spec), measured_}, focus_, theme_};
    of.inputs.spec.view.filter = filter_in_force_;
    return of;
}

void Document::update() {
    if (!empty()) builder_.build(wanted());
}

void Document::keep_old_options() {
    take_analysis_of(result().inputs.spec, open_.spec);
    emit options_changed();
    if (same_analysis(wanted().inputs, result().inputs)) update();
}

void Document::follow(const ViewResult& before) {
    focus_ = followed(focus_, before.result.measured(), result().measured(), result().ranking);
}

void Document::emit_new_view(const ViewResult& before, bool same_files) {
    if (empty() || before.result.inputs.profile != profile()) emit files_changed();
    emit analysis_changed();
    emit what_if_changed();
    emit comparison_changed();
    emit projection_changed();
    emit selection_changed();
    emit scene_changed(same_files && before.result.analysis && analysis() &&
                       before.result.analysis->options.operations == analysis()->options.operations);
    leave_hidden_selection();
}

void Document::leave_hidden_selection() {
    const std::vector<std::uint32_t> points = focus_.points();
    const auto shown = [this](std::uint32_t point) { return result().matched(point); };
    if (points.empty() || std::ranges::any_of(points, shown)) return;
    if (const auto first = first_to_look_at(result())) select(first);
}

void Document::emit_drawn(const ViewResult& drawn_before) {
    const WorkspaceResult& before = drawn_before.result;
    const bool same_comparison = result().comparison == before.comparison;
    const bool same_projection = result().projection == before.projection;
    if (result().what_if != before.what_if) emit what_if_changed();
    if (!same_comparison) emit comparison_changed();
    if (!same_projection) emit projection_changed();
    if (result().inputs.spec.view.filter != before.inputs.spec.view.filter) emit matches_changed();
    emit scene_changed(same_comparison && same_projection);  // they bring places that lie outside
    leave_hidden_selection();
}

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

}  // namespace roofwalk
