// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/position.h"

#include <fmt/format.h>

#include <array>

#include "core/advice/faster_pipe.h"
#include "core/text.h"

namespace roofwalk {

namespace {

constexpr std::array<std::string_view, position_count> ids{
    "at_memory_roof", "below_memory_roof", "at_compute_roof", "below_compute_roof", "below_both"};

constexpr std::array<PositionGuide, position_count> guides{{
    {Position::at_memory_roof, "At the memory roof",
     "The memory level that binds runs near its peak; the compute pipes wait for data.",
     "The kernel moves its bytes about as fast as the hardware can: what is left is to move fewer of them.",
     "Move fewer bytes: fuse it with the kernels that write its input or read its output, tile for more "
     "reuse, "
     "store values in fewer bits.",
     "When the bytes are those the operation needs, another algorithm is next. More occupancy and faster "
     "arithmetic will not show."},
    {Position::below_memory_roof, "Below the memory roof",
     "Moving the bytes is the longest of the bounds, and the level that binds does not reach its peak.",
     "The bytes do not arrive at the rate the hardware allows: they are requested badly, or too few of them "
     "are under way at a time.",
     "Make every transfer count first: coalesced and wide accesses, no spills. Then keep more of them in "
     "flight.",
     "Overlap loads with arithmetic (asynchronous copies, two or more stages), and free registers or shared "
     "memory where they limit occupancy."},
    {Position::at_compute_roof, "At the compute roof",
     "The pipe that binds issues near its peak; memory has time to spare.",
     "The arithmetic itself takes the time. Moving fewer bytes saves none of it here.",
     "Do the work in a faster way, where GPU and numbers allow it: tensor cores, a lower precision, 2:4 "
     "sparsity.",
     "Do less work: another algorithm, no repeated sub-expressions, no padding that is computed and thrown "
     "away."},
    {Position::below_compute_roof, "Below the compute roof",
     "Arithmetic is the longest of the bounds, yet its pipe idles part of the time. The SM may be busy "
     "issuing other instructions all the same.",
     "The pipe does not get an instruction whenever it could take one.",
     "Feed the pipe: independent instructions in each warp, more matrix instructions in flight, no bank "
     "conflicts, no divergence.",
     "Take other instructions out of the inner loop (addresses, conversions, special functions), and weigh "
     "registers against occupancy."},
    {Position::below_both, "Below both roofs",
     "Neither the memory nor the pipes are used much, and the ridge is near: no roof stands out.",
     "The kernel waits, or there is too little of it to fill the GPU.",
     "Put more in flight: more warps on each SM, more blocks, more independent work in each thread, fewer "
     "barriers.",
     "Make fewer and larger launches (fusion, CUDA graphs), then look at the roof that is nearer."},
}};

const PositionGuide& guide_at(Position position) {
    return guides[static_cast<std::size_t>(position)];
}

/// What moves fewer bytes across the level that binds.
std::string_view fewer_bytes_at(const CeilingTarget& binding) {
    switch (level_of(std::get<Boundary>(binding))) {
        case MemoryLevel::hbm:
            break;
        case MemoryLevel::l2:
            return "Ask less of L2: tile for shared memory or registers, let blocks share what they fetch, "
                   "coalesce.";
        case MemoryLevel::l1:
        case MemoryLevel::smem:
            return "Ask less of L1 and shared memory: keep operands in registers (larger tiles for each "
                   "thread), "
                   "use wide accesses, remove bank conflicts.";
    }
    return guide_at(Position::at_memory_roof).primary;
}

/// "L2 reaches 70.0 % of its ceiling, the kernel 79.5 % of the practical roof (little room)": the figures and
/// the scale of the tables.
std::string reached(const KernelPoint& point, const PracticalLimits& limits) {
    std::string text = fmt::format("{} reaches {} of its ceiling", label_of(*point.binding),
                                   format_percent(point.gap->efficiency()));
    if (const auto band = practical_band(point, limits))
        text += fmt::format(", the kernel {} of the practical roof ({})",
                            format_percent(*point.practical_efficiency), label_of(*band));
    return text;
}

/// Near what good kernels reach there is little to gain from how the bytes are asked for.
bool is_near_practical_roof(const KernelPoint& point, const PracticalLimits& limits) {
    const auto band = practical_band(point, limits);
    return band && *band != PracticalBand::some_room && *band != PracticalBand::much_room;
}

std::string symptom_of(Position position, const KernelPoint& point, const PracticalLimits& limits) {
    const std::string figures = reached(point, limits);
    switch (position) {
        case Position::at_memory_roof:
            return figures + "; the compute pipes wait for data.";
        case Position::below_memory_roof:
            return "Moving the bytes is the longest of the bounds; " + figures + ".";
        case Position::at_compute_roof:
            return figures + "; memory has time to spare.";
        case Position::below_compute_roof:
            return "Arithmetic is the longest of the bounds; " + figures +
                   ". The SM may be busy issuing other instructions all the same.";
        case Position::below_both:
            return "Neither the memory nor the pipes are used much, and the ridge is near: no roof stands "
                   "out; " +
                   figures + ".";
    }
    return figures;
}

/// What takes load off a unit that bytes from memory do not fill.
std::string_view relief_of(HardwareUnit unit) {
    return unit == HardwareUnit::sm
               ? "Look for the busy pipe, and spend fewer instructions for each FLOP."
               : "Make fewer requests: coalesced and wide accesses, no bank conflicts, no spills, fewer atomics.";
}

/// Near a memory roof, with a unit so busy that fewer bytes alone gain little.
void relieve_first(KernelGuide& guide, const KernelPoint& point, const BusyUnit& busy) {
    guide.meaning = fmt::format(
        "The kernel comes near what memory can do, and {} is busy to {} by the profiler's own measure: fewer "
        "bytes alone gain little before it is relieved.",
        label_of(busy.unit), format_percent(busy.share));
    guide.primary = relief_of(busy.unit);
    guide.secondary = fewer_bytes_at(*point.binding);
}

void ask_for_fewer_bytes(KernelGuide& guide, const KernelPoint& point) {
    guide.meaning =
        "It comes near what kernels reach in practice: fewer bytes are worth more than asking "
        "for them in another way.";
    guide.primary = fewer_bytes_at(*point.binding);
    guide.secondary = guide_at(Position::below_memory_roof).primary;
}

void ask_for_a_faster_pipe(KernelGuide& guide, const KernelPoint& point) {
    if (const std::string faster = faster_than_binding(point); !faster.empty()) {
        guide.primary = "Do the work in a faster way, where the numbers allow it: " + faster + ".";
        return;
    }
    guide.primary = guide.secondary;
    guide.secondary = "No faster pipe of this GPU is known for such work.";
}

void tell_of_busy_unit(KernelGuide& guide, const KernelPoint& point, const PracticalLimits& limits) {
    guide.symptom = fmt::format(
        "{}, but the profiler finds {} busy to {}: with more than the bytes and FLOP "
        "counted here.",
        reached(point, limits), label_of(point.verdict.busy->unit),
        format_percent(point.verdict.busy->share));
    if (point.verdict.busy->unit == HardwareUnit::sm) {
        guide.meaning =
            "The SM issues instructions most of the time, or one of its pipes that do no FLOP is full.";
        guide.primary = relief_of(HardwareUnit::sm);
        guide.secondary = guide_at(Position::below_compute_roof).secondary;
        return;
    }
    guide.meaning =
        "Caches or memory serve requests most of the time, and many of them move few of the bytes counted.";
    guide.primary = relief_of(point.verdict.busy->unit);
    guide.secondary = "Keep what is used again in registers or shared memory.";
}

}  // namespace

std::string_view id_of(Position position) {
    return ids[static_cast<std::size_t>(position)];
}

const PositionGuide& guide_of(Position position) {
    return guide_at(position);
}

KernelGuide guide_of(Position position, const KernelPoint& point, const PracticalLimits& limits) {
    const PositionGuide& general = guide_at(position);
    KernelGuide guide{general.title, symptom_of(position, point, limits), general.meaning,
                      std::string(general.primary), general.secondary};
    const bool near_memory =
        position == Position::at_memory_roof ||
        (position == Position::below_memory_roof && is_near_practical_roof(point, limits));
    const auto full = near_memory ? saturated(point.throughput) : std::nullopt;
    if (point.verdict.busy)
        tell_of_busy_unit(guide, point, limits);
    else if (full)
        relieve_first(guide, point, *full);
    else if (position == Position::at_memory_roof)
        guide.primary = fewer_bytes_at(*point.binding);
    else if (near_memory)
        ask_for_fewer_bytes(guide, point);
    else if (position == Position::at_compute_roof)
        ask_for_a_faster_pipe(guide, point);
    return guide;
}

std::optional<Position> position_of(const KernelPoint& point, const Thresholds& limits) {
    if (!point.gap || !point.binding) return std::nullopt;
    const bool memory = std::holds_alternative<Boundary>(*point.binding);
    const Position at = memory ? Position::at_memory_roof : Position::at_compute_roof;
    // Of vector integer work no ceiling is known, and it may be what takes the time.
    const bool integers_may_bind = memory && point.mostly_integer;
    const std::optional<Position> below =
        integers_may_bind
            ? std::nullopt
            : std::optional(memory ? Position::below_memory_roof : Position::below_compute_roof);
    const double efficiency = point.gap->efficiency();
    switch (point.verdict.kernel_class) {
        case KernelClass::memory_bound:
            return Position::below_memory_roof;
        case KernelClass::compute_bound:
            return Position::below_compute_roof;
        case KernelClass::near_roof:
            return at;
        case KernelClass::latency_bound:
        case KernelClass::low_use:
            return point.verdict.near_ridge && below ? Position::below_both : below;
        case KernelClass::no_flop:
        case KernelClass::no_traffic:
            if (efficiency > limits.above_roof) return std::nullopt;
            return efficiency >= limits.near_roof ? at : below;
        case KernelClass::above_roof:
        case KernelClass::only_timed:
        case KernelClass::work_incomplete:
        case KernelClass::not_measured:
            return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace roofwalk
