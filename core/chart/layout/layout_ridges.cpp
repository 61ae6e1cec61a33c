// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of ridge ticks: each beside its own tick, or above it with a leader. None stands over the tick
// of another ridge that has no label of its own.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/chart/layout/layout_labels.h"

namespace roofwalk {

namespace {

constexpr double ridge_label_size = 10;   // [px]
constexpr double ridge_air = 6;           // from a tick to its label [px]
constexpr double from_other = 14;         // from a label to the tick of another ridge, at least [px]
constexpr double over_other = 3;          // the same of a label above its own tick [px]
constexpr double ridge_line_height = 13;  // [px]
constexpr double coincident_ridges = 3;   // ridges nearer than this share a label [px]
constexpr int lines_with_leader = 7;      // above the ticks
constexpr double farthest_ridge = 90;  // from its tick to a label anywhere: no farther than those lines [px]

/// Whether the ridges meet another compute roof than the only one drawn, so that their labels must name it.
bool names_pipe(const Scene& scene) {
    const auto compute = std::ranges::count_if(scene.roofs, [](const Roof& roof) {
        return !roof.is_beside() && std::holds_alternative<Pipe>(roof.target);
    });
    return compute > 1 || std::ranges::none_of(scene.roofs, [&](const Roof& roof) {
               return !scene.ridges.empty() && !roof.is_beside() &&
                      roof.target == scene.ridges.front().compute;
           });
}

/// How much a label says; all labels of a chart say the same.
enum class RidgeWords : std::uint8_t { with_pipe, usual, brief };

class RidgeLabels {
  public:
    using Ticks = std::vector<const PlacedLine*>;

    RidgeLabels(const Scene& scene, const View& view, const std::vector<PlacedLine>& ticks)
        : scene_(scene), ticks_(ticks), plot_(view.plot), foot_(view.plot.bottom()) {}

    /// As many as find a place.
    [[nodiscard]] std::vector<PlacedText> place(LabelPlacer& placer, RidgeWords words) const {
        return place(placer, words, foremost_first());
    }

    /// That of the binding roof, in few words.
    [[nodiscard]] std::vector<PlacedText> place_binding(LabelPlacer& placer) const {
        Ticks ticks = foremost_first();
        std::erase_if(ticks, [&](const PlacedLine* tick) { return !binds(*tick); });
        return place(placer, RidgeWords::brief, ticks);
    }

    /// Whether the binding roof's ridge, if it is in view, has its label among these.
    [[nodiscard]] bool binding_told(const std::vector<PlacedText>& placed) const {
        return std::ranges::none_of(foremost_first(), [&](const PlacedLine* tick) {
            return binds(*tick) && std::ranges::find(placed, tick->index, &PlacedText::index) == placed.end();
        });
    }

    /// Those that `placed` leaves out, in few words.
    [[nodiscard]] std::vector<PlacedText> place_others(LabelPlacer& placer,
                                                       const std::vector<PlacedText>& placed) const {
        return place(placer, RidgeWords::brief, unlabelled(placed));
    }

    /// The ridges that have no label, and no other one that speaks for them.
    [[nodiscard]] Ticks unlabelled(const std::vector<PlacedText>& placed) const {
        Ticks ticks = foremost_first();
        std::erase_if(ticks, [&](const PlacedLine* tick) {
            return std::ranges::find(placed, tick->index, &PlacedText::index) != placed.end();
        });
        return ticks;
    }

    /// The text for a ridge and those at the same place; empty when an earlier one speaks for it.
    [[nodiscard]] std::string shared_text(const PlacedLine& own, RidgeWords words) const {
        const RidgeMark& first = scene_.ridges[own.index];
        std::string text;
        std::string number;  // of the names so far that have none: "L1, SMEM 2.00"
        std::string also;    // the same ridge of other devices
        for (const PlacedLine& tick : ticks_) {
            if (!together(own, tick)) continue;
            if (text.empty() && tick.index != own.index) return {};
            const RidgeMark& ridge = scene_.ridges[tick.index];
            if (is_twin(ridge, first)) {
                also += ", also" + ridge.whose.substr(0, ridge.whose.size() - first.whose.size());
                continue;
            }
            const std::string own_number = " " + ridge.number + ridge.whose;
            if (own_number != number) text += number;
            number = own_number;
            text += (text.empty() ? "" : ", ") + ridge.name + (words == RidgeWords::brief ? "" : " ridge");
        }
        if (!also.empty() && number == " " + first.number + first.whose) number = " " + first.number;
        return text + number + also;
    }

