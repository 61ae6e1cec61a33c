// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/gap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/text.h"
#include "core/operations/op_model.h"
#include "core/operations/op_registry.h"
#include "core/roofline/analysis.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

/// Efficiencies this near to 1 are "on" the roof: a figure would show two digits.
constexpr double on_the_roof = 0.005;

Flops work_of(const OperationModel& model, OperationClass operations) {
    Flops sum;
    for (const PipeWork& part : model.work)
        if (counts_into_work(part.pipe, operations)) sum += part.work;
    return sum;
}

/// What operations ask of the pipe that takes longest; absent where one of theirs has no ceiling.
std::optional<Seconds> longest_pipe(std::span<const PipeWork> work, const CeilingSet* ceilings) {
    if (ceilings == nullptr) return std::nullopt;
    std::map<Pipe, Flops> of_pipes;
    for (const PipeWork& part : work)
        of_pipes[pipe_on(part, *ceilings)] += part.work;
    Seconds longest;
    for (const auto& [pipe, sum] : of_pipes) {
        const ComputeCeiling* ceiling = ceilings->find(pipe);
        if (ceiling == nullptr && sum.value() > 0) return std::nullopt;
        if (ceiling != nullptr) longest = std::max(longest, time_bound(sum, ceiling->rate));
    }
    return longest;
}

/// Sums over the measured launches.
std::optional<AlgorithmicTarget> needs_of(const Profile& profile, std::span<const LaunchIndex> launches,
                                          const AnalysisOptions& options, const CeilingSet* ceilings) {
    AlgorithmicTarget target;
    std::vector<LaunchIndex> measured(launches.begin(), launches.end());
    std::erase_if(measured, [&](LaunchIndex index) { return profile.at(index).failed; });
    Executions executions = options.launch_operations->executions_of(measured);
    target.bound = executions.bound;
    target.not_bound = executions.not_bound;
    target.in_part = executions.in_part && executions.not_bound > 0;
    if (executions.operations.empty() && executions.in_part) target.operation = executions.in_part;
    std::vector<const BoundOperation*> seen;
    std::vector<PipeWork> work;
    for (auto& operation : executions.operations) {
        target.work += work_of(*operation->model, options.operations);
        target.bytes += operation->model->compulsory();
        work.insert(work.end(), operation->model->work.begin(), operation->model->work.end());
        if (seen.empty() || seen.back() != operation.get()) seen.push_back(operation.get());
        if (!target.operation) target.operation = std::move(operation);
    }
    if (!target.operation) return std::nullopt;
    target.pipe_time = longest_pipe(work, ceilings);
    std::ranges::sort(seen);
    const auto different = std::unique(seen.begin(), seen.end()) - seen.begin();
    target.operations = std::max(1U, static_cast<std::uint32_t>(different));
    return target;
}

/// Gx, its end and its ceiling: T / T', with T' the speed-of-light time once HBM carries `bytes`.
void add_useful_part(const KernelPoint& point, Bytes bytes, AlgorithmicTarget& target) {
    const auto& hbm = point.at(MemoryLevel::hbm);
    if (!hbm->ceiling || !point.speed_of_light) return;
    const BindingBound rest = largest_bound_beside_hbm(point);
    const Seconds on_hbm = bytes / *hbm->ceiling;
    const bool hbm_binds = on_hbm >= rest.bound;
    const Seconds at_place = std::max(on_hbm, rest.bound);
    target.binding = hbm_binds ? CeilingTarget(hbm->boundary) : *rest.target;
    target.useful = *point.speed_of_light / at_place;
    if (!hbm_binds && point.work && point.work->value() > 0)
        target.useful_until = *point.work / (rest.bound * *hbm->ceiling);
    if (!point.gap) return;
    target.potential = point.gap->factor * *target.useful;
    // Fewer bytes of HBM relieve DRAM, and no other unit.
    if (const auto busy = busiest(beside_dram(point.throughput)))
        target.potential = std::min(*target.potential, 1 / std::min(1.0, busy->share));
}

/// Whether a kernel did so much less work and moved so many fewer bytes than its operation needs that the
/// operation must be larger than what ran.
bool is_too_large(const std::optional<double>& work_ratio, const std::optional<double>& byte_ratio) {
    return work_ratio && *work_ratio * noticeable_gap < 1 && byte_ratio.value_or(0) * noticeable_gap < 1;
}

bool is_one(double factor) {
    return std::abs(factor - 1) <= target_tolerance;
}

