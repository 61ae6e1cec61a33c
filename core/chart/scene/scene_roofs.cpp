// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "core/base/text.h"
#include "core/chart/scene/scene_parts.h"
#include "core/devices/theoretical_ceilings.h"
#include "core/operations/measured_type.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

/// A kernel whose line ends at a compute roof kept the tensor cores busy with work that nothing counted: of
/// the type in its name, where that has one.
std::vector<Pipe> uncounted_tensor_pipes(const Analysis& analysis) {
    const OperationClass operations = analysis.options.operations;
    std::vector<Pipe> pipes;
    for (const KernelPoint& point : analysis.points) {
        if (point.placement != Placement::line || !point.uncounted.tensor) continue;
        const Pipe usual{operations == OperationClass::integer ? PipeKind::tensor_int8
                                                               : PipeKind::tensor_any};
        const Pipe pipe = tensor_pipe_in_name(point.name).value_or(usual);
        if (counts_into_work(pipe, operations)) pipes.push_back(pipe);
    }
    return pipes;
}

bool listed(const std::vector<Pipe>& pipes, Pipe pipe) {
    return std::ranges::find(pipes, pipe) != pipes.end();
}

/// Pipes with work in this analysis, each with the share of time of the kernels that it bounds most.
struct PipeUse {
    Pipe pipe;
    double weight = 0;
};

const PipeLoad* heaviest_load(const KernelPoint& point, OperationClass operations) {
    const PipeLoad* heaviest = nullptr;
    const auto time_of = [](const PipeLoad& load) { return load.bound ? load.bound->value() : 0.0; };
    for (const PipeLoad& load : point.pipes) {
        if (load.work.value() <= 0 || !counts_into_work(load.pipe, operations)) continue;
        if (!heaviest || time_of(load) > time_of(*heaviest)) heaviest = &load;
    }
    return heaviest;
}

std::vector<PipeUse> pipes_in_use(const Analysis& analysis) {
    std::vector<PipeUse> uses;
    const auto use_of = [&](Pipe pipe) -> PipeUse& {
        const auto it = std::ranges::find(uses, pipe, &PipeUse::pipe);
        return it != uses.end() ? *it : uses.emplace_back(PipeUse{pipe, 0});
    };
    for (const KernelPoint& point : analysis.points) {
        for (const PipeLoad& load : point.pipes)
            if (load.work.value() > 0 && counts_into_work(load.pipe, analysis.options.operations))
                use_of(load.pipe);
        if (const PipeLoad* heaviest = heaviest_load(point, analysis.options.operations))
            use_of(heaviest->pipe).weight += point.time_share;
    }
    return uses;
}

/// Ids go into SVG and CSS, where a dot would part an id from a class.
void name_roof(Roof& roof, std::string target, std::string label, RoofLine line) {
    const std::string kind = line == RoofLine::practical ? "practical"
                             : line == RoofLine::theory  ? "theory"
                                                         : "";
    std::ranges::replace(target, '.', '-');
    roof.id = "roof-" + target + (kind.empty() ? "" : "-" + kind);
    roof.name = std::move(label) + (kind.empty() ? "" : " " + kind);
    roof.line = line;
}

void add_provenance(Roof& roof, const Provenance& provenance) {
    roof.measured = provenance.is_benchmarked() && roof.line == RoofLine::usual;
    roof.clock = provenance.clock;
    roof.note += describe(provenance);
}

/// Named by its level; by its boundary beside that of other reports.
Roof bandwidth_roof(const BandwidthCeiling& ceiling, RoofLine line, const AnalysisOptions& options) {
    const MemoryLevel level = level_of(ceiling.boundary);
    const MemoryName memory = options.memory;
    const bool of_all = ceiling.boundary == options.boundaries[level];
    std::string id(of_all ? id_of(level) : id_of(ceiling.boundary));
    std::ranges::replace(id, '/', '-');  // of an element of SVG
    Roof roof;
    name_roof(roof, id, of_all ? std::string(label_of(level, memory)) : name_of(ceiling.boundary, memory),
              line);
    roof.rate = ceiling.rate.value();
    roof.value = format(ByteRate(roof.rate));
    roof.note = roof.name + " " + roof.value + " (" + name_of(ceiling.boundary, memory) + "): ";
    add_provenance(roof, ceiling.provenance);
    roof.target = ceiling.boundary;
    return roof;
}

