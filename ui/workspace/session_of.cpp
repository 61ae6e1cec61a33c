// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/session_of.h"

#include <algorithm>

#include "core/devices/device_ceilings.h"
#include "ui/chart/roofline_chart.h"
#include "ui/chart/view_motion.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

std::vector<KernelKey> selection_of(const Document& document) {
    if (!document.selection()) return {};
    std::vector<std::uint32_t> points = document.selected_points();
    const auto foremost = std::ranges::find(points, *document.selection());
    std::rotate(points.begin(), foremost, foremost + 1);
    points.resize(std::min(points.size(), most_selected));
    return keys_of(*document.profile(), *document.analysis(), points);
}

std::string device_with_roofs(const Document& document) {
    const std::optional<DeviceIndex> device = document.scene_options().roofs_of;
    if (!device || document.empty()) return {};
    const Profile& profile = *document.profile();
    return model_name(profile, profile.devices[static_cast<std::size_t>(*device)]);
}

/// Absent while all of the scene is seen.
std::optional<ChartView> plane_of(const RooflineChart& chart) {
    if (!chart.scene()) return std::nullopt;
    const ChartView seen{chart.x_range(), chart.y_range()};
    const Scene& scene = *chart.scene();
    const bool all =
        seen == ChartView{limited(scene.x, intensity_limits), limited(scene.y, performance_limits)};
    return all ? std::nullopt : std::optional(seen);
}

std::vector<SessionCeilings> ceilings_of(const Document& document, const WorkspaceSpec& before) {
    std::vector<SessionCeilings> ceilings;
    for (const auto& [device, set] : document.analysis_options().overrides) {
        if (set.empty()) continue;
        const auto known = std::ranges::find(before.ceilings, device, &SessionCeilings::device);
        ceilings.push_back({device, set, known != before.ceilings.end() ? known->further : std::string()});
    }
    return ceilings;
}

/// A name that this table of GPUs does not know is kept.
std::string other_device_of(const Document& document, const WorkspaceSpec& before) {
    if (const Device* device = document.other_device()) return device->name;
    const std::string& name = before.view.other_device;
    return !name.empty() && find_known_device(name) == nullptr ? name : std::string();
}

}  // namespace

WorkspaceSpec session_of(const Document& document, const WorkspaceSpec& before) {
    WorkspaceSpec session;
    session.further = before.further;
    session.bindings_further = before.bindings_further;
    session.thresholds_further = before.thresholds_further;
    SessionView& view = session.view;
    view.further = before.view.further;
    view.analysis = document.analysis_options();
    view.analysis.overrides.clear();
    view.analysis.measured.clear();
    view.measured = document.measured_use().choice;
    view.scene = document.scene_options();
    view.roofs_of = device_with_roofs(document);
    view.filter = document.filter_text().toStdString();
    view.other_device = other_device_of(document, before);
    view.comparison = document.comparison_view();
    session.ceilings = ceilings_of(document, before);
    session.bindings = document.bindings();
    session.thresholds = document.advice_thresholds();
    session.scenario = document.scenario();
    session.notes = document.notes().toStdString();
    return session;
}

void add_gaze(SessionView& view, const Document& document, const RooflineChart& chart) {
    view.selection = selection_of(document);
    view.axes = plane_of(chart);
}

}  // namespace roofwalk