std::string noun_of(const AlgorithmicTarget& target) {
    if (target.operations > 1) return "the operations of its launches";
    const OperationSpec* spec = find_operation(target.operation->model->operation);
    return std::string(spec ? spec->noun : "its operation");
}

std::string_view needs(const AlgorithmicTarget& target) {
    return target.operations > 1 ? "need" : "needs";
}

std::string needs_sentence(const KernelPoint& point, std::string_view unit) {
    const AlgorithmicTarget& target = *point.target;
    std::string text =
        fmt::format("It needs {} of {} traffic at least", format(target.bytes), label_of(point.memory));
    if (!target.intensity) return text + fmt::format(" and no {}.", unit);
    return text + fmt::format(" and {}: algorithmic AI {}.", format(target.work, unit),
                              format(*target.intensity, std::string(unit) + "/byte"));
}

/// A factor that follows from the HBM bytes of a kernel.
std::string marked_bytes(const KernelPoint& point, double factor) {
    return marked_if(is_inexact(point, MemoryLevel::hbm), format_factor(factor));
}

/// Gh, and why the target is not at I_alg where the kernel did other work.
std::string gap_sentence(const KernelPoint& point, std::string_view unit) {
    const AlgorithmicTarget& target = *point.target;
    const std::string bytes = marked_bytes(point, *target.byte_gap);
    if (!target.gap) return fmt::format("Horizontal gap by bytes: {} of the compulsory ones.", bytes);
    if (counts_same_work(target))
        return fmt::format("Horizontal gap: {} in intensity, {} in bytes.",
                           marked_intensity(point, MemoryLevel::hbm, format_factor(*target.gap)), bytes);
    return fmt::format(
        "Horizontal gap: {} in bytes. The kernel did {} the work of the model: with these bytes alone it would "
        "stand at AI {}.",
        bytes, marked_if(has_inexact_work(point), format_factor(*target.work_ratio)),
        format(*target.place, std::string(unit) + "/byte"));
}

std::string useful_sentence(const KernelPoint& point, std::string_view unit) {
    const AlgorithmicTarget& target = *point.target;
    if (*target.useful < 1 && !is_one(*target.useful))
        return fmt::format(
            "Nothing is to be gained there: with the bytes of the model it would run at {} of its speed.",
            marked_bytes(point, *target.useful));
    const bool nothing_to_close =
        is_one(*target.useful) && target.gap.value_or(target.byte_gap.value_or(1)) <= 1 + target_tolerance;
    std::string text = nothing_to_close
                           ? std::string("There is nothing to close")
                           : fmt::format("Closing it is worth {}", marked_bytes(point, *target.useful));
    if (!nothing_to_close && target.useful_until && target.gap && *target.gap > 1)
        text += fmt::format(": from AI {} on {} binds, and more intensity gains nothing",
                            format(*target.useful_until, std::string(unit) + "/byte"),
                            label_of(*target.binding, point.memory));
    else if (target.binding)
        text += fmt::format("; {} binds there", label_of(*target.binding, point.memory));
    if (target.potential)
        text += fmt::format(". With the vertical gap the potential is {}",
                            marked_gap(point, format_factor(*target.potential)));
    return text + ".";
}

}  // namespace

std::string operation_sentence(const AlgorithmicTarget& target) {
    if (target.operations > 1)
        return fmt::format("{} different operations, the first {} ({}).", target.operations,
                           target.operation->text, why_words(*target.operation));
    return fmt::format("{} ({}).", target.operation->text, why_words(*target.operation));
}

double VerticalGap::decades() const {
    return std::log10(factor);
}

VerticalGap vertical_gap(Seconds time, Seconds speed_of_light) {
    return VerticalGap{time / speed_of_light};
}

bool VerticalGap::is_none() const {
    return std::abs(efficiency() - 1) < on_the_roof;
}

std::string vertical_distance_words(const VerticalGap& gap, const std::string& roof, bool approximate,
                                    const std::string& which) {
    if (gap.is_none()) return "on the " + roof + " roof" + which;
    if (gap.factor < 1)
        return fmt::format("above the {} roof{}: {}", roof, which,
                           marked_if(approximate, format_factor(gap.efficiency())));
    return marked_if(approximate, format_factor(gap.factor)) + " below " + roof + which;
}

std::string gap_words(const VerticalGap& gap, const std::string& roof, bool approximate,
                      const std::string& which) {
    const std::string words = vertical_distance_words(gap, roof, approximate, which);
    return gap.is_none()
               ? words
               : fmt::format("{} ({})", words, marked_if(approximate, format_percent(gap.efficiency())));
}

