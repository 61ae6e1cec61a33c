// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/text.h"
#include "core/chart/scene/scene_parts.h"
#include "core/model/kernel_name.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/summary.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

constexpr std::size_t usual_name_length = 40;
constexpr std::size_t short_annotation_name_length = 20;
constexpr std::size_t whole_word_length = 72;  // of a name with a word too long for it
constexpr std::size_t key_name_length = 80;
constexpr std::size_t longest_bared = 1000;
/// A mixed ceiling this near to a pipe's own roof would only thicken its line.
constexpr double same_height = 0.02;
/// Kernels at one place share a name: so many are proposed for each name that is asked for.
constexpr std::uint32_t names_proposed = 4;
/// An arrow that ends this near to a roof is seen to end at it.
constexpr double at_the_roof = 0.05;

/// Of the farthest level shown.
std::optional<double> farthest_intensity(const KernelPoint& point, const SceneOptions& options) {
    for (const MemoryLevel level : all_levels)
        if (const auto intensity = shown_intensity(point, level, options)) return intensity;
    return std::nullopt;
}

/// Where the gap of a kernel is drawn: at its binding level, or at the farthest level when a pipe binds or a
/// level that is not shown.
std::optional<double> gap_intensity(const KernelPoint& point, const SceneOptions& options) {
    if (const Boundary* boundary = std::get_if<Boundary>(&*point.binding))
        if (const auto intensity = shown_intensity(point, level_of(*boundary), options)) return intensity;
    return farthest_intensity(point, options);
}

/// Work on this many pipes counts.
std::ptrdiff_t pipes_with_work(const KernelPoint& point, OperationClass operations) {
    return std::ranges::count_if(point.pipes, [&](const PipeLoad& load) {
        return load.work.value() > 0 && counts_into_work(load.pipe, operations);
    });
}

bool is_shown(const CeilingTarget& roof, const KernelPoint& point, const SceneOptions& options) {
    const Boundary* boundary = std::get_if<Boundary>(&roof);
    return !boundary || shown_level(point, level_of(*boundary), options);
}

/// Whether a drawn roof passes `y` at `x`: of another clock than the kernel's own it does not.
bool ends_at_a_roof(const Scene& scene, const CeilingTarget& target, double x, double y) {
    return std::ranges::any_of(scene.roofs, [&](const Roof& roof) {
        const double height = std::holds_alternative<Pipe>(target) ? roof.rate : roof.rate * x;
        return !roof.is_beside() && same_level(roof.target, target) && std::abs(height / y - 1) < at_the_roof;
    });
}

bool is_sm(const NearestLimit& limit) {
    const HardwareUnit* unit = std::get_if<HardwareUnit>(&limit.of);
    return unit && *unit == HardwareUnit::sm;
}

/// A vertical gap in the units of the axes.
struct GapEnds {
    double x = 1;
    double from = 1;
    double to = 1;
    CeilingTarget roof;
    VerticalGap gap;
    /// Where something without a roof is nearer than that one, the arrow ends at its limit.
    std::optional<NearestLimit> nearer = {};
    /// Where launches bind, it ends at what they allow: their share of the time.
    std::optional<double> launches = {};
};

/// The same way, up to what is nearer than the roof.
GapEnds up_to(const NearestLimit& nearer, GapEnds ends) {
    ends.to = ends.from / nearer.share;
    ends.nearer = nearer;
    return ends;
}

GapEnds up_to_launches(double share, GapEnds ends) {
    ends.to = ends.from / share;
    ends.launches = share;
    return ends;
}

std::optional<GapEnds> gap_of_dot(const KernelPoint& point, const SceneOptions& options) {
    if (!point.gap || !point.binding || !point.performance) return std::nullopt;
    const auto x = gap_intensity(point, options);
    if (!x) return std::nullopt;
    const double from = point.performance->value();
    const GapEnds ends{*x, from, from * point.gap->factor, *point.binding, *point.gap};
    return unit_beyond_roof(point) ? up_to(*tightest_limit(point), ends) : ends;
}

