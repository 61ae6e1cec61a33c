// SPDX-License-Identifier: GPL-3.0-or-later
// What the lines of the roofs stand for, told once in the caption and once in the legend.
#include <algorithm>

#include "core/chart/scene/scene_parts.h"

namespace roofwalk {

namespace {

constexpr Boundary bytes_of_hbm = Boundary::hbm_dram_rw;

bool has_line(const Scene& scene, RoofLine line) {
    return std::ranges::find(scene.roofs, line, &Roof::line) != scene.roofs.end();
}

void add_clause(std::string& list, std::string_view part, std::string_view separator) {
    if (!list.empty()) list += separator;
    list += part;
}

/// Of the roofs that kernels are under.
struct MeasuredRoofs {
    bool any = false;
    std::string others;  ///< those that were not measured: "SMEM and FP64"
};

MeasuredRoofs measured_roofs(const Scene& scene) {
    MeasuredRoofs measured;
    for (const Roof& roof : scene.roofs) {
        if (roof.is_beside()) continue;
        if (roof.measured)
            measured.any = true;
        else
            add_clause(measured.others, roof.name, " and ");
    }
    return measured;
}

/// " at the same clock": whether theory stands at the clock of the measured roofs. HBM has another one.
std::string theory_clock_words(const Scene& scene) {
    bool same = false;
    bool other = false;
    for (const Roof& roof : scene.roofs) {
        if (roof.line != RoofLine::theory || !roof.clock || roof.target == CeilingTarget(bytes_of_hbm))
            continue;
        const bool at_own = std::ranges::any_of(scene.roofs, [&](const Roof& own) {
            return !own.is_beside() && own.target == roof.target && own.clock == roof.clock;
        });
        (at_own ? same : other) = true;
    }
    if (same && other) return " at the same clock, or at boost where that is not known";
    if (same) return " at the same clock";
    return other ? " at the boost clock" : "";
}

/// "INT8 Tensor of NVIDIA A40 (224 TOP/s)": what limits kernels of other devices alone.
std::string words_elsewhere(const Scene& scene) {
    std::string words;
    for (const Roof& roof : scene.roofs)
        if (roof.line == RoofLine::other_device) add_clause(words, roof.name + " (" + roof.value + ')', ", ");
    return words.empty() ? words : "dash-dotted: " + words;
}

/// Roofs that were measured have no practical ones: what was measured is what kernels reach.
std::string practical_words(const Scene& scene) {
    const bool some_measured = std::ranges::any_of(scene.roofs, &Roof::measured);
    if (has_line(scene, RoofLine::practical))
        return some_measured ? "dashed: practical roofs of those not measured" : "dashed: practical roofs";
    return scene.options.practical_roofs && some_measured ? "no practical roofs beside measured ones" : "";
}

}  // namespace

std::string roof_line_words(const Scene& scene) {
    std::string words;
    if (const auto [any, others] = measured_roofs(scene); any)
        words = others.empty() ? "solid: measured roofs" : "solid: roofs, measured but for " + others;
    if (has_line(scene, RoofLine::theory))
        add_clause(words, "dotted: theoretical roofs" + theory_clock_words(scene), "; ");
    for (const std::string& more : {practical_words(scene), words_elsewhere(scene)})
        if (!more.empty()) add_clause(words, more, "; ");
    return words;
}

void add_roof_line_rows(Scene& scene) {
    const auto add = [&](RoofLine line, const char* text) {
        scene.legend.push_back({.shape = std::nullopt, .colour = std::nullopt, .text = text, .line = line});
    };
    if (const auto [any, others] = measured_roofs(scene); any)
        add(RoofLine::usual, others.empty() ? "measured roofs" : "roofs, some measured");
    if (has_line(scene, RoofLine::theory)) add(RoofLine::theory, "theoretical roofs");
    if (has_line(scene, RoofLine::practical)) add(RoofLine::practical, "practical roofs");
}

}  // namespace roofwalk