std::optional<bool> moves_needed_bytes_only(const KernelPoint& point) {
    if (!point.target || !point.target->byte_gap) return std::nullopt;
    return std::max(*point.target->byte_gap, point.target->useful.value_or(1)) < noticeable_gap;
}

std::vector<DataType> stated_types(const KernelPoint& point) {
    if (!point.target || point.target->operations != 1) return {};
    const OperationModel& model = *point.target->operation->model;
    return assumed_type(model).empty() ? operand_types(model) : std::vector<DataType>();
}

bool counts_same_work(const AlgorithmicTarget& target) {
    return !target.work_ratio || std::abs(*target.work_ratio - 1) <= same_work_tolerance;
}

void compute_target_gaps(const KernelPoint& point, AlgorithmicTarget& target) {
    target.intensity.reset();
    target.place.reset();
    target.gap.reset();
    target.byte_gap.reset();
    target.work_ratio.reset();
    target.useful.reset();
    target.useful_until.reset();
    target.binding.reset();
    target.potential.reset();
    target.least_time.reset();
    if (target.not_bound > 0) return;
    if (target.work.value() > 0) target.intensity = target.work / target.bytes;
    // Its figures are those of the operation: there is nothing to compare them with.
    if (point.modelled || point.modelled_bytes) return;
    const bool work_known = point.work && point.work->value() > 0 && !point.uncounted.any();
    if (work_known && target.work.value() > 0) target.work_ratio = *point.work / target.work;
    const bool other_work = !counts_same_work(target);
    target.place = other_work ? std::optional(*point.work / target.bytes) : target.intensity;

    if (const auto* roof = point.ceilings ? point.ceilings->find(Boundary::hbm_dram_rw) : nullptr;
        roof && target.pipe_time)
        target.least_time = std::max(*target.pipe_time, time_bound(target.bytes, roof->rate));
    const auto& hbm = point.at(MemoryLevel::hbm);
    const auto byte_ratio = hbm ? std::optional(hbm->bytes / target.bytes) : std::nullopt;
    if (is_too_large(target.work_ratio, byte_ratio)) {
        target.place.reset();
        target.least_time.reset();
        return;
    }
    if (!hbm) return;
    target.byte_gap = byte_ratio;
    if (target.place && work_known && hbm->intensity) target.gap = *target.place / *hbm->intensity;
    // The bytes at which a kernel with this W stands there.
    add_useful_part(point, target.bytes * (other_work ? 1 : target.work_ratio.value_or(1)), target);
}

std::optional<AlgorithmicTarget> target_of(const KernelPoint& point, const Profile& profile,
                                           std::span<const LaunchIndex> launches,
                                           const AnalysisOptions& options) {
    if (!options.launch_operations) return std::nullopt;
    auto target = needs_of(profile, launches, options, point.ceilings.get());
    if (target) compute_target_gaps(point, *target);
    return target;
}

bool is_part_of_operation(const KernelPoint& point) {
    return point.target && point.target->in_part && !point.gap && !point.verdict.nearest;
}

std::optional<BusyUnit> unit_in_the_way(const KernelPoint& point) {
    constexpr double more = 1.005;  // else the figures would read the same
    const auto busy = busiest(beside_dram(point.throughput));
    if (!busy || !point.target || point.target->useful.value_or(0) <= noticeable_gap) return std::nullopt;
    return *point.target->useful * busy->share > more ? busy : std::nullopt;
}

std::string horizontal_distance_words(double gap, bool approximate) {
    if (is_one(gap)) return "at its algorithm";
    return fmt::format("{} {} of its algorithm",
                       marked_if(approximate, format_factor(std::max(gap, 1 / gap))),
                       gap < 1 ? "right" : "left");
}

bool has_size_mismatch(const KernelPoint& point) {
    return point.target && point.measured_level(MemoryLevel::hbm) && !point.target->byte_gap &&
           point.target->work_ratio;
}

std::string size_mismatch_words(const KernelPoint& point) {
    if (!has_size_mismatch(point)) return {};
    const Bytes bytes = point.measured_level(MemoryLevel::hbm)->bytes;
    return fmt::format("the sizes of {} do not fit the counters: work is {} the operation's, {} bytes are {}",
                       noun_of(*point.target),
                       marked_if(has_inexact_work(point), format_factor(*point.target->work_ratio)),
                       label_of(point.memory), marked_bytes(point, bytes / point.target->bytes));
}