/// Of a kernel without a roof. The gap of a line is the same all along: it is drawn where it is seen, left of
/// where line and roof end.
std::optional<GapEnds> gap_to_nearest(const KernelPoint& point, const Scene& scene) {
    constexpr double before_the_end = 0.25;
    const auto level = level_of_line(point, scene.options);
    const LevelPoint* at = level ? &*point.at(*level) : nullptr;
    const bool line = point.placement == Placement::line;
    const auto nearest = judged_nearest(point);
    if (at == nullptr || !at->bound || (!line && !nearest)) return std::nullopt;
    const double rate = point.bandwidth(*level)->value();
    double x = line ? place_on_line(scene, point, *level, before_the_end, scene.gaps.size())
                    : shown_intensity(point, *level, scene.options).value_or(0);
    if (!(x > 0)) return std::nullopt;
    const bool other = nearest && nearest->share > 0 && nearest->of != decltype(nearest->of)(at->boundary);
    // There its share of the highest compute roof is seen.
    if (const Roof* highest = highest_compute_roof(scene); line && other && is_sm(*nearest) && highest)
        if (const double end = highest->rate * nearest->share / rate; end > scene.x.lo && end < scene.x.hi)
            x = end;
    const GapEnds ends{x, rate * x, at->ceiling->value() * x, at->boundary,
                       vertical_gap(*point.known_time(), *at->bound)};
    return other ? up_to(*nearest, ends) : ends;
}

BindingRoofPiece binding_roof_piece_of(const KernelPoint& point, const GapEnds& ends, const Scene& scene) {
    if (ends.launches) return BindingRoofPiece::flat;
    if (ends.nearer) return is_of_memory(*ends.nearer) ? BindingRoofPiece::slope : BindingRoofPiece::flat;
    if (ends_at_a_roof(scene, ends.roof, ends.x, ends.to)) return BindingRoofPiece::none;
    const bool slope = std::holds_alternative<Boundary>(ends.roof);
    return slope && is_shown(ends.roof, point, scene.options) ? BindingRoofPiece::slope
                                                              : BindingRoofPiece::flat;
}

/// Which roof a gap ends at that is not drawn: " at 1.410 GHz", of the kernel's own clock, or " of 1.20
/// TB/s".
std::string binding_roof_words(const KernelPoint& point, const CeilingTarget& roof, const Analysis& analysis,
                               const SceneOptions& options) {
    if (!is_shown(roof, point, options)) return ", not drawn";
    if (std::holds_alternative<Pipe>(roof) && pipes_with_work(point, analysis.options.operations) > 1)
        return " of its pipes together";
    const auto ceiling = point.ceilings->find(roof);
    if (!ceiling) return {};
    if (ceiling->provenance->clock) return " at " + format(*ceiling->provenance->clock);
    if (std::holds_alternative<Boundary>(roof)) return " of " + format(ByteRate(ceiling->rate));
    return " of " +
           format(FlopRate(ceiling->rate), std::string(work_unit(analysis.options.operations)) + "/s");
}

bool is_approximate(const KernelPoint& point, const GapEnds& ends) {
    return ends.nearer ? is_approximate(point, ends.nearer->of) : is_approximate(point, ends.roof);
}

/// Before the figure of a distance that a share leaves which is known at least, or at most, only.
std::string bound_sign(const KernelPoint& point, const GapEnds& ends) {
    const ShareBound of_share = share_bound(point, ends.nearer ? ends.nearer->of : limit_of(ends.roof));
    return std::string(sign_of(bound_of_distance(of_share)));
}