  private:
    /// The same ridge of another device, at a clock of the same kind.
    [[nodiscard]] static bool is_twin(const RidgeMark& ridge, const RidgeMark& own) {
        return ridge.name == own.name && ridge.number == own.number && ridge.whose != own.whose &&
               ridge.whose.ends_with(own.whose);
    }
    [[nodiscard]] std::vector<PlacedText> place(LabelPlacer& placer, RidgeWords words,
                                                const Ticks& ticks) const {
        std::vector<PlacedText> placed;
        Ticks unnamed;
        const auto try_to_place = [&](const PlacedLine& tick, const Ticks& avoided, bool anywhere = false,
                                      LabelPriority of_binding = LabelPriority::clear) {
            PlacedText label{.size = ridge_label_size, .text = shared_text(tick, words), .index = tick.index};
            if (words == RidgeWords::with_pipe) label.text += " (" + scene_.ridges[tick.index].pipe + ")";
            const LabelPriority priority = binds(tick)         ? of_binding
                                           : is_foremost(tick) ? LabelPriority::asked
                                                               : LabelPriority::extra;
            LabelRequest request{
                anywhere ? places_anywhere(placer, plot_, label, std::array{LeaderEnd{tick.to}}, priority)
                         : places_of(tick, label, avoided),
                priority};
            if (anywhere) {
                std::erase_if(request.places, [&](const PlacedText& place) {
                    const LabelBox box(place, text_width(label.text, label.size));
                    return !clear_of(avoided, box, over_other) || passes(tick, box) ||
                           box.distance_to_circle(tick.to, 0) > farthest_ridge;
                });
                const std::vector<PlacedText> beside = upright(tick, label);
                request.places.insert(request.places.begin(), beside.begin(), beside.end());
            }
            auto text = placer.place(request);
            if (text) placed.push_back(std::move(*text));
            return text.has_value();
        };
        for (const PlacedLine* tick : ticks)
            if (!try_to_place(*tick, others(*tick))) unnamed.push_back(tick);
        for (const PlacedLine* tick : std::vector(unnamed))
            if (try_to_place(*tick, binds(*tick) ? Ticks() : without(unnamed, tick)))
                std::erase(unnamed, tick);
        // With a leader to its own tick, the foremost over those of others, that of the binding roof over
        // dots: better than none.
        for (const PlacedLine* tick : unnamed)
            if (words == RidgeWords::brief && !(is_foremost(*tick) && try_to_place(*tick, {})) &&
                !try_to_place(*tick, is_foremost(*tick) ? Ticks() : without(unnamed, tick), true))
                if (binds(*tick)) try_to_place(*tick, {}, false, LabelPriority::needed);
        return placed;
    }

    [[nodiscard]] bool together(const PlacedLine& a, const PlacedLine& b) const {
        return std::abs(a.to.x - b.to.x) < coincident_ridges &&
               scene_.ridges[a.index].compute == scene_.ridges[b.index].compute;
    }

    /// Whether it, or one that it speaks for, is where the roof that binds the selected kernel ends.
    [[nodiscard]] bool binds(const PlacedLine& own) const {
        return std::ranges::any_of(ticks_, [&](const PlacedLine& tick) {
            return together(own, tick) && scene_.ridges[tick.index].binding;
        });
    }

    /// Whether its label stands even over dots and ticks of others.
    [[nodiscard]] bool is_foremost(const PlacedLine& own) const {
        return own.index == foremost_first().front()->index;
    }

    /// Those with a label of their own: that of the binding roof first, then from the farthest level.
    [[nodiscard]] Ticks foremost_first() const {
        Ticks ticks;
        for (const PlacedLine& tick : ticks_)
            if (!shared_text(tick, RidgeWords::usual).empty()) ticks.push_back(&tick);
        std::stable_partition(ticks.begin(), ticks.end(),
                              [&](const PlacedLine* tick) { return binds(*tick); });
        return ticks;
    }

    [[nodiscard]] Ticks others(const PlacedLine& own) const {
        Ticks ticks;
        for (const PlacedLine& tick : ticks_)
            if (!together(tick, own)) ticks.push_back(&tick);
        return ticks;
    }

    [[nodiscard]] static Ticks without(Ticks ticks, const PlacedLine* own) {
        std::erase(ticks, own);
        return ticks;
    }

    /// Clear of ticks that it does not belong to, by `distance`.
    [[nodiscard]] static bool clear_of(const Ticks& ticks, const LabelBox& label, double distance) {
        const RectF box = label.bounds();
        return std::ranges::none_of(ticks, [&](const PlacedLine* tick) {
            return tick->to.x > box.x - distance && tick->to.x < box.right() + distance;
        });
    }

