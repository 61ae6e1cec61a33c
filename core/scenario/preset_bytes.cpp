// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/model/kernel_name.h"
#include "core/roofline/device_ceilings.h"
#include "core/scenario/preset_rules.h"

namespace roofwalk::preset_rules {

namespace {

constexpr std::size_t name_length = 60;

/// The levels behind shared memory, where reuse and narrow data count.
constexpr std::array far_levels{MemoryLevel::hbm, MemoryLevel::l2};

/// As the profile says, else by the name of the device.
std::optional<ComputeCapability> compute_capability_of(const PresetSubject& subject) {
    const Grouping& grouping = subject.analysis.grouping;
    const KernelGroup& group = grouping.groups[subject.kernel().group];
    const Device& device = subject.profile.device_of(subject.profile.at(grouping.order[group.first]));
    if (device.compute_capability) return device.compute_capability;
    const Device* known = find_known_device(device.name, &device);
    return known ? known->compute_capability : std::nullopt;
}

/// The same factor at HBM and L2.
Result<Move> far_bytes(const PresetSubject& subject, double factor) {
    if (std::ranges::none_of(far_levels, [&](MemoryLevel level) { return has_bytes(subject, level); }))
        return not_applicable(subject, "It moves no bytes at HBM or L2, or they were not measured");
    Move move;
    for (const MemoryLevel level : far_levels)
        move.bytes[index_of(level)] = factor;
    return move;
}

}  // namespace

tl::unexpected<Error> not_applicable(const PresetSubject& subject, std::string why, std::string hint) {
    return tl::unexpected(Error{ErrorCode::bad_argument, std::move(why),
                                shorten_kernel_name(subject.kernel().name, name_length), std::move(hint)});
}

double still_leaves(const PresetSubject& subject, std::string_view preset, MemoryLevel level, double ideal) {
    return std::min(1.0, ideal / subject.past(subject.point).left_by(preset, level));
}

bool has_bytes(const PresetSubject& subject, MemoryLevel level) {
    const auto& bytes = subject.state.bytes[index_of(level)];
    return bytes && bytes->value() > 0;
}

void stop_at_algorithm(const PresetSubject& subject, Move& move) {
    const auto place = place_of(subject.state, subject.model.roofs, MemoryLevel::hbm);
    double& hbm = move.bytes[index_of(MemoryLevel::hbm)];
    if (!subject.algorithmic || !place || hbm >= 1) return;
    hbm = std::clamp(place->x / subject.algorithmic->value(), hbm, 1.0);
}

Result<Move> tile(const PresetSubject& subject, Parameter reuse) {
    Result<Move> move = far_bytes(subject, 1 / *reuse);
    if (move) stop_at_algorithm(subject, *move);
    return move;
}

Result<Move> batch(const PresetSubject& subject, Parameter size) {
    return far_bytes(subject, 1 / *size).map([&](Move move) {
        move.needs.bytes = 1 / *size;
        return move;
    });
}

Result<Move> multicast(const PresetSubject& subject, Parameter blocks) {
    const auto capability = compute_capability_of(subject);
    if (capability && *capability < ComputeCapability{9, 0})
        return not_applicable(subject, "This GPU has no thread block clusters",
                              "They came with compute capability 9.0.");
    if (!has_bytes(subject, MemoryLevel::l2))
        return not_applicable(subject, "It moves no bytes at L2, or they were not measured");
    const double before = subject.past(subject.point).left_by("multicast", MemoryLevel::l2);
    if (*blocks > largest_cluster * before * (1 + factor_rounding))
        return not_applicable(
            subject,
            fmt::format("Earlier moves share each load among {:.3g} thread blocks already", 1 / before),
            fmt::format("A cluster has {} at most.", largest_cluster));
    Move move;
    move.bytes[index_of(MemoryLevel::l2)] = 1 / *blocks;
    return move;
}

Result<Move> to_algorithm(const PresetSubject& subject, Parameter) {
    const auto place = place_of(subject.state, subject.model.roofs, MemoryLevel::hbm);
    if (!subject.algorithmic)
        return not_applicable(
            subject, "It is not known how many bytes its algorithm needs",
            "Say which operation it carries out: with O in the window, with --bind in commands, as "
            "in --bind 'gemm=gemm m=4096 n=4096 k=4096'.");
    if (!place) return not_applicable(subject, "It has no dot at HBM");
    if (place->x >= subject.algorithmic->value() * no_gain)
        return not_applicable(subject, "It moves no more bytes than its algorithm needs");
    Move move;
    move.bytes[index_of(MemoryLevel::hbm)] = place->x / subject.algorithmic->value();
    return move;
}

}  // namespace roofwalk::preset_rules