/// Sets "1.98x below L1TEX (50.5 % busy)". How far the roof is where a unit is nearer, the details tell: two
/// factors at one arrow are read as two ends of it.
void set_words(GapMark& mark, const GapEnds& ends, const std::string& which, const KernelPoint& point) {
    if (ends.launches) {
        const VerticalGap gap{1 / *ends.launches};
        mark.label = gap_words(gap, "launch limit", point.time_doubted);
        mark.brief = vertical_distance_words(gap, "launch limit", point.time_doubted);
        return;
    }
    const bool approximate = is_approximate(point, ends);
    const VerticalGap gap = ends.nearer ? VerticalGap{1 / ends.nearer->share} : ends.gap;
    const HardwareUnit* unit = ends.nearer ? std::get_if<HardwareUnit>(&ends.nearer->of) : nullptr;
    const std::string end =
        ends.nearer ? label_of(*ends.nearer, point.memory) : label_of(ends.roof, point.memory);
    const std::string told =
        ends.nearer && !unit ? fmt::format(" {}", evidence_of(point, *ends.nearer)) : which;
    const std::string bound = bound_sign(point, ends);
    mark.label = bound + (unit ? distance_of_unit({*unit, ends.nearer->share}, point.memory, approximate)
                               : gap_words(gap, end, approximate, told));
    mark.brief = bound + vertical_distance_words(gap, end, approximate, told);
}

/// The length of the arrow on its axis; nothing where it rounds to none.
std::string decades_of(const GapEnds& ends, bool approximate) {
    constexpr double least = 0.005;
    const double decades = std::log10(ends.to / ends.from);
    return decades < least ? std::string() : marked_if(approximate, fmt::format("{:.2f} decades", decades));
}

std::optional<GapMark> gap_of(const Analysis& analysis, std::uint32_t i, const Scene& scene,
                              std::string whose) {
    const KernelPoint& point = analysis.points[i];
    const bool dot = point.placement == Placement::chart;
    std::optional<GapEnds> ends = dot && point.gap ? gap_of_dot(point, scene.options)
                                  : dot || point.placement == Placement::line ? gap_to_nearest(point, scene)
                                                                              : std::nullopt;
    if (!ends || !(ends->from > 0) || !std::isfinite(ends->to) || !(ends->to > 0)) return std::nullopt;
    if (const auto launches = share_of_launches(point)) ends = up_to_launches(*launches, *ends);
    const BindingRoofPiece piece = binding_roof_piece_of(point, *ends, scene);
    const std::string which = piece == BindingRoofPiece::none || ends->nearer || ends->launches
                                  ? std::string()
                                  : binding_roof_words(point, ends->roof, analysis, scene.options);
    GapMark mark{.point = i,
                 .x = ends->x,
                 .from = ends->from,
                 .to = ends->to,
                 .label = {},
                 .brief = {},
                 .whose = std::move(whose),
                 .selected = scene.options.selected == i,
                 .binding_roof_piece = piece,
                 .decades = decades_of(*ends, is_approximate(point, *ends))};
    if (!mark.decades.empty() && !ends->launches) mark.decades.insert(0, bound_sign(point, *ends));
    // Beside a limit that has no side it would be read as another answer.
    if (point.verdict.side && !ends->launches && !(ends->nearer && is_sm(*ends->nearer)))
        mark.side = label_of(SideShare{.side = *point.verdict.side});
    set_words(mark, *ends, which, point);
    return mark;
}

/// The ceiling of a kernel that uses several pipes, where it is not the roof of one of them.
std::optional<KernelCeiling> mixed_of(const Analysis& analysis, std::uint32_t i, const Scene& scene,
                                      const std::string& name) {
    const KernelPoint& point = analysis.points[i];
    if (point.placement != Placement::chart || !point.compute_ceiling) return std::nullopt;
    const double y = point.compute_ceiling->value();
    const bool drawn_already = std::ranges::any_of(scene.roofs, [&](const Roof& roof) {
        return !roof.is_beside() && std::holds_alternative<Pipe>(roof.target) &&
               std::abs(roof.rate / y - 1) < same_height;
    });
    const auto x = farthest_intensity(point, scene.options);
    if (drawn_already || !x || pipes_with_work(point, analysis.options.operations) < 2) return std::nullopt;
    const std::string rate = format(FlopRate(y), std::string(work_unit(analysis.options.operations)) + "/s");
    return KernelCeiling{i, *x, y, "compute ceiling of " + name + " " + rate, name};
}