std::string horizontal_clause(const KernelPoint& point) {
    if (!point.target || !point.target->byte_gap) return size_mismatch_words(point);
    const AlgorithmicTarget& target = *point.target;
    const double factor = *target.byte_gap;
    const std::string noun = noun_of(target);
    const std::string_view memory = label_of(point.memory);
    if (is_one(factor)) return fmt::format("moves the {} bytes that {} {}", memory, noun, needs(target));
    if (factor > 1)
        return fmt::format("moves {} as many {} bytes as {} {}", marked_bytes(point, factor), memory, noun,
                           needs(target));
    if (factor == 0)
        return fmt::format(
            "moves none of the {} bytes that {} {}: served from cache, or the model over-counts", memory,
            noun, needs(target));
    return fmt::format("moves fewer {} bytes than {} {} ({}): served from cache, or the model over-counts",
                       memory, noun, needs(target), marked_bytes(point, factor));
}

std::string all_levels_sentence(const KernelPoint& point) {
    const auto bound = bound_with_operation(point);
    if (!bound || !saved_by_fewer_bytes(point) || point.target->useful.value_or(1) >= noticeable_gap ||
        *point.target->byte_gap < noticeable_gap || bound->times_shorter < noticeable_gap)
        return {};
    return fmt::format(
        "Fewer {} bytes alone save {} time, as {}. Where those of every level fall together, as with "
        "larger tiles, {} at most: {} binds then.",
        label_of(point.memory), is_one(point.target->useful.value_or(1)) ? "no" : "hardly any",
        limiting_level(point) == MemoryLevel::hbm
            ? label_of(*point.target->binding, point.memory) + " binds next"
            : label_of(*point.binding, point.memory) + " binds",
        format_factor(bound->times_shorter), bound->name);
}

std::vector<std::string> target_sentences(const KernelPoint& point, const AnalysisOptions& options) {
    if (!point.target) return {};
    const AlgorithmicTarget& target = *point.target;
    const std::string_view unit = work_unit(options.operations);
    std::vector<std::string> sentences{operation_sentence(target)};
    if (target.in_part) {
        sentences.emplace_back(
            "Several kernels carry an operation out together, and no one is held to the whole. Group the launches by "
            "operation for the gap of all of them.");
        if (target.shared_recoverable)
            sentences.push_back(fmt::format(
                "Together these kernels could save {}. By its share of their time, {} of it falls to this one.",
                marked_if(point.time_doubted, format(*target.whole_recoverable)),
                marked_if(point.time_doubted, format(*target.shared_recoverable))));
        return sentences;
    }
    if (target.not_bound > 0) {
        sentences.push_back(fmt::format("{} of {} launches {} no operation: no gap can be told.",
                                        target.not_bound, target.not_bound + target.bound,
                                        target.not_bound == 1 ? "has" : "have"));
        return sentences;
    }
    sentences.push_back(needs_sentence(point, unit));
    if (point.modelled_work) sentences.emplace_back("Its work is this: its own was not counted.");
    if (point.modelled_bytes) {
        sentences.push_back(with_memory_name(
            point.memory, "Its {DRAM} bytes are these: its own were not counted, so the gap is not known."));
        return sentences;
    }
    if (point.modelled) {
        sentences.emplace_back(
            "It stands where these figures put it: its own were not counted, so the gap is not known.");
        return sentences;
    }
    if (has_size_mismatch(point)) {
        sentences.push_back(fmt::format("No gap is told: {}.", size_mismatch_words(point)));
        return sentences;
    }
    if (!target.byte_gap) {
        sentences.push_back(
            with_memory_name(point.memory, "{DRAM} bytes were not measured: the gap is not known."));
        return sentences;
    }
    sentences.push_back(gap_sentence(point, unit));
    if (*target.byte_gap < 1 && !is_one(*target.byte_gap))
        sentences.push_back(with_memory_name(
            point.memory,
            "It moves fewer {DRAM} bytes than the algorithm needs: they were served from cache, or the model "
            "over-counts."));
    if (target.useful) sentences.push_back(useful_sentence(point, unit));
    if (std::string together = all_levels_sentence(point); !together.empty())
        sentences.push_back(std::move(together));
    if (const auto busy = unit_in_the_way(point))
        sentences.push_back(fmt::format(
            "But {} is {} busy: fewer {} bytes alone are worth {} at most.",
            label_of(busy->unit, point.memory), marked(point, busy->unit, format_percent(busy->share)),
            label_of(point.memory), marked(point, busy->unit, format_factor(1 / busy->share))));
    return sentences;
}

}  // namespace roofwalk
