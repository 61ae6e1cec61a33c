// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/position.h"

namespace roofwalk {

namespace {

constexpr EnumArray<Position, std::string_view> ids{"at_memory_roof", "below_memory_roof", "at_compute_roof",
                                                    "below_compute_roof", "below_both"};

constexpr EnumArray<Position, PositionGuide> guides{{
    {Position::at_memory_roof, "At the memory roof",
     "The memory level that binds runs near its peak; the compute pipes wait for data.",
     "The kernel moves its bytes about as fast as the hardware can: what is left is to move fewer of them."},
    {Position::below_memory_roof, "Below the memory roof",
     "Moving the bytes is the longest of the bounds, and the level that binds does not reach its peak.",
     "The bytes do not arrive at the rate the hardware allows: they are requested badly, or too few of them "
     "are under way at a time."},
    {Position::at_compute_roof, "At the compute roof",
     "The pipe that binds issues near its peak; memory has time to spare.",
     "The arithmetic itself takes the time. Moving fewer bytes saves none of it here."},
    {Position::below_compute_roof, "Below the compute roof",
     "Arithmetic is the longest of the bounds, yet its pipe idles part of the time. The SM may be busy "
     "issuing other instructions all the same.",
     "The pipe does not get an instruction whenever it could take one."},
    {Position::below_both, "Below both roofs",
     "Neither the memory nor the pipes are used much, left of the ridge, right of it or near it.",
     "The kernel waits, or there is too little of it to fill the GPU."},
}};
static_assert(is_in_order(guides, &PositionGuide::position));

/// Of a kernel with one side only, memory or pipes: what binds is as far from its ceiling as in a
/// latency-bound one, and the profiler found no unit busy.
bool only_waits(const KernelPoint& point, const Thresholds& limits) {
    const auto unit = busiest(point.throughput);
    return *share_of_limit(point) < limits.latency && !(unit && unit->share >= limits.latency);
}

/// Of vector integer work no ceiling is known, and it may be what takes the time; that of tensor cores has
/// one.
bool integers_may_bind(const KernelPoint& point) {
    if (!point.mostly_integer) return false;
    Flops judged;
    Flops unjudged;
    for (const PipeLoad& load : point.pipes)
        if (counts_integers(load.pipe)) (load.bound ? judged : unjudged) += load.work;
    return unjudged > judged;
}

}  // namespace

std::string_view id_of(Position position) {
    return ids[position];
}

const PositionGuide& guide_of(Position position) {
    return guides[position];
}

std::optional<Position> position_of(const KernelPoint& point, const Thresholds& limits) {
    const std::optional<double> share = share_of_limit(point);
    if (!share) return std::nullopt;
    const bool memory = limiting_level(point).has_value();
    const Position at = memory ? Position::at_memory_roof : Position::at_compute_roof;
    const std::optional<Position> below =
        memory && integers_may_bind(point)
            ? std::nullopt
            : std::optional(memory ? Position::below_memory_roof : Position::below_compute_roof);
    switch (point.verdict.kernel_class) {
        case KernelClass::memory_bound:
            return Position::below_memory_roof;
        case KernelClass::compute_bound:
            return Position::below_compute_roof;
        case KernelClass::near_roof:
            return at;
        case KernelClass::latency_bound:
        case KernelClass::low_use:
            return below ? std::optional(Position::below_both) : std::nullopt;
        case KernelClass::no_flop:
        case KernelClass::no_traffic:
            if (*share > limits.above_roof) return std::nullopt;
            if (*share >= limits.near_roof) return at;
            return below && only_waits(point, limits) ? std::optional(Position::below_both) : below;
        case KernelClass::above_roof:
        case KernelClass::only_timed:
        case KernelClass::work_incomplete:
        case KernelClass::not_measured:
            return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace roofwalk