/// Where a line ends below the highest compute roof; the words, at one line of a kernel, begin with `whose`.
std::optional<KernelCeiling> ceiling_of_line(const Analysis& analysis, const KernelLine& line,
                                             const Scene& scene, const std::string& whose) {
    const KernelPoint& point = analysis.points[line.point];
    const auto& busy = point.throughput[HardwareUnit::sm];
    const Roof* highest = highest_compute_roof(scene);
    if (!line.whole || !busy || highest == nullptr || line.other_device || *busy > 1 - same_height)
        return std::nullopt;
    const double limit = line.rate * line.ends_at;
    if (line.level != level_of_line(point, scene.options))
        return KernelCeiling{line.point, line.ends_at, limit, {}, {}};
    const std::string told = "SM " + marked(point, HardwareUnit::sm, format_percent(*busy)) + " busy";
    // The arrow of the selected kernel tells how busy it is.
    const bool selected = scene.options.selected == line.point;
    const std::string rate = format(FlopRate(limit), scene.unit + "/s");
    return KernelCeiling{line.point, line.ends_at, limit,
                         fmt::format("{}{}{}{}{} of {} at most", whose, whose.empty() ? "" : ": ",
                                     selected ? "" : told, selected ? "" : ": ", rate, highest->name),
                         !whose.empty() ? whose
                         : selected     ? rate
                                        : told};
}

/// The longest, that with most to recover first, as tables have them.
std::vector<std::uint32_t> foremost_first(const Analysis& analysis,
                                          const std::vector<std::uint32_t>& by_share) {
    // Beyond so many launches those of other kernels are too short to matter.
    constexpr std::ptrdiff_t looked_at = 5000;
    std::vector<std::uint32_t> longest(by_share.rbegin(),
                                       by_share.rbegin() + std::min(std::ssize(by_share), looked_at));
    std::ranges::sort(longest);  // equal ones in the order of the points, as ranked_points() has them
    return ranked(analysis, std::move(longest));
}

/// The selected kernel, then the first of the others, `count` in all at least.
std::vector<std::uint32_t> foremost(std::span<const std::uint32_t> first,
                                    std::optional<std::uint32_t> selected, std::uint32_t count) {
    std::vector<std::uint32_t> list;
    if (selected) list.push_back(*selected);
    for (const std::uint32_t i : first.first(std::min<std::size_t>(count, first.size())))
        if (selected != i) list.push_back(i);
    return list;
}

/// One launch of each kernel of a report, the selected one first.
std::vector<std::uint32_t> foremost_names(const Analysis& analysis, const std::vector<std::uint32_t>& first,
                                          const SceneOptions& options) {
    std::set<std::pair<std::string_view, std::string_view>> seen;
    std::vector<std::uint32_t> list;
    const auto add = [&](std::uint32_t point) {
        const KernelPoint& kernel = analysis.points[point];
        if (seen.emplace(kernel.name, name_of_report(kernel)).second) list.push_back(point);
    };
    if (options.selected) add(*options.selected);
    const std::size_t most = std::size_t{names_proposed} * options.labelled + list.size();
    for (auto it = first.begin(); it != first.end() && list.size() < most; ++it)
        add(*it);
    return list;
}

