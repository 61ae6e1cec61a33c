// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/devices/match_device.h"
#include "core/model/kernel_name.h"
#include "core/operations/bound_operation.h"
#include "core/operations/op_model.h"
#include "core/scenario/preset_rules.h"
#include "core/scenario/promise.h"

namespace roofwalk::preset_rules {

namespace {

constexpr std::size_t name_length = 60;

/// The levels behind shared memory, where reuse and narrow data count.
constexpr std::array far_levels{MemoryLevel::hbm, MemoryLevel::l2};

/// The same factor at HBM and L2.
Result<Move> far_bytes(const PresetSubject& subject, double factor) {
    if (std::ranges::none_of(far_levels, [&](MemoryLevel level) { return has_bytes(subject, level); }))
        return not_applicable(subject, "It moves no bytes at HBM or L2, or they were not measured");
    Move move;
    for (const MemoryLevel level : far_levels)
        move.bytes[level] = factor;
    return move;
}

/// What the operations of a kernel need, and what of it any number of inputs shares.
struct BatchNeeds {
    Bytes all;
    Bytes shared;

    /// The factor of the bytes for each input.
    [[nodiscard]] double left_by(double batch) const { return (all - shared + shared / batch) / all; }
    /// The batch that left this factor; the largest where no batch leaves so little.
    [[nodiscard]] double batch_of(double left) const {
        const Bytes of_weights = left * all - (all - shared);
        return of_weights.value() > 0 ? shared / of_weights : largest_batch;
    }
};

bool is_attention(std::string_view operation) {
    return operation.starts_with("attention");
}

/// Kernels of attention as libraries call them, where nobody bound an operation.
bool has_name_of_attention(const PresetSubject& subject) {
    std::string name = subject.kernel().name;
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return std::ranges::any_of(
        std::array{"attention", "attn", "fmha", "flash_fwd", "flash_bwd", "sdpa", "pagedkv", "paged_kv"},
        [&](const char* part) { return name.find(part) != std::string::npos; });
}

tl::unexpected<Error> caches_are_not_shared(const PresetSubject& subject) {
    return not_applicable(
        subject,
        "Keys and values are of each sequence: a larger batch reads as many more of them, and "
        "the bytes of a sequence stay",
        "What shares them is query heads of one KV head (kv_heads) and a prefix that sequences "
        "have in common (shared_prefix of attention_decode).");
}

/// Absent where no operation tells; an error where it tells that nothing is shared.
Result<std::optional<BatchNeeds>> needs_by_batch(const PresetSubject& subject) {
    const auto& operations = subject.analysis.options.launch_operations;
    const Grouping& grouping = subject.analysis.grouping;
    BatchNeeds needs;
    std::string operation;
    bool any = false;
    for (const LaunchIndex launch : grouping.launches_of(grouping.groups[subject.kernel().group])) {
        const auto bound = operations ? operations->of(launch) : nullptr;
        if (!bound) continue;
        operation = bound->model->operation;
        if (is_attention(operation)) return caches_are_not_shared(subject);
        if (operation == "custom") return std::nullopt;
        any = true;
        needs.all += bound->model->compulsory();
        needs.shared += bound->model->shared;
    }
    if (!any && has_name_of_attention(subject)) return caches_are_not_shared(subject);
    if (!any) return std::nullopt;
    if (needs.shared.value() <= 0)
        return not_applicable(
            subject,
            fmt::format("Inputs of {} share nothing: each has all of its bytes to itself", operation));
    return needs;
}

}  // namespace

std::optional<ComputeCapability> compute_capability_of(const PresetSubject& subject) {
    const Grouping& grouping = subject.analysis.grouping;
    const KernelGroup& group = grouping.groups[subject.kernel().group];
    const Device& device = subject.profile.device_of(subject.profile.at(grouping.order[group.first]));
    if (device.compute_capability) return device.compute_capability;
    const Device* known = find_known_device(device.name, &device);
    return known ? known->compute_capability : std::nullopt;
}

tl::unexpected<Error> not_applicable(const PresetSubject& subject, std::string why, std::string hint) {
    return tl::unexpected(Error{ErrorCode::bad_argument, std::move(why),
                                shorten_kernel_name(subject.kernel().name, name_length), std::move(hint)});
}

double still_leaves(const PresetSubject& subject, std::string_view preset, MemoryLevel level, double ideal) {
    return std::min(1.0, ideal / subject.past(subject.point).left_by(preset, level));
}

bool has_bytes(const PresetSubject& subject, MemoryLevel level) {
    const auto& bytes = subject.state.bytes[level];
    return bytes && bytes->value() > 0;
}

void stop_at_algorithm(const PresetSubject& subject, Move& move) {
    const auto place = place_of(subject.state, subject.model.roofs, MemoryLevel::hbm);
    double& hbm = move.bytes[MemoryLevel::hbm];
    if (!subject.algorithmic || !place || hbm >= 1) return;
    hbm = std::clamp(place->x / subject.algorithmic->value(), hbm, 1.0);
}

void say_it_is_the_most(const PresetSubject& subject, Move& move) {
    if (subject.algorithmic) return;
    move.assumption =
        "No operation is bound that tells what the kernel needs: the gain is the most that this can bring.";
}

Result<Move> tile(const PresetSubject& subject, Parameter reuse) {
    const Result<std::string> cost = cost_of_tiles(subject, *reuse);
    if (!cost) return tl::unexpected(cost.error());
    Result<Move> move = far_bytes(subject, 1 / *reuse);
    if (!move) return move;
    stop_at_algorithm(subject, *move);
    if (*reuse > 1) move->smem_of_l2 = 1 + 1 / *reuse;
    const auto before = speed_of_light(subject.state, subject.model.roofs);
    const auto after = speed_of_light(moved(subject.state, subject.model, *move), subject.model.roofs);
    if (before && after && after->time > before->time)
        return not_applicable(subject,
                              fmt::format("{} would be what binds, and take longer than {} does now",
                                          label_of(after->binding), label_of(before->binding)),
                              "Keep the elements in registers instead.");
    say_it_is_the_most(subject, *move);
    move->assumption += (move->assumption.empty() ? "" : " ") + *cost;
    if (after && after->binding != before->binding)
        move->assumption += fmt::format(" {} binds then.", label_of(after->binding));
    return move;
}

Result<Move> batch(const PresetSubject& subject, Parameter size) {
    return needs_by_batch(subject).and_then([&](const std::optional<BatchNeeds>& needs) {
        const double before = subject.past(subject.point).left_by("batch", MemoryLevel::hbm);
        const double left = needs ? needs->left_by(needs->batch_of(before) * *size) / before : 1 / *size;
        return far_bytes(subject, left).map([&](Move move) {
            move.needs.bytes = left;
            move.inputs = *size;
            move.assumption = needs
                                  ? fmt::format("By its operation {} of the {} that it needs are shared.",
                                                format(needs->shared), format(needs->all))
                                  : "No operation is bound that tells which of its bytes are shared: all are "
                                    "taken for shared, and the gain is the most that a batch can bring.";
            if (has_no_limit(subject.state, subject.model, subject.analysis.options.thresholds))
                move.assumption +=
                    " No roof limits the kernel now: a launch for the whole batch is taken to stay as far "
                    "below its roof.";
            return move;
        });
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
    move.bytes[MemoryLevel::l2] = 1 / *blocks;
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
    move.bytes[MemoryLevel::hbm] = place->x / subject.algorithmic->value();
    return move;
}

}  // namespace roofwalk::preset_rules
