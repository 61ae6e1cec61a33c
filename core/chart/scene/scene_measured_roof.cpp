// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/scene/scene_measured_roof.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/text.h"

namespace roofwalk {

namespace {

const Roof* drawn_roof(const Scene& scene, const CeilingTarget& target) {
    const auto roof = std::ranges::find_if(
        scene.roofs, [&](const Roof& each) { return !each.is_beside() && each.target == target; });
    return roof != scene.roofs.end() ? &*roof : nullptr;
}

/// The FP32 roof that is drawn, where it is the measured one taken to another clock.
const ComputeCeiling* at_other_clock(const CeilingSet& drawn, const ComputeCeiling& measured) {
    const ComputeCeiling* ceiling = drawn.find(measured.pipe);
    const bool taken = ceiling != nullptr && ceiling->provenance.is_benchmarked() &&
                       ceiling->provenance.clock && ceiling->provenance.clock != measured.provenance.clock;
    return taken ? ceiling : nullptr;
}

}  // namespace

void add_measured_roof(Scene& scene, const Analysis& analysis, const MeasuredCeilings& measured) {
    if (!scene.options.measured_roof || analysis.options.operations == OperationClass::integer) return;
    if (drawn_roof(scene, Boundary::hbm_dram_rw) == nullptr ||
        drawn_roof(scene, Pipe{PipeKind::fp32}) == nullptr)
        return;
    const std::optional<MeasuredRoof> fit = fit_roof(measured.sweep);
    if (!fit) return;
    RoofCurve curve;
    curve.roof = *fit;
    const CeilingSet own = ceilings_from(measured);
    const ComputeCeiling* fp32 = own.find(Pipe{PipeKind::fp32});
    const ComputeCeiling* drawn =
        fp32 != nullptr ? at_other_clock(ceilings_in_use(analysis, scene.options), *fp32) : nullptr;
    if (drawn != nullptr) curve.roof.peak = curve.roof.peak * (drawn->rate / fp32->rate);
    const std::string_view memory = label_of(analysis.options.memory);
    const std::string loss = format_percent(fit->loss_at_ridge());
    curve.note = fmt::format(
        "measured roof of FP32 work on bytes from {}: {} up to {}, {} below the straight roofs at its ridge of {}. "
        "Fitted to {} intensities, off by {}",
        memory, format(curve.roof.slope), format(curve.roof.peak), loss,
        format(curve.roof.peak / curve.roof.slope), measured.sweep.size(), format_percent(fit->error));
    if (drawn != nullptr) curve.note += ", its flat side taken to " + format(*drawn->provenance.clock);
    if (!measured.date.empty()) curve.note += "; " + measured.date;
    if (!measured.device.device.uuid.empty()) curve.note += ", " + measured.device.device.uuid;
    scene.legend.push_back({.shape = std::nullopt,
                            .colour = std::nullopt,
                            .text = fmt::format("measured, with its knee ({}, FP32)", memory),
                            .curve = true});
    const std::string words = "grey curve: measured roof, " + loss + " below the straight ones at its ridge";
    scene.caption += (scene.caption.empty() ? "" : "; ") + words;
    scene.measured_roof = std::move(curve);
}

}  // namespace roofwalk