Roof compute_roof(const ComputeCeiling& ceiling, RoofLine line, OperationClass operations) {
    Roof roof;
    name_roof(roof, id_of(ceiling.pipe), label_of(ceiling.pipe), line);
    roof.rate = ceiling.rate.value();
    roof.value = format(FlopRate(roof.rate), std::string(work_unit(operations)) + "/s");
    roof.note = roof.name + " " + roof.value + ": ";
    add_provenance(roof, ceiling.provenance);
    roof.target = ceiling.pipe;
    return roof;
}

/// The compute roof of the pipe that bounds the selected kernel most, else of the pipe with the largest share
/// of time, else the highest one shown.
const Roof* foremost_roof(const Scene& scene, const Analysis& analysis, std::vector<PipeUse> uses) {
    const auto shown = [&](Pipe pipe) -> const Roof* {
        for (const Roof& roof : scene.roofs)
            if (!roof.is_beside() && roof.target == CeilingTarget(pipe)) return &roof;
        return nullptr;
    };
    if (const KernelPoint* selected = selected_point(analysis, scene.options))
        if (const PipeLoad* load = heaviest_load(*selected, analysis.options.operations))
            if (const Roof* roof = shown(load->pipe)) return roof;
    std::ranges::stable_sort(uses, std::ranges::greater{}, &PipeUse::weight);
    for (const PipeUse& use : uses)
        if (const Roof* roof = shown(use.pipe)) return roof;
    return highest_compute_roof(scene);
}

/// What ridges refer to: the ceiling of the selected kernel, which mixes its pipes, else a compute roof.
struct RidgeCeiling {
    double rate = 0;  ///< [FLOP/s]
    std::string name;
    std::optional<CeilingTarget> target;  ///< absent of a mix
};

std::optional<RidgeCeiling> ridge_ceiling(const Scene& scene, const Analysis& analysis,
                                          const std::vector<PipeUse>& uses) {
    constexpr double same_height = 0.02;
    const Roof* roof = foremost_roof(scene, analysis, uses);
    const KernelPoint* selected = selected_point(analysis, scene.options);
    if (selected && selected->compute_ceiling) {
        const double rate = selected->compute_ceiling->value();
        if (!roof || std::abs(roof->rate / rate - 1) > same_height)
            return RidgeCeiling{rate, "the kernel's compute ceiling", std::nullopt};
    }
    if (!roof) return std::nullopt;
    return RidgeCeiling{roof->rate, roof->name, roof->target};
}

/// The level whose ridge tells on which side the selected kernel stands.
std::optional<MemoryLevel> level_of_zones(const Scene& scene, const Analysis& analysis) {
    const KernelPoint* selected = selected_point(analysis, scene.options);
    if (!scene.options.zones || scene.options.theme == Theme::print || !selected || !selected->binding ||
        is_bound_beside_roof(*selected))
        return std::nullopt;
    const auto place = ridge_place(*selected);
    return place ? std::optional(place->level) : std::nullopt;
}

void add_ridges(Scene& scene, const Analysis& analysis, const std::vector<PipeUse>& uses) {
    const std::optional<RidgeCeiling> compute = ridge_ceiling(scene, analysis, uses);
    if (!compute) return;
    const std::string unit = std::string(work_unit(analysis.options.operations)) + "/byte";
    const std::optional<MemoryLevel> shaded = level_of_zones(scene, analysis);
    for (const Roof& roof : scene.roofs) {
        if (roof.is_beside() || std::holds_alternative<Pipe>(roof.target)) continue;
        const double ridge = compute->rate / roof.rate;
        scene.ridges.push_back(
            {ridge,
             roof.name,
             format_number(ridge),
             "ridge of " + roof.name + " and " + compute->name + ": " + format(Intensity(ridge), unit),
             compute->name,
             roof.highlighted,
             {},
             compute->target});
        if (shaded == level_of(std::get<Boundary>(roof.target)))
            scene.zones = Zones{roof.rate, compute->rate};
    }
}

