// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/view_builder.h"

#include <utility>

#include "core/report/kernel_filter.h"

namespace roofwalk {

namespace {

ViewResult drawn(WorkspaceResult result, const ViewInputs& of) {
    ChartScene scene(
        std::make_shared<const Scene>(scene_of(result, scene_options(of.inputs.spec, of.focus, of.theme))));
    return {std::move(result), of.focus, std::move(scene)};
}

/// Absent when it is cancelled. What `before` holds of the same inputs is taken from there.
std::optional<ViewResult> make_view(const ViewInputs& of, const WorkspaceResult& before,
                                    const Progress& progress) {
    std::optional<WorkspaceResult> result = make_result(of.inputs, before, progress);
    return result ? std::optional(drawn(*std::move(result), of)) : std::nullopt;
}

}  // namespace

LoadedView load_view(const LoadRequest& loads, ViewInputs of, bool closes, const Progress& progress) {
    LoadedView loaded_view{load_files(loads, progress), std::move(of), std::nullopt};
    const LoadResult& files = loaded_view.files;
    if (!files.session && !closes && !loads.recording && !loads.shows_anew && files.read.empty())
        return loaded_view;
    if (!files.merged) return loaded_view;
    WorkspaceInputs& inputs = loaded_view.wanted.inputs;
    inputs.profile = files.merged;
    if (files.session) {
        inputs.baselines = files.baselines;
        inputs.spec = drawn_part(files.session->spec);
        if (!parse_kernel_filter(inputs.spec.view.filter)) inputs.spec.view.filter.clear();
    }
    if (const auto& ran_on = inputs.spec.view.ran_on)
        inputs.profile = named_profile(inputs.profile, *ran_on, ran_on->name);
    // Kernels read before a cancel are kept, so what is drawn of them must not be cut short too.
    std::optional<WorkspaceResult> result = make_result(inputs);
    if (!result) return loaded_view;
    if (files.session)
        loaded_view.wanted.focus = focus_of(files.session->spec.view, result->measured());
    else if (!loads.recording && (loads.replaces || loads.kept.empty()))
        loaded_view.wanted.focus = {first_to_look_at(*result), {}, {}};
    loaded_view.view = drawn(*std::move(result), loaded_view.wanted);
    return loaded_view;
}

ViewBuilder::ViewBuilder(QObject* parent) : QObject(parent) {
    for (Job* job : {&analyse_, &draw_})
        connect(job, &Job::failed, this, &ViewBuilder::failed);
    connect(&analyse_, &Job::failed, this, &ViewBuilder::stopped);
    connect(&draw_, &Job::failed, this, &ViewBuilder::ended);
}

void ViewBuilder::build(ViewInputs wanted) {
    if (wanted == newest_) return;
    const bool anew = !same_analysis(wanted.inputs, view_.result.inputs);
    if (analyse_.running() && anew && same_analysis(wanted.inputs, newest_.inputs)) return;
    if (analyse_.running()) analyse_.drop();
    if (!anew && draw_.running()) return;  // nobody would see more scenes than can be built
    draw_.drop();
    if (anew && wanted.inputs.spec.view.analysis.group_by != view_.result.analysis->options.group_by)
        wanted.focus = {std::nullopt, {}, wanted.focus.roofs_of};  // points mean nothing there
    newest_ = wanted;
    (anew ? analyse_ : draw_)
        .start([wanted = std::move(wanted), before = view_.result](
                   const Progress& progress) { return make_view(wanted, before, progress); },
               [this, anew](std::optional<ViewResult> made) {
                   if (!made) {
                       newest_ = {};  // what was cut short may be wanted again
                       return anew ? emit stopped() : emit ended();
                   }
                   const ViewResult before = std::exchange(view_, *std::move(made));
                   if (anew)
                       emit analysed(before);
                   else
                       emit drawn(before);
                   emit ended();
               });
}

ViewResult ViewBuilder::put(ViewResult view, ViewInputs of) {
    analyse_.drop();
    draw_.drop();
    newest_ = std::move(of);
    return std::exchange(view_, std::move(view));
}

}  // namespace roofwalk