    /// Whether a leader from `label` to the tick goes over another one, which it would be read as that of.
    [[nodiscard]] bool passes(const PlacedLine& own, const LabelBox& label) const {
        const double from = label.leader_start(own.to).x;
        return std::ranges::any_of(others(own), [&](const PlacedLine* tick) {
            return std::min(from, own.to.x) < tick->to.x && tick->to.x < std::max(from, own.to.x);
        });
    }

    /// Beside the tick, where names stand upright on both sides of it.
    [[nodiscard]] std::vector<PlacedText> upright(const PlacedLine& tick, PlacedText label) const {
        label.angle = 90;
        label.at = {tick.to.x - ridge_air - text_descent * ridge_label_size, foot_ - 2};
        std::vector<PlacedText> places{label};
        label.at.x = tick.to.x + ridge_air + text_ascent * ridge_label_size;
        places.push_back(label);
        return places;
    }

    /// Beside the foot of the tick, then above it, shifted by what keeps it inside the plot and clear of
    /// ticks.
    [[nodiscard]] std::vector<PlacedText> places_of(const PlacedLine& tick, PlacedText label,
                                                    const Ticks& avoided) const {
        constexpr std::array shifts{0.0, 1.0, 0.5, 0.25, 0.75};
        std::vector<PlacedText> places;
        const Ticks all = others(tick);
        for (const TextAnchor anchor : {TextAnchor::start, TextAnchor::end}) {
            label.anchor = anchor;
            label.at = {tick.to.x + (anchor == TextAnchor::start ? ridge_air : -ridge_air),
                        foot_ - ridge_label_size * text_descent - 2};
            if (clear_of(all, LabelBox(label), from_other)) places.push_back(label);
        }
        label.anchor = TextAnchor::start;
        label.leader = true;
        label.leader_to = tick.to;
        const double width = text_width(label.text, ridge_label_size);
        for (int line = 1; line <= lines_with_leader; ++line)
            for (const double shift : shifts) {
                label.at = {tick.to.x - shift * width, tick.to.y - line * ridge_line_height};
                const LabelBox box(label);
                if (clear_of(avoided, box, over_other) && !passes(tick, box)) places.push_back(label);
            }
        return places;
    }

    const Scene& scene_;
    const std::vector<PlacedLine>& ticks_;
    RectF plot_;
    double foot_;
};

}  // namespace

void place_binding_ridge_label(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    layout.ridge_labels = RidgeLabels(scene, view, layout.ridge_ticks).place_binding(placer);
}

bool binding_ridge_is_told(const Scene& scene, const View& view, const Layout& layout) {
    return RidgeLabels(scene, view, layout.ridge_ticks).binding_told(layout.ridge_labels);
}

std::size_t count_unlabelled_ridges(const Scene& scene, const View& view, const Layout& layout) {
    return RidgeLabels(scene, view, layout.ridge_ticks).unlabelled(layout.ridge_labels).size();
}

std::string unlabelled_ridges(const Scene& scene, const View& view, const Layout& layout) {
    const RidgeLabels labels(scene, view, layout.ridge_ticks);
    std::string words;
    for (const PlacedLine* tick : labels.unlabelled(layout.ridge_labels))
        words += (words.empty() ? "" : ", ") + labels.shared_text(*tick, RidgeWords::brief);
    return words;
}

void place_ridge_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    const RidgeLabels labels(scene, view, layout.ridge_ticks);
    std::vector<RidgeWords> forms{RidgeWords::usual};
    if (names_pipe(scene)) forms.insert(forms.begin(), RidgeWords::with_pipe);
    const LabelPlacer::Placed before = placer.placed();
    for (const RidgeWords words : forms) {
        std::vector<PlacedText> placed = labels.place(placer, words);
        if (labels.unlabelled(placed).empty() &&
            !(words == RidgeWords::with_pipe && std::ranges::any_of(placed, &PlacedText::leader))) {
            layout.ridge_labels = std::move(placed);
            return;
        }
        placer.go_back(before);
    }
    place_binding_ridge_label(scene, view, layout, placer);
}

void place_other_ridge_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    const RidgeLabels labels(scene, view, layout.ridge_ticks);
    for (PlacedText& label : labels.place_others(placer, layout.ridge_labels))
        layout.ridge_labels.push_back(std::move(label));
}

}  // namespace roofwalk
