// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "core/model/kernel_name.h"
#include "core/scenario/preset_rules.h"

namespace roofwalk::preset_rules {

namespace {

constexpr std::size_t name_length = 60;
/// A gain below this is none.
constexpr double no_gain = 0.999;

/// The levels behind shared memory, where reuse and narrow data count.
constexpr std::array far_levels{MemoryLevel::hbm, MemoryLevel::l2};

bool has_bytes(const PresetSubject& subject, MemoryLevel level) {
    const auto& bytes = subject.state.bytes[index_of(level)];
    return bytes && bytes->value() > 0;
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
    return far_bytes(subject, 1 / *size);
}

Result<Move> multicast(const PresetSubject& subject, Parameter blocks) {
    const Device& device = subject.profile.device_of(subject.profile.at(
        subject.analysis.grouping.order[subject.analysis.grouping.groups[subject.kernel().group].first]));
    if (device.compute_capability && *device.compute_capability < ComputeCapability{9, 0})
        return not_applicable(subject, "This GPU has no thread block clusters",
                              "They came with compute capability 9.0.");
    if (!has_bytes(subject, MemoryLevel::l2))
        return not_applicable(subject, "It moves no bytes at L2, or they were not measured");
    Move move;
    move.bytes[index_of(MemoryLevel::l2)] = 1 / *blocks;
    return move;
}

Result<Move> to_algorithm(const PresetSubject& subject, Parameter) {
    const auto place = place_of(subject.state, subject.model.roofs, MemoryLevel::hbm);
    if (!subject.algorithmic)
        return not_applicable(subject, "It is not known how many bytes its algorithm needs",
                              "Bind the kernel to an operation first.");
    if (!place) return not_applicable(subject, "It has no dot at HBM");
    if (place->x >= subject.algorithmic->value() * no_gain)
        return not_applicable(subject, "It moves no more bytes than its algorithm needs");
    Move move;
    move.bytes[index_of(MemoryLevel::hbm)] = place->x / subject.algorithmic->value();
    return move;
}

template <int bits>
Result<Move> narrow(const PresetSubject& subject, Parameter share) {
    Flops of_16_bits;
    Flops all;
    for (std::size_t slot = 0; slot < pipe_slots; ++slot) {
        const PipeKind kind = pipe_at(slot).kind;
        if (kind == PipeKind::int32) continue;
        all += subject.state.work[slot];
        // Data of 16 bits is often widened and worked on in FP32.
        if (kind == PipeKind::fp16 || kind == PipeKind::fp32 || kind == PipeKind::tensor_fp16 ||
            kind == PipeKind::tensor_fp16_acc16 || kind == PipeKind::tensor_bf16 ||
            kind == PipeKind::tensor_any)
            of_16_bits += subject.state.work[slot];
    }
    if (all.value() > 0 && of_16_bits < all * 0.5)
        return not_applicable(subject, "Most of its arithmetic is not of the kind that data of 16 bits gets",
                              "The preset is for kernels that read FP16 or BF16.");
    Move move;
    bool any = false;
    for (const MemoryLevel level : all_levels) {
        any = any || has_bytes(subject, level);
        move.bytes[index_of(level)] = 1 - *share * (1 - bits / 16.0);
    }
    if (!any) return not_applicable(subject, "It moves no bytes, or they were not measured");
    return move;
}

template Result<Move> narrow<8>(const PresetSubject& subject, Parameter share);
template Result<Move> narrow<4>(const PresetSubject& subject, Parameter share);

}  // namespace roofwalk::preset_rules
