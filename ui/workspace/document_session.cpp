// SPDX-License-Identifier: GPL-3.0-or-later
// What a document does for sessions: it takes on what was done with the files.
#include <utility>

#include "core/devices/device_ceilings.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

AnalysisOptions analysis_of(const Session& session) {
    AnalysisOptions options = session.view.analysis;
    for (const SessionCeilings& device : session.ceilings)
        options.overrides[device.device] = device.ceilings;
    return options;
}

SceneOptions scene_of(const Session& session, Theme theme) {
    SceneOptions options = session.view.scene;
    options.levels = session.view.analysis.levels;
    options.theme = theme;
    return options;
}

}  // namespace

Document::Asked Document::asked_by(const Session& session, Theme theme) {
    const SessionView& view = session.view;
    Result<KernelFilter> filter = parse_kernel_filter(to_qt(view.filter));
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

void Document::take_on(Asked asked, const Session& session) {
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
