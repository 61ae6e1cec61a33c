// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/position.h"

#include <array>

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
     "Moving the bytes is the longest of the bounds, yet the level that binds is far from its peak.",
     "The bytes do not arrive at the rate the hardware allows: they are requested badly, or too few of them "
     "are under way at a time.",
     "Make every transfer count first: coalesced and wide accesses, no spills. Then keep more of them in "
     "flight.",
     "Overlap loads with arithmetic (asynchronous copies, two or more stages), and free registers or shared "
     "memory where they limit occupancy."},
    {Position::at_compute_roof, "At the compute roof",
     "The pipe that binds issues near its peak; memory has time to spare.",
     "The arithmetic itself takes the time. Moving fewer bytes saves none of it here.",
     "Do the work on a faster pipe: tensor cores, a lower precision, 2:4 sparsity where the numbers allow "
     "it.",
     "Do less work: another algorithm, no repeated sub-expressions, no padding that is computed and thrown "
     "away."},
    {Position::below_compute_roof, "Below the compute roof",
     "Arithmetic is the longest of the bounds, yet its pipe idles part of the time. The SM may be busy "
     "issuing "
     "other instructions all the same.",
     "The pipe does not get an instruction whenever it could take one.",
     "Feed the pipe: independent instructions in each warp, more matrix instructions in flight, no bank "
     "conflicts, no divergence.",
     "Take other instructions out of the inner loop (addresses, conversions, special functions), and weigh "
     "registers against occupancy."},
    {Position::below_both, "Below both roofs",
     "Neither the memory nor the pipes come near their ceilings, and the ridge is near: no roof stands out.",
     "The kernel waits, or there is too little of it to fill the GPU.",
     "Put more in flight: more warps on each SM, more blocks, more independent work in each thread, fewer "
     "barriers.",
     "Make fewer and larger launches (fusion, CUDA graphs), then look at the roof that is nearer."},
}};

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
    return guides[static_cast<std::size_t>(Position::at_memory_roof)].primary;
}

}  // namespace

std::string_view id_of(Position position) {
    return ids[static_cast<std::size_t>(position)];
}

const PositionGuide& guide_of(Position position) {
    return guides[static_cast<std::size_t>(position)];
}

PositionGuide guide_of(Position position, const KernelPoint& point) {
    PositionGuide guide = guide_of(position);
    if (!point.verdict.busy) {
        if (position == Position::at_memory_roof) guide.primary = fewer_bytes_at(*point.binding);
        return guide;
    }
    guide.symptom =
        "The roof that binds is far, but the profiler finds a unit busy with something else than the bytes "
        "and FLOP counted here.";
    if (point.verdict.busy->unit == HardwareUnit::sm) {
        guide.meaning =
            "The SM issues instructions most of the time, or one of its pipes that do no FLOP is full.";
        guide.primary = "Look for the busy pipe, and spend fewer instructions for each FLOP.";
        guide.secondary = guide_of(Position::below_compute_roof).secondary;
    } else {
        guide.meaning =
            "Caches or memory serve requests most of the time, and many of them move few of the bytes "
            "counted.";
        guide.primary =
            "Make fewer requests: coalesced and wide accesses, no bank conflicts, no spills, fewer atomics.";
        guide.secondary = "Keep what is used again in registers or shared memory.";
    }
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
        case KernelClass::well_optimised:
            return at;
        case KernelClass::latency_bound:
        case KernelClass::low_use:
            return point.verdict.near_ridge && below ? Position::below_both : below;
        case KernelClass::no_flop:
        case KernelClass::no_traffic:
            if (efficiency > limits.above_roof) return std::nullopt;
            return efficiency >= limits.well_optimised ? at : below;
        case KernelClass::above_roof:
        case KernelClass::work_incomplete:
        case KernelClass::not_measured:
            return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace roofwalk