/// Where the practical roofs of the same levels and of the same pipe meet.
void add_practical_ridges(Scene& scene, const AnalysisOptions& options) {
    if (scene.ridges.empty() || !scene.ridges.front().compute) return;
    const CeilingTarget compute = *scene.ridges.front().compute;
    const std::string pipe = scene.ridges.front().pipe;
    const auto is_practical = [](const Roof& roof) { return roof.line == RoofLine::practical; };
    const auto peak = std::ranges::find_if(
        scene.roofs, [&](const Roof& roof) { return is_practical(roof) && roof.target == compute; });
    if (peak == scene.roofs.end()) return;
    for (const Roof& roof : scene.roofs) {
        if (!is_practical(roof) || std::holds_alternative<Pipe>(roof.target)) continue;
        const double ridge = peak->rate / roof.rate;
        RidgeMark mark;
        mark.x = ridge;
        mark.name = roof.name;
        mark.number = format_number(ridge);
        mark.pipe = pipe;
        mark.compute = compute;
        mark.note = "ridge of what good kernels reach of " + label_of(roof.target, options.memory) + " and " +
                    pipe + ": " +
                    format(Intensity(ridge), std::string(work_unit(options.operations)) + "/byte");
        scene.ridges.push_back(std::move(mark));
    }
}

/// The roof that limits a kernel; none where a unit does: what keeps an SM busy need not be FLOP.
std::optional<CeilingTarget> limiting_roof(const KernelPoint& point, const Scene& scene) {
    if (point.placement != Placement::line)
        return is_bound_beside_roof(point) ? std::nullopt : std::optional<CeilingTarget>(point.binding);
    if (const auto nearest = judged_nearest(point)) {
        if (const auto* pipe = std::get_if<Pipe>(&nearest->of)) return *pipe;
        if (const auto* unit = std::get_if<HardwareUnit>(&nearest->of))
            return *unit == HardwareUnit::dram ? std::optional<CeilingTarget>(Boundary::hbm_dram_rw)
                                               : std::nullopt;
    }
    const auto level = level_of_line(point, scene.options);
    return level ? std::optional<CeilingTarget>(point.at(*level)->boundary) : std::nullopt;
}

bool is_same_line(const Roof& a, const Roof& b) {
    constexpr double same_line = 0.005;
    return same_level(a.target, b.target) && std::abs(a.rate / b.rate - 1) <= same_line;
}

/// Adds the roofs that do not lie on the one that they belong to: two lines would be seen as one.
void add_apart(Scene& scene, const std::vector<Roof>& own, std::vector<Roof> beside) {
    for (Roof& roof : beside)
        if (std::ranges::none_of(own, [&](const Roof& other) { return is_same_line(other, roof); }))
            scene.roofs.push_back(std::move(roof));
}

/// A set with other ceilings for some of its targets: what a roof of theory ends at may be one of any source.
CeilingSet in_place_of(CeilingSet set, const CeilingSet& others) {
    for (ComputeCeiling& ceiling : set.compute)
        if (const ComputeCeiling* other = others.find(ceiling.pipe)) ceiling = *other;
    for (BandwidthCeiling& ceiling : set.bandwidth)
        if (const BandwidthCeiling* other = others.find(ceiling.boundary)) ceiling = *other;
    return set;
}

void compare_with_theory(std::vector<Roof>& own, const std::vector<Roof>& theory) {
    for (Roof& roof : own) {
        const auto of_theory = std::ranges::find(theory, roof.target, &Roof::target);
        if (of_theory == theory.end()) continue;
        roof.of_theory = format_percent(roof.rate / of_theory->rate) + " of theory";
        roof.note += "; " + roof.of_theory + ", " + of_theory->note;
    }
}

