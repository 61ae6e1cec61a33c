// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of ridge ticks: each beside its own tick, or above with a leader to it.
#include <algorithm>
#include <cmath>

#include "core/chart/layout_labels.h"

namespace roofwalk {

namespace {

constexpr double ridge_label_size = 10;   // [px]
constexpr double ridge_air = 6;           // from a tick to its label [px]
constexpr double from_other = 14;         // from a label to the tick of another ridge, at least [px]
constexpr double ridge_line_height = 13;  // [px]
constexpr double coincident_ridges = 3;   // ridges nearer than this share a label [px]
constexpr int lines_with_leader = 4;      // above the ticks

/// Whether the ridges meet another compute roof than the only one drawn, so that their labels must name it.
bool names_pipe(const Scene& scene) {
    const auto compute = std::ranges::count_if(scene.roofs, [](const Roof& roof) {
        return !roof.practical && std::holds_alternative<Pipe>(roof.target);
    });
    return compute > 1 || std::ranges::none_of(scene.roofs, [&](const Roof& roof) {
               return !scene.ridges.empty() && roof.name == scene.ridges.front().pipe;
           });
}

class RidgeLabels {
  public:
    RidgeLabels(const Scene& scene, const View& view, const std::vector<LaidLine>& ticks)
        : scene_(scene), ticks_(ticks), foot_(view.plot.bottom()) {}

    /// As many as find a place; all name the compute roof, or none.
    [[nodiscard]] std::vector<LaidText> place(LabelPlacer& placer, bool with_pipe) const {
        std::vector<LaidText> placed;
        for (const LaidLine& tick : ticks_) {
            LaidText label{.size = ridge_label_size, .text = shared_text(tick), .index = tick.index};
            if (label.text.empty()) continue;
            if (with_pipe) label.text += " (" + scene_.ridges[tick.index].pipe + ")";
            if (auto text = placer.place(places_of(tick, label), LabelPriority::extra))
                placed.push_back(std::move(*text));
        }
        return placed;
    }

    /// Whether every ridge has its label, or another one that speaks for it.
    [[nodiscard]] bool told_all(const std::vector<LaidText>& placed) const {
        const auto own =
            std::ranges::count_if(ticks_, [&](const LaidLine& tick) { return !shared_text(tick).empty(); });
        return std::ssize(placed) == own;
    }

  private:
    [[nodiscard]] bool together(const LaidLine& a, const LaidLine& b) const {
        return std::abs(a.to.x - b.to.x) < coincident_ridges &&
               scene_.ridges[a.index].pipe == scene_.ridges[b.index].pipe;
    }

    /// The text for a ridge and those at the same place; empty when an earlier one speaks for it.
    [[nodiscard]] std::string shared_text(const LaidLine& own) const {
        std::string text;
        for (const LaidLine& tick : ticks_) {
            if (!together(own, tick)) continue;
            if (text.empty() && tick.index != own.index) return {};
            text += (text.empty() ? "" : ", ") + scene_.ridges[tick.index].label;
        }
        return text;
    }

    /// At the tick of no other ridge.
    [[nodiscard]] bool unmistakable(const LaidText& label, const LaidLine& own) const {
        const RectF box = LabelBox(label).bounds();
        return std::ranges::none_of(ticks_, [&](const LaidLine& tick) {
            return !together(tick, own) && tick.to.x > box.x - from_other &&
                   tick.to.x < box.right() + from_other;
        });
    }

    [[nodiscard]] std::vector<LaidText> places_of(const LaidLine& tick, LaidText label) const {
        std::vector<LaidText> places;
        for (const TextAnchor anchor : {TextAnchor::start, TextAnchor::end}) {
            label.anchor = anchor;
            label.at = {tick.to.x + (anchor == TextAnchor::start ? ridge_air : -ridge_air),
                        foot_ - ridge_label_size * text_descent - 2};
            if (unmistakable(label, tick)) places.push_back(label);
        }
        label.leader = true;
        label.leader_to = tick.to;
        for (int line = 1; line <= lines_with_leader; ++line)
            for (const TextAnchor anchor : {TextAnchor::start, TextAnchor::end}) {
                label.anchor = anchor;
                label.at = {tick.to.x, tick.to.y - line * ridge_line_height};
                places.push_back(label);
            }
        return places;
    }

    const Scene& scene_;
    const std::vector<LaidLine>& ticks_;
    double foot_;
};

}  // namespace

void place_ridge_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    const RidgeLabels labels(scene, view, layout.ridge_ticks);
    if (names_pipe(scene)) {
        LabelPlacer with_pipes = placer;
        layout.ridge_labels = labels.place(with_pipes, true);
        if (labels.told_all(layout.ridge_labels) &&
            std::ranges::none_of(layout.ridge_labels, &LaidText::leader)) {
            placer = std::move(with_pipes);
            return;
        }
    }
    layout.ridge_labels = labels.place(placer, false);
}

}  // namespace roofwalk