/// "two_blocktiling" of "sgemm::two_blocktiling<128, 8>": namespaces and numbers take room, and tell least.
std::string bare_name(std::string_view name) {
    std::string bare = shorten_kernel_name(name, longest_bared);
    const std::size_t list = bare.find('<');
    if (list != std::string::npos && bare.find_first_not_of("0123456789-,<> ", list) == std::string::npos)
        bare.resize(list);
    // In a call with its types, as NVTX ranges name it, the last scope is that of a type.
    const std::size_t scope = bare.rfind("::", std::min(list, bare.find(" = [")));
    const bool named = scope != std::string::npos && bare.find_first_of("([{", scope) == std::string::npos &&
                       bare.compare(scope, 10, "::operator") != 0;
    return named ? bare.substr(scope + 2) : bare;
}

/// What kernels are called on one chart: by their bare names where these tell them apart.
class ChartNames {
  public:
    ChartNames(const Analysis& analysis, const std::vector<std::uint32_t>& points,
               const std::vector<std::uint32_t>& more_points) {
        std::vector<std::string_view> names;
        for (const auto* list : {&points, &more_points})
            for (const std::uint32_t i : *list)
                names.emplace_back(analysis.points[i].name);
        for (const std::string_view name : names)
            by_bare_[bare_name(name)].insert(name);
        similar_ = SimilarNames(std::move(names));
    }
    [[nodiscard]] const SimilarNames& similar() const { return similar_; }
    [[nodiscard]] std::string of(std::string_view name, std::size_t length) const {
        const auto alike = by_bare_.find(bare_name(name));
        const bool alone = alike != by_bare_.end() && alike->second.size() == 1;
        return alone ? shorten_kernel_name(alike->first, length) : similar_.shortened(name, length);
    }

  private:
    std::unordered_map<std::string, std::unordered_set<std::string_view>> by_bare_;
    SimilarNames similar_;
};

/// ", run.ncu-rep" after what a kernel is called; not after a label that somebody gave, which tells it from
/// those of other reports.
class ReportWords {
  public:
    ReportWords(const Analysis& analysis, const SceneOptions& options,
                const std::vector<std::uint32_t>& shown)
        : analysis_(analysis), given_(options.names) {
        if (!analysis.several_reports || given_.empty()) return;
        for (const std::uint32_t i : shown) {
            const KernelPoint& point = analysis.points[i];
            if (const auto label = given_.find(point.name);
                label != given_.end() && point.placement != Placement::not_drawn)
                reports_[label->second].insert(name_of_report(point));
        }
    }
    [[nodiscard]] std::string of(const KernelPoint& point) const {
        const auto label = given_.find(point.name);
        const auto reports = label == given_.end() ? reports_.end() : reports_.find(label->second);
        return reports != reports_.end() && reports->second.size() == 1 ? std::string()
                                                                        : in_report(analysis_, point);
    }

  private:
    const Analysis& analysis_;
    const decltype(SceneOptions::names)& given_;
    std::map<std::string_view, std::set<std::string_view>> reports_;  // by label
};

/// The rows of those with a dot or line among `kernels`, whose names are as long as a page is wide.
std::vector<KeyRow> key_of(const Scene& scene, const Analysis& analysis, const SimilarNames& names,
                           const ReportWords& reports, const std::vector<std::uint32_t>& kernels) {
    std::vector<KeyRow> key;
    std::size_t number = 0;
    for (const std::uint32_t i : ranked_points(analysis)) {
        if (!scene.shows(i)) continue;
        ++number;
        const KernelPoint& point = analysis.points[i];
        if (point.placement == Placement::not_drawn || std::ranges::find(kernels, i) == kernels.end())
            continue;
        const auto intensity = farthest_intensity(point, scene.options);
        const bool given = scene.options.names.contains(point.name);
        key.push_back(
            {number, i,
             (given ? called(point.name, key_name_length, scene.options)
                    : names.shortened(point.name, key_name_length)) +
                 reports.of(point),
             intensity ? format_number(*intensity) : "–",
             point.known_time() ? marked_if(point.share_doubted, format_percent(point.time_share)) : "–"});
    }
    return key;
}

}  // namespace