bool limits_a_shown_kernel_of(DeviceIndex device, const Roof& roof, const Scene& scene,
                              const Profile& profile, const Analysis& analysis) {
    const std::vector<DeviceIndex> models = models_of(profile);
    for (std::uint32_t i = 0; i < analysis.points.size(); ++i)
        if (const KernelPoint& point = analysis.points[i];
            point.placement == Placement::chart && point.binding == roof.target && scene.shows(i) &&
            model_of(profile, models, analysis, point) == device)
            return true;
    return false;
}

/// Of another device those roofs that limit its kernels and have no counterpart among those drawn: nothing
/// else on the chart tells what holds such a kernel back.
void add_lacking(Scene& scene, const Profile& profile, const Analysis& analysis, DeviceIndex device,
                 std::vector<Roof> roofs) {
    const std::string of = " of " + model_name(profile, profile.at(device));
    for (Roof& roof : roofs) {
        if (std::ranges::any_of(scene.roofs,
                                [&](const Roof& own) { return same_level(own.target, roof.target); }) ||
            !limits_a_shown_kernel_of(device, roof, scene, profile, analysis))
            continue;
        roof.id.insert(0, "device" + std::to_string(static_cast<std::size_t>(device)) + "-");
        roof.note.insert(roof.name.size(), of);
        roof.name += of;
        scene.roofs.push_back(std::move(roof));
    }
}

}  // namespace

bool same_level(const CeilingTarget& a, const CeilingTarget& b) {
    const Boundary* one = std::get_if<Boundary>(&a);
    const Boundary* other = std::get_if<Boundary>(&b);
    return one && other ? level_of(*one) == level_of(*other) : a == b;
}

void drop_misleading_zones(Scene& scene, const Analysis& analysis) {
    if (!scene.zones) return;
    const double ridge = scene.zones->peak / scene.zones->bandwidth;
    const std::optional<MemoryLevel> shaded = level_of_zones(scene, analysis);
    const auto contradicts = [&](const Dot& dot) {
        const KernelPoint& point = analysis.points[dot.point];
        const KernelClass is = point.verdict.kernel_class;
        const bool by_memory =
            is == KernelClass::memory_bound || (is == KernelClass::near_roof && limiting_level(point));
        // Of a slower pipe the ridge is farther left.
        const bool by_compute = is == KernelClass::compute_bound && dot.level == shaded;
        return dot.rail == Rail::none && (dot.x > ridge ? by_memory : by_compute);
    };
    if (std::ranges::any_of(scene.dots, contradicts)) scene.zones.reset();
}

const Roof* highest_compute_roof(const Scene& scene) {
    const Roof* highest = nullptr;
    for (const Roof& roof : scene.roofs)
        if (!roof.is_beside() && std::holds_alternative<Pipe>(roof.target) &&
            (!highest || roof.rate > highest->rate))
            highest = &roof;
    return highest;
}

void join_ends(std::span<Roof> roofs) {
    double peak = 0;
    double bandwidth = 0;
    for (const Roof& roof : roofs) {
        double& highest = std::holds_alternative<Pipe>(roof.target) ? peak : bandwidth;
        highest = std::max(highest, roof.rate);
    }
    for (Roof& roof : roofs)
        if (std::holds_alternative<Pipe>(roof.target))
            roof.ends_at = bandwidth > 0 ? roof.rate / bandwidth : 0;
        else
            roof.ends_at = peak > 0 ? peak / roof.rate : std::numeric_limits<double>::infinity();
}

