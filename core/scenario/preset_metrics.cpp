// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/preset_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/operations/data_type.h"
#include "core/operations/op_model.h"
#include "core/roofline/gap.h"
#include "core/roofline/group_totals.h"

namespace roofwalk::preset_rules {

namespace {

constexpr double sector_bytes = 32;
constexpr std::string_view per_sector_load =
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";
constexpr std::string_view per_sector_store =
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio";
constexpr std::string_view global_sectors = "memory_l2_theoretical_sectors_global";
constexpr std::string_view ideal_global_sectors = "memory_l2_theoretical_sectors_global_ideal";
constexpr std::string_view local_sectors = "memory_l2_theoretical_sectors_local";
constexpr std::string_view wavefronts = "memory_l1_wavefronts_shared";
constexpr std::string_view ideal_wavefronts = "memory_l1_wavefronts_shared_ideal";

std::span<const LaunchIndex> launches_of(const PresetSubject& subject, std::uint32_t point) {
    return subject.analysis.known_launches(subject.analysis.points[point]);
}

std::vector<const Launch*> measured_launches(const PresetSubject& subject, std::uint32_t point) {
    std::vector<const Launch*> list;
    for (const LaunchIndex index : launches_of(subject, point))
        if (const Launch& launch = subject.profile.at(index); !launch.failed) list.push_back(&launch);
    return list;
}

/// The share of the bytes of every sector that is used, over the launches by what they moved. A ratio of 0 is
/// that of a launch without such instructions: what moves its bytes (TMA, textures, constants) is not judged.
std::optional<double> used_share(const PresetSubject& subject, std::string_view metric) {
    double used = 0;
    double all = 0;
    for (const Launch* launch : measured_launches(subject, subject.point)) {
        const auto per_sector = subject.profile.metric(*launch, metric);
        if (!per_sector || *per_sector <= 0) return std::nullopt;
        const TrafficSample* l2 = launch->find(Boundary::l2_sm_sectors);
        const double weight = l2 ? l2->total.value() : 1;
        used += weight * std::clamp(*per_sector / sector_bytes, 0.0, 1.0);
        all += weight;
    }
    return all > 0 ? std::optional(used / all) : std::nullopt;
}

/// What the operations of a kernel read and write, where its bytes are these.
std::optional<TrafficDirections> directions_by_operation(const PresetSubject& subject, std::uint32_t index) {
    const KernelPoint& point = subject.analysis.points[index];
    const auto& operations = subject.analysis.options.launch_operations;
    if (!operations || (!point.modelled && !point.modelled_bytes)) return std::nullopt;
    TrafficDirections sum;
    for (const auto& operation : operations->executions_of(launches_of(subject, index)).operations) {
        sum.read += operation->model->read;
        sum.write += operation->model->written;
    }
    return sum;
}

/// What kernels leave for the next one and it reads again: for each pair of neighbours the smaller of the
/// two, twice.
std::optional<Bytes> intermediates_of(const PresetSubject& subject, Boundary boundary) {
    Bytes sum;
    std::optional<TrafficDirections> before;
    for (const std::uint32_t point : subject.chosen) {
        auto own = directions_of(subject.profile, launches_of(subject, point), boundary);
        if (!own && boundary == Boundary::hbm_dram_rw) own = directions_by_operation(subject, point);
        if (!own) return std::nullopt;
        if (before) sum += 2 * std::min(before->write, own->read);
        before = own;
    }
    return sum;
}

/// The most that the kernels can leave for each other at a level: what is written and read again, or, where
/// that is not told apart, no more than each of them moves.
std::optional<Bytes> most_intermediates(const PresetSubject& subject, MemoryLevel level, Boundary boundary) {
    if (const auto told_apart = intermediates_of(subject, boundary)) return told_apart;
    Bytes sum;
    Bytes left;  // of the bytes of the kernel before, what it does not share with the one before it
    for (const std::uint32_t point : subject.chosen) {
        const auto& at = subject.analysis.points[point].at(level);
        if (!at) return std::nullopt;
        const Bytes shared = std::min(left, at->bytes);
        sum += 2 * shared;
        left = at->bytes - shared;
    }
    return sum;
}

/// The measured bytes of all chosen kernels at a level, but for what other presets make of them.
struct ChosenBytes {
    Bytes left;   ///< by the fusions so far
    Bytes taken;  ///< by them
};

/// Absent without bytes.
std::optional<ChosenBytes> bytes_of_chosen(const PresetSubject& subject, MemoryLevel level) {
    ChosenBytes sum;
    for (const std::uint32_t point : subject.chosen) {
        const auto& at = subject.analysis.points[point].at(level);
        if (!at) return std::nullopt;
        const double left = subject.applied(point).left_by("fuse", level);
        sum.left += at->bytes * left;
        sum.taken += at->bytes * (1 - left);
    }
    return sum.left.value() > 0 ? std::optional(sum) : std::nullopt;
}

/// What is left for a fusion of what the kernels leave for each other, after those that were made already.
Bytes still_between(Bytes intermediates, Bytes taken) {
    const Bytes rest = intermediates - taken;
    return rest <= taken * factor_rounding ? Bytes() : rest;
}

/// What is left of the sectors at L2 once global accesses ask for no more than they must; those of local
/// memory stay. `of_asked` is the share of those that the instructions ask for. What L1 caught never crossed
/// L2, and nobody knows what it will catch: the share is that of the least sectors in those that crossed.
struct LeastSectors {
    double of_asked = 1;
    double of_crossed = 1;
};

/// Absent where a launch does not tell.
std::optional<LeastSectors> least_sectors(const PresetSubject& subject) {
    double all = 0;
    double least = 0;
    double crossed = 0;  // sectors, at L2
    for (const Launch* launch : measured_launches(subject, subject.point)) {
        const auto global = subject.profile.metric(*launch, global_sectors);
        const auto ideal = subject.profile.metric(*launch, ideal_global_sectors);
        if (!global || !ideal) return std::nullopt;
        const double local = subject.profile.metric(*launch, local_sectors).value_or(0);
        all += *global + local;
        least += std::min(*ideal, *global) + local;
        const TrafficSample* l2 = launch->find(Boundary::l2_sm_sectors);
        crossed += l2 ? l2->total.value() / sector_bytes : *global + local;
    }
    if (!(all > 0)) return std::nullopt;
    const double of_asked = least / all;
    return LeastSectors{of_asked, crossed > 0 ? std::clamp(least / crossed, of_asked, 1.0) : 1.0};
}

/// What is left of the L1 bytes, of which those of shared memory stay; 1 where they do not count what
/// accesses ask for.
double left_at_l1(const PresetSubject& subject, double of_asked) {
    const auto& l1 = subject.kernel().at(MemoryLevel::l1);
    if (!l1 || l1->boundary != Boundary::l1_unified || l1->bytes.value() <= 0) return 1;
    const auto& smem = subject.kernel().at(MemoryLevel::smem);
    const double shared = smem ? std::min(smem->bytes / l1->bytes, 1.0) : 0;
    return shared + (1 - shared) * of_asked;
}

/// By what the instructions use of their sectors: too hard on a word that every thread of a warp reads, so
/// the count of sectors goes before it.
Result<double> share_of_used_bytes(const PresetSubject& subject) {
    const auto loads = used_share(subject, per_sector_load);
    if (!loads)
        return not_applicable(subject,
                              "The bytes that its loads use of each sector were not measured, or it loads by "
                              "other instructions (TMA, textures, constants)",
                              fmt::format("Collect the metric {} with ncu.", per_sector_load));
    const auto apart =
        directions_of(subject.profile, launches_of(subject, subject.point), Boundary::hbm_dram_rw);
    if (!apart || (apart->read + apart->write).value() <= 0) return *loads;
    const double reads = apart->read / (apart->read + apart->write);
    return reads * *loads + (1 - reads) * used_share(subject, per_sector_store).value_or(1);
}

/// What a pipe reads. Of tensor instructions whose type was not recorded the widest but FP64.
struct PipeType {
    PipeKind kind;
    DataType type;
};
constexpr EnumArray<PipeKind, PipeType> pipe_types{{
    {PipeKind::fp64, DataType::fp64},
    {PipeKind::fp32, DataType::fp32},
    {PipeKind::fp16, DataType::fp16},
    {PipeKind::tensor_fp64, DataType::fp64},
    {PipeKind::tensor_tf32, DataType::tf32},
    {PipeKind::tensor_bf16, DataType::bf16},
    {PipeKind::tensor_fp16, DataType::fp16},
    {PipeKind::tensor_fp16_acc16, DataType::fp16},
    {PipeKind::tensor_fp8, DataType::fp8},
    {PipeKind::tensor_fp6, DataType::fp6},
    {PipeKind::tensor_fp4, DataType::fp4},
    {PipeKind::tensor_int8, DataType::int8},
    {PipeKind::tensor_int4, DataType::int4},
    {PipeKind::tensor_int1, DataType::int1},
    {PipeKind::tensor_any, DataType::tf32},
    {PipeKind::int32, DataType::int32},
}};
static_assert(is_in_order(pipe_types, &PipeType::kind));

/// The bytes of an element as its operation says; where that is silent, its operands differ or an earlier
/// move narrowed them, on the pipe that does most of the work, which reads the wider ones.
double element_bytes(const PresetSubject& subject) {
    const bool as_measured = subject.applied(subject.point).stored().empty();
    const std::vector<DataType> types =
        as_measured ? stated_types(subject.kernel()) : std::vector<DataType>();
    const auto other_size = [&](DataType type) { return bytes_of(type) != bytes_of(types.front()); };
    if (!types.empty() && std::ranges::none_of(types, other_size)) return bytes_of(types.front());
    Pipe most{PipeKind::fp32, false};
    for (const Pipe pipe : all_pipes)
        if (subject.state.work[pipe] > subject.state.work[most]) most = pipe;
    return bytes_of(pipe_types[most.kind].type);
}

/// Of a block of the kernel as it is, with what the system reserves; absent where the profiler did not tell.
std::optional<Bytes> shared_memory_of_block(const Profile& profile, const Launch& launch,
                                            const SharedMemory& shared) {
    if (const auto all = profile.metric(launch, "launch__shared_mem_per_block"))
        return std::max(Bytes(*all), shared.reserved);
    const auto fixed = profile.metric(launch, "launch__shared_mem_per_block_static");
    const auto dynamic = profile.metric(launch, "launch__shared_mem_per_block_dynamic");
    return fixed && dynamic ? std::optional(Bytes(*fixed + *dynamic) + shared.reserved) : std::nullopt;
}

/// "; 2 blocks an SM find room instead of 8, and their warps fill 25.0 % of it instead of 100.0 %, with 40
/// registers a thread as now", where a block has `of_block`: empty where no fewer do, or the profiler
/// did not tell what limits them.
std::string occupancy_with(const Profile& profile, const Launch& launch, const SharedMemory& shared,
                           Bytes of_block) {
    const auto limit = [&](std::string_view name) { return profile.metric(launch, name); };
    const auto by_blocks = limit("launch__occupancy_limit_blocks");
    const auto by_registers = limit("launch__occupancy_limit_registers");
    const auto by_warps = limit("launch__occupancy_limit_warps");
    const auto by_shared = limit("launch__occupancy_limit_shared_mem");
    if (!by_blocks || !by_registers || !by_warps || !by_shared || *by_warps <= 0) return {};
    const double others = std::min({*by_blocks, *by_registers, *by_warps});
    const double room = std::floor(shared.of_sm / of_block);
    const double now = std::min(others, *by_shared);
    const double then = std::min(others, room);
    if (then == now) return {};
    std::string words = fmt::format(
        ". An SM has room for {:.0f} of its blocks instead of {:.0f}. Their warps fill {} of it instead of {}",
        then, now, format_percent(then / *by_warps), format_percent(now / *by_warps));
    if (const auto registers = limit("launch__registers_per_thread"))
        words += fmt::format(", with {:.0f} registers a thread as now", *registers);
    return words;
}

/// `own`: what a block has already, with what the system reserves.
tl::unexpected<Error> no_room_for_tiles(const PresetSubject& subject, double reuse, Bytes tiles,
                                        std::optional<Bytes> own, const SharedMemory& shared) {
    const Bytes used = own ? *own - shared.reserved : Bytes();
    const double fits = std::floor(std::sqrt((shared.of_block - used).value() / tiles.value()) * reuse);
    return not_applicable(
        subject,
        fmt::format(
            "Two square tiles for {:g} uses of each element take {} of shared memory{}; a block has {}",
            reuse, format(tiles),
            used.value() > 0 ? fmt::format(" beside the {} that a block uses", format(used)) : "",
            format(shared.of_block)),
        fits > 1 ? fmt::format("A reuse of {:.0f} fits.", fits) : "");
}

/// Launches that are chosen together.
struct ChosenLaunches {
    double most = 0;  ///< of one of the kernels, as measured
    double all = 0;   ///< as earlier moves left them
};

ChosenLaunches chosen_launches(const PresetSubject& subject, double KernelState::*left) {
    ChosenLaunches launches;
    const auto chosen = subject.chosen.empty() ? std::span(&subject.point, 1) : subject.chosen;
    for (const std::uint32_t point : chosen) {
        const KernelPoint& kernel = subject.analysis.points[point];
        const double measured = kernel.launches - kernel.failed;
        const auto moved = std::ranges::lower_bound(subject.moved, point, {}, &MovedKernel::point);
        const bool is_moved = moved != subject.moved.end() && moved->point == point;
        launches.most = std::max(launches.most, measured);
        launches.all += measured * (is_moved ? moved->state.*left : 1);
    }
    return launches;
}

/// What is left once one takes the place of several.
double launches_left(const PresetSubject& subject) {
    const ChosenLaunches launches = chosen_launches(subject, &KernelState::launches);
    return launches.all > 0 ? std::min(1.0, launches.most / launches.all) : 1;
}

}  // namespace

Result<std::string> cost_of_tiles(const PresetSubject& subject, double reuse) {
    const double element = element_bytes(subject);
    const Bytes tiles(2 * reuse * reuse * element);
    const auto shared = shared_memory_of(compute_capability_of(subject));
    const std::vector<const Launch*> launches = measured_launches(subject, subject.point);
    const auto own = shared && !launches.empty()
                         ? shared_memory_of_block(subject.profile, *launches.front(), *shared)
                         : std::nullopt;
    if (shared && own.value_or(shared->reserved) + tiles > shared->of_block + shared->reserved)
        return no_room_for_tiles(subject, reuse, tiles, own, *shared);
    std::string words =
        fmt::format("Two square tiles of {:g} x {:g} values of {:g} bytes take {} of shared memory a block",
                    reuse, reuse, element, format(tiles));
    if (own) words += occupancy_with(subject.profile, *launches.front(), *shared, *own + tiles);
    if (!subject.state.bytes[MemoryLevel::smem] && !loads_through_l1(subject))
        words += ". Its own shared-memory bytes were not measured, so that roof has no say";
    return words + ".";
}

std::optional<Bytes> loads_through_l1(const PresetSubject& subject) {
    const auto& l1 = subject.state.bytes[MemoryLevel::l1];
    if (!l1 || subject.model.roofs.boundary[MemoryLevel::l1] != Boundary::l1_unified) return std::nullopt;
    if (const auto& shared = subject.state.bytes[MemoryLevel::smem]) return std::max(Bytes(), *l1 - *shared);
    for (const Launch* launch : measured_launches(subject, subject.point))
        for (const std::string_view part :
             {"launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic"})
            if (subject.profile.metric(*launch, part) != 0.0) return std::nullopt;
    return *l1;
}

double share_without_surplus(const PresetSubject& subject) {
    const auto counted = least_sectors(subject);
    return counted ? remaining_share(subject, "coalesce", MemoryLevel::l1, counted->of_asked) : 1;
}

double threads_of_block(const PresetSubject& subject) {
    double threads = 1;
    for (const Launch* launch : measured_launches(subject, subject.point))
        threads = std::max(threads, 1.0 * launch->block.x * launch->block.y * launch->block.z);
    return threads;
}

double local_share(const PresetSubject& subject) {
    double all = 0;
    double local = 0;
    for (const Launch* launch : measured_launches(subject, subject.point)) {
        const auto spilled = subject.profile.metric(*launch, local_sectors);
        const auto global = subject.profile.metric(*launch, global_sectors);
        if (!spilled || !global) return 0;
        local += *spilled;
        all += *spilled + *global;
    }
    return all > 0 ? local / all : 0;
}

Result<Move> coalesce(const PresetSubject& subject, Parameter) {
    const std::optional<LeastSectors> counted = least_sectors(subject);
    const Result<double> factor =
        counted ? Result<double>(counted->of_crossed) : share_of_used_bytes(subject);
    if (!factor) return tl::unexpected(factor.error());
    if (*factor >= no_gain && !counted)
        return not_applicable(subject, "Nearly every byte of its sectors is used already");
    const double at_l1 = counted ? left_at_l1(subject, counted->of_asked) : 1;
    if (*factor >= no_gain && at_l1 >= no_gain)
        return not_applicable(subject,
                              counted->of_asked >= no_gain
                                  ? "Its global accesses ask for no more sectors than they must"
                                  : "L1 keeps from L2 the sectors that its global accesses need not ask for");
    Move move;
    for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2})
        move.bytes[level] = remaining_share(subject, "coalesce", level, *factor);
    if (at_l1 < no_gain)
        move.bytes[MemoryLevel::l1] = remaining_share(subject, "coalesce", MemoryLevel::l1, at_l1);
    stop_at_algorithm(subject, move);
    if (std::ranges::all_of(move.bytes, [](double left) { return left >= no_gain; }))
        return not_applicable(subject,
                              "An earlier move took away the bytes of its sectors that nothing uses");
    return move;
}

