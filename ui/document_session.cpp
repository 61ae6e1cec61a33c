// SPDX-License-Identifier: GPL-3.0-or-later
// What a document does for sessions: it takes on what was done with the files, and finds its kernels again.
#include <algorithm>

#include "ui/document.h"
#include "ui/qt_text.h"

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

void Document::open_session(const QStringList& files, std::shared_ptr<const Session> session) {
    if (files.isEmpty()) return;
    LoadOrder order = order_under_way();
    order.paths = files;
    order.paths.removeDuplicates();
    order.replaces = true;
    order.session = std::move(session);
    load(std::move(order));
}

void Document::begin_anew() {
    load_.drop();
    take_on({});
    clear();
    emit options_changed();
    emit filter_changed();
    emit notes_changed();
}

void Document::set_notes(const QString& notes) {
    if (notes == notes_) return;
    notes_ = notes;
    emit notes_changed();
}

PictureOrder Document::picture_order_of(const Session& session) const {
    Result<KernelFilter> filter = parse_kernel_filter(to_qt(session.view.filter));
    return {session.bindings,
            analysis_of(session),
            session.scenario,
            {},
            nullptr,
            scene_of(session, scene_options_.theme),
            filter ? *std::move(filter) : KernelFilter()};
}

void Document::take_on(const Session& session) {
    PictureOrder order = picture_order_of(session);
    bindings_ = std::move(order.bindings);
    analysis_options_ = std::move(order.analysis);
    scenario_ = std::move(order.scenario);
    baselines_ = std::move(order.baselines);
    other_device_ = order.other_device;
    scene_options_ = std::move(order.scene);
    filter_ = std::move(order.filter);
    filter_text_ = to_qt(session.view.filter);
    const Result<KernelFilter> filter = parse_kernel_filter(filter_text_);
    filter_fault_ = filter ? QString() : to_qt(to_line(filter.error()));
    advice_thresholds_ = session.thresholds;
    notes_ = to_qt(session.notes);
    filter_revision_ = scenario_revision_ = baselines_revision_ = other_device_revision_ = ++revision_;
}

void Document::find_again(const SessionView& view) {
    emit options_changed();
    emit filter_changed();
    emit notes_changed();
    const Analysis& analysis = *picture_.analysis;
    const auto same_name = [&](const ModelCeilings& model) {
        const Device& device = profile_->devices[static_cast<std::size_t>(model.device)];
        return model_name(*profile_, device) == view.roofs_of;
    };
    if (const auto model = std::ranges::find_if(analysis.models, same_name);
        !view.roofs_of.empty() && model != analysis.models.end()) {
        SceneOptions options = scene_options_;
        options.roofs_of = model->device;
        set_scene_options(options);
    }
    std::vector<const KernelKey*> keys;
    for (const KernelKey& key : view.selection)
        keys.push_back(&key);
    std::vector<std::uint32_t> points;
    for (const FoundKernel& kernel : find_kernels(*profile_, analysis, keys))
        if (kernel.match == KeyMatch::found) points.push_back(kernel.point);
    if (!points.empty()) select_points(points, points.front());
}

}  // namespace roofwalk