namespace {

/// Those of the kernels, counted or not, and those that a person adds, without the ones switched off.
std::vector<Pipe> pipes_with_roofs(const std::vector<PipeUse>& uses, const std::vector<Pipe>& uncounted,
                                   OperationClass operations, const SceneOptions& options) {
    std::vector<Pipe> pipes;
    for (const PipeUse& use : uses)
        pipes.push_back(use.pipe);
    if (pipes.empty())  // no kernel has work
        pipes.push_back({operations == OperationClass::integer ? PipeKind::int32 : PipeKind::fp32});
    for (const auto* others : {&options.extra_pipes, &uncounted})
        for (const Pipe pipe : *others)
            if (!listed(pipes, pipe)) pipes.push_back(pipe);
    std::erase_if(pipes, [&](Pipe pipe) { return listed(options.hidden_pipes, pipe); });
    std::ranges::sort(pipes);
    return pipes;
}

}  // namespace

void add_roofs(Scene& scene, const Profile& profile, const Analysis& analysis) {
    const SceneOptions& options = scene.options;
    const CeilingSet& ceilings = ceilings_in_use(analysis, options);
    const OperationClass operations = analysis.options.operations;
    const std::vector<PipeUse> uses = pipes_in_use(analysis);

    const std::vector<Pipe> uncounted = uncounted_tensor_pipes(analysis);
    const std::vector<Pipe> pipes = pipes_with_roofs(uses, uncounted, operations, options);
    const EnumArray<MemoryLevel, bool> levels = levels_with_roofs(analysis, options);
    const auto roofs_of = [&](const CeilingSet& set, RoofLine line) {
        std::vector<Roof> roofs;
        for (const MemoryLevel level : all_levels)
            for (const Boundary boundary : boundaries_in_use(analysis, level)) {
                const BandwidthCeiling* ceiling = set.find(boundary);
                if (!levels[level] || !ceiling || ceiling->rate.value() <= 0) continue;
                Roof roof = bandwidth_roof(*ceiling, line, analysis.options);
                const auto same =
                    std::ranges::find_if(roofs, [&](const Roof& other) { return is_same_line(other, roof); });
                if (same == roofs.end())
                    roofs.push_back(std::move(roof));
                else
                    same->note += "; the same of " + name_of(boundary, analysis.options.memory);
            }
        for (const Pipe pipe : pipes) {
            const ComputeCeiling* ceiling = set.find(pipe);
            if (!ceiling || ceiling->rate.value() <= 0) continue;
            roofs.push_back(compute_roof(*ceiling, line, operations));
            if (pipe.kind != PipeKind::tensor_any && listed(uncounted, pipe))
                roofs.back().note += "; type by the name of its kernel";
        }
        join_ends(roofs);
        return roofs;
    };
    std::vector<Roof> own = roofs_of(ceilings, RoofLine::usual);
    if (options.practical_roofs)
        add_apart(scene, own,
                  roofs_of(practical_ceilings(ceilings, analysis.options.practical), RoofLine::practical));
    if (options.theory_roofs && std::ranges::any_of(own, &Roof::measured))
        if (const auto device = board_in_use(profile, analysis, options)) {
            const CeilingSet theory = theory_beside(ceilings, profile.at(*device), analysis.options.clock);
            std::vector<Roof> beside = roofs_of(in_place_of(ceilings, theory), RoofLine::theory);
            std::erase_if(beside, [&](const Roof& roof) { return !theory.find(roof.target); });
            compare_with_theory(own, beside);
            add_apart(scene, own, std::move(beside));
        }
    scene.roofs.insert(scene.roofs.end(), own.begin(), own.end());
    for (const ModelCeilings& model : analysis.models)
        if (model.device != device_in_use(profile, analysis, options))
            add_lacking(scene, profile, analysis, model.device,
                        roofs_of(model.ceilings, RoofLine::other_device));

    const KernelPoint* selected = selected_point(analysis, options);
    if (const auto target = selected ? limiting_roof(*selected, scene) : std::nullopt) {
        const bool alone = std::ranges::find(own, *target, &Roof::target) != own.end();
        for (Roof& roof : scene.roofs)
            roof.highlighted =
                !roof.is_beside() && (alone ? roof.target == *target : same_level(roof.target, *target));
    }
    add_ridges(scene, analysis, uses);
    add_practical_ridges(scene, analysis.options);
}

}  // namespace roofwalk