Result<Move> launch_as_graph(const PresetSubject& subject, Parameter runs) {
    if (!subject.kernel().idle_before)
        return not_applicable(subject, "When its launches ran is not known, nor how long no kernel did",
                              "Recordings of time alone and traces of PyTorch and Nsight Systems tell.");
    const double calls = chosen_launches(subject, &KernelState::calls).all;
    if (calls <= *runs)
        return not_applicable(
            subject, fmt::format("There is one launch for {} already",
                                 *runs == 1 ? "the one run" : fmt::format("each of {} runs", *runs)));
    Move move;
    move.calls = bounded_factor(*runs / calls);
    return move;
}

Result<Move> swizzle(const PresetSubject& subject, Parameter) {
    constexpr MemoryLevel smem = MemoryLevel::smem;
    if (!subject.state.bytes[smem] || subject.model.roofs.boundary[smem] != Boundary::smem_wavefronts)
        return not_applicable(subject, "Its shared-memory bytes are not known as wavefronts",
                              "Bank conflicts are part of smem/wavefronts only.");
    double actual = 0;
    double ideal = 0;
    for (const Launch* launch : measured_launches(subject, subject.point)) {
        const auto own = subject.profile.metric(*launch, wavefronts);
        const auto least = subject.profile.metric(*launch, ideal_wavefronts);
        if (!own || !least)
            return not_applicable(subject, "The wavefronts that bank conflicts cost were not measured",
                                  fmt::format("Collect {} and {}, which are in the set full of ncu.",
                                              wavefronts, ideal_wavefronts));
        actual += *own;
        ideal += *least;
    }
    if (!(actual > 0) || !(ideal > 0)) return not_applicable(subject, "It does not use shared memory");
    if (ideal / actual >= no_gain) return not_applicable(subject, "It has no bank conflicts to speak of");
    Move move;
    move.bytes[smem] = remaining_share(subject, "swizzle", MemoryLevel::smem, ideal / actual);
    if (move.bytes[smem] >= no_gain)
        return not_applicable(subject, "An earlier move removed its bank conflicts");
    return move;
}