std::size_t length_of_annotation(std::string_view name) {
    constexpr std::size_t around = 9;
    std::size_t longest = 0;
    std::size_t word = 0;
    for (const char c : name) {
        word = c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0 ? word + 1 : 0;
        longest = std::max(longest, word);
    }
    return std::clamp(longest + around, usual_name_length, whole_word_length);
}

void add_annotations(Scene& scene, const Analysis& analysis, const std::vector<std::uint32_t>& by_share) {
    const SceneOptions& options = scene.options;
    const std::vector<std::uint32_t> first = foremost_first(analysis, by_share);
    const std::vector<std::uint32_t> told = foremost(first, options.selected, options.gaps);
    const std::size_t asked_for = options.labelled + (options.selected ? 1U : 0U);
    std::vector<std::uint32_t> named = foremost_names(analysis, first, options);
    const ChartNames names(analysis, told, named);
    const ReportWords reports(analysis, options, by_share);
    if (options.numbered) {
        named.resize(std::min(named.size(), asked_for));
        std::vector<std::uint32_t> keyed = told;
        keyed.insert(keyed.end(), named.begin(), named.end());
        scene.key = key_of(scene, analysis, names.similar(), reports, keyed);
    }
    const auto name_of = [&](std::uint32_t i, std::optional<std::size_t> most = {}) {
        const auto row = std::ranges::find(scene.key, i, &KeyRow::point);
        if (row != scene.key.end()) return std::to_string(row->number);
        const KernelPoint& point = analysis.points[i];
        const std::size_t length = most.value_or(length_of_annotation(point.name));
        const bool given = options.names.contains(point.name);
        return (given ? called(point.name, length, options) : names.of(point.name, length)) +
               reports.of(point);
    };
    for (const std::uint32_t i : told) {
        // Among many dots a figure alone could be anyone's.
        const std::string whose = options.selected == i ? std::string() : name_of(i);
        if (auto gap = gap_of(analysis, i, scene, whose)) scene.gaps.push_back(*std::move(gap));
        if (auto target = target_mark_of(analysis, i, options, whose))
            scene.targets.push_back(*std::move(target));
    }

    for (const std::uint32_t i : std::span(named).first(std::min(named.size(), asked_for)))
        if (const auto mixed = mixed_of(analysis, i, scene, name_of(i, short_annotation_name_length)))
            scene.kernel_ceilings.push_back(*mixed);
    for (const KernelLine& line : scene.lines) {
        const bool alone = std::ranges::all_of(
            scene.lines, [&](const KernelLine& other) { return other.point == line.point || !other.whole; });
        if (auto end = ceiling_of_line(analysis, line, scene, alone ? std::string() : name_of(line.point)))
            scene.kernel_ceilings.push_back(*std::move(end));
    }
    for (GapMark& gap : scene.gaps)
        if (std::ranges::any_of(scene.kernel_ceilings, [&](const KernelCeiling& mixed) {
                return mixed.point == gap.point && std::abs(mixed.y / gap.to - 1) < same_height;
            }))
            gap.binding_roof_piece = BindingRoofPiece::none;

    // A kernel's name stands at its first dot, the one of the farthest level.
    const std::unordered_set<std::uint32_t> wanted(named.begin(), named.end());
    std::unordered_map<std::uint32_t, std::uint32_t> first_dot;
    for (std::uint32_t dot = 0; dot < scene.dots.size(); ++dot)
        if (wanted.contains(scene.dots[dot].point)) first_dot.try_emplace(scene.dots[dot].point, dot);
    // Instances of a template may be alike once they are short.
    std::unordered_set<std::string> given;
    for (const std::uint32_t i : named) {
        const auto dot = first_dot.find(i);
        if (dot == first_dot.end()) continue;
        std::string name = name_of(i);
        if (given.insert(name).second) scene.names.push_back({dot->second, std::move(name)});
    }
}

}  // namespace roofwalk