/// "A launch takes 2.00 us at least ...": what a move rests on that saves some; else empty.
std::string launch_words(const PresetSubject& subject, const Move& move) {
    if (move.launches >= 1) return {};
    return fmt::format("A launch takes {} at least: each that is saved gains as much.",
                       describe(subject.kernel().launch_floor));
}

/// Of kernels whose bytes nobody knows: their launches alone.
std::optional<Move> fuse_launches(const PresetSubject& subject) {
    Move move;
    move.launches = launches_left(subject);
    const bool bytes_known =
        bytes_of_chosen(subject, MemoryLevel::hbm) || bytes_of_chosen(subject, MemoryLevel::l2);
    if (bytes_known || move.launches >= 1) return std::nullopt;
    move.assumption =
        launch_words(subject, move) +
        " What the kernels leave for each other is not known, and none of it counts here: say how "
        "many bytes the intermediates are.";
    return move;
}

Result<Move> fuse(const PresetSubject& subject, Parameter intermediates) {
    if (subject.chosen.size() < 2)
        return not_applicable(subject, "Fusion takes two kernels or more",
                              "Choose the kernels that follow each other.");
    const auto typed = intermediates ? std::optional(Bytes(*intermediates)) : std::nullopt;
    const auto at_hbm = typed ? typed : intermediates_of(subject, Boundary::hbm_dram_rw);
    if (!at_hbm) {
        if (auto launches = fuse_launches(subject)) return *std::move(launches);
        return not_applicable(subject, "It is not known what the kernels leave for each other",
                              "Say how many bytes the intermediates are, or collect dram__bytes_read.sum and "
                              "dram__bytes_write.sum.");
    }
    const auto at_l2 = typed ? typed : intermediates_of(subject, Boundary::l2_sm_sectors);
    Move move;
    Bytes taken;  // at HBM, else at L2
    bool any = false;
    bool fused = false;
    for (const auto& [level, boundary, saved] :
         {std::tuple(MemoryLevel::hbm, Boundary::hbm_dram_rw, *at_hbm),
          std::tuple(MemoryLevel::l2, Boundary::l2_sm_sectors, at_l2.value_or(*at_hbm))}) {
        const auto bytes = bytes_of_chosen(subject, level);
        if (!bytes) continue;
        fused = fused || bytes->taken.value() > 0;
        if (taken.value() <= 0) taken = bytes->taken;
        const auto most = most_intermediates(subject, level, boundary);
        const auto rest = most ? std::optional(still_between(*most, bytes->taken)) : std::nullopt;
        if (rest && rest->value() <= 0 && bytes->taken.value() > 0) continue;
        if (typed && rest && saved > *rest * (1 + factor_rounding))
            return not_applicable(
                subject,
                fmt::format("{} of intermediates are more than the kernels can leave for each other at {}: "
                            "{} at most",
                            format(saved), label_of(level, subject.model.memory), format(*rest)),
                "Each counts twice, as it is written and as it is read.");
        const double left = 1 - (typed ? *typed : still_between(saved, bytes->taken)) / bytes->left;
        if (left < least_factor)
            return not_applicable(subject,
                                  fmt::format("Nothing would be left of the bytes at {}",
                                              label_of(level, subject.model.memory)),
                                  "The inputs of the first and the results of the last kernel must remain.");
        any = any || left < 1;
        move.bytes[level] = left;
    }
    if (!any && fused)
        return not_applicable(
            subject,
            with_memory_name(
                subject.model.memory,
                "Earlier fusions took away what the kernels leave for each other at {DRAM} and L2"),
            "Kernels that share one are fused all together: take the earlier fusion back "
            "and choose them all.");
    if (!any)
        return not_applicable(subject,
                              with_memory_name(subject.model.memory,
                                               "The kernels leave nothing for each other at {DRAM} or L2"));
    move.launches = launches_left(subject);
    move.assumption = launch_words(subject, move);
    if (fused)
        move.assumption += fmt::format(
            "{}Earlier fusions took {} of these kernels, which counts here as taken "
            "already. Fusing all the kernels of a chain together takes all that they leave for each other.",
            move.assumption.empty() ? "" : " ", format(taken));
    return move;
}

}  // namespace roofwalk::preset_rules
