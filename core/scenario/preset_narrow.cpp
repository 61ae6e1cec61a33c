// SPDX-License-Identifier: GPL-3.0-or-later
// Data stored in fewer bits. How wide it is now an earlier move of the kind tells, else the operation of the
// kernel; without one, its arithmetic tells what it cannot be.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/text.h"
#include "core/operations/data_type.h"
#include "core/operations/op_registry.h"
#include "core/scenario/preset_rules.h"

namespace roofwalk::preset_rules {

namespace {

constexpr int bits_in_a_byte = 8;

/// How the operation stores its operands; empty where none is known, or one of several.
std::vector<DataType> types_of_operation(const PresetSubject& subject) {
    const auto& target = subject.kernel().target;
    if (!target || target->operations != 1) return {};
    return operand_types(*target->operation->model);
}

/// Whether a pipe works on data that is stored in so many bits. Data of 16 bits is often widened and worked
/// on in FP32.
bool may_read(PipeKind kind, int bits) {
    if (kind == PipeKind::fp32) return true;
    if (bits == 32) return kind == PipeKind::tensor_tf32;
    return kind == PipeKind::fp16 || kind == PipeKind::tensor_fp16 || kind == PipeKind::tensor_fp16_acc16 ||
           kind == PipeKind::tensor_bf16 || kind == PipeKind::tensor_any;
}

/// What is known of how wide the data is.
struct Width {
    std::string refused = {};  ///< why it is not as wide as the preset needs; empty where it may be
    std::string assumed = {};  ///< what nothing tells; empty where something does
    double share = 1;          ///< of the bytes that are as wide, as far as earlier moves tell
};

double share_of(const std::vector<StoredPart>& stored, int bits) {
    const auto part = std::ranges::find(stored, bits, &StoredPart::bits);
    return part == stored.end() ? 0 : part->share;
}

Width width_of(const PresetSubject& subject, int bits) {
    const std::vector<StoredPart>& stored = subject.past(subject.point).stored();
    if (!stored.empty()) {
        const double share = share_of(stored, bits);
        if (share <= 0)
            return {.refused = fmt::format("Its data is of {} bits after an earlier move, not of {}",
                                           stored.front().bits, bits)};
        return {.share = share};
    }
    const std::vector<DataType> types = types_of_operation(subject);
    const auto as_wide = [&](DataType type) { return bytes_of(type) * bits_in_a_byte == bits; };
    if (std::ranges::any_of(types, as_wide)) return {};
    if (!types.empty())
        return {.refused = fmt::format("Its data is {} by its operation, not of {} bits",
                                       name_of(types.front()), bits)};
    Flops fitting;
    Flops in_fp32;
    Flops all;
    for (std::size_t slot = 0; slot < pipe_slots; ++slot) {
        const PipeKind kind = pipe_at(slot).kind;
        if (kind == PipeKind::int32) continue;
        all += subject.state.work[slot];
        if (may_read(kind, bits)) fitting += subject.state.work[slot];
        if (kind == PipeKind::fp32) in_fp32 += subject.state.work[slot];
    }
    if (all.value() <= 0) return {};
    constexpr double most = 0.5;
    if (fitting < all * most)
        return {.refused =
                    fmt::format("Most of its arithmetic is not of the kind that data of {} bits gets", bits)};
    if (bits == 16 && in_fp32 >= all * most)
        return {.assumed =
                    "Its arithmetic is FP32, and nothing tells how its data is stored: that it is in 16 "
                    "bits is assumed."};
    return {};
}

/// What L1 serves are requests, and narrower data makes no fewer of them unless they are made wider.
bool is_bound_by_requests(const PresetSubject& subject) {
    const auto bound = speed_of_light(subject.state, subject.model.roofs);
    const Boundary* boundary = bound ? std::get_if<Boundary>(&bound->binding) : nullptr;
    return boundary != nullptr && *boundary == Boundary::l1_unified;
}

struct Narrowing {
    std::string_view preset;
    int from;
    int to;
};

constexpr std::array narrowings{Narrowing{"fp16", 32, 16}, Narrowing{"int8", 16, 8}, Narrowing{"fp8", 16, 8},
                                Narrowing{"int4", 16, 4}};

}  // namespace

void narrow_as(const Move& move, std::vector<StoredPart>& stored) {
    const auto done = std::ranges::find(narrowings, move.preset, &Narrowing::preset);
    if (done == narrowings.end()) return;
    if (stored.empty()) stored.push_back({done->from, 1});
    const double whole = static_cast<double>(done->to) / done->from;
    const double before = share_of(stored, done->from);
    const double narrowed = std::clamp((1 - move.needs.bytes) / (1 - whole), 0.0, before);
    if (std::ranges::find(stored, done->to, &StoredPart::bits) == stored.end())
        stored.push_back({done->to, 0});
    for (StoredPart& part : stored) {
        if (part.bits == done->from) part.share -= narrowed;
        if (part.bits == done->to) part.share += narrowed * whole;
        part.share /= 1 - narrowed * (1 - whole);
    }
    std::erase_if(stored, [](const StoredPart& part) { return part.share <= factor_rounding; });
}

template <int from, int to>
Result<Move> narrow(const PresetSubject& subject, Parameter share) {
    Width width = width_of(subject, from);
    if (!width.refused.empty())
        return not_applicable(subject, std::move(width.refused),
                              from == 32 ? "The preset is for kernels that read FP32 or TF32."
                                         : "The preset is for kernels that read FP16 or BF16; FP32 becomes "
                                           "FP16 first, by fp16.");
    if (std::ranges::none_of(all_levels, [&](MemoryLevel level) { return has_bytes(subject, level); }))
        return not_applicable(subject, "It moves no bytes, or they were not measured");
    Move move;
    move.assumption = std::move(width.assumed);
    if (*share > width.share)
        move.assumption = fmt::format(
            "Earlier moves left {} of its bytes in data of {} bits, and all of them are narrowed.",
            format_percent(width.share), from);
    move.needs.bytes = 1 - std::min(*share, width.share) * (1 - static_cast<double>(to) / from);
    std::ranges::fill(move.bytes, move.needs.bytes);
    if (const double local = local_share(subject); local > 0) {
        for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2, MemoryLevel::l1})
            move.bytes[level] = local + (1 - local) * move.needs.bytes;
        move.assumption += fmt::format("{}{} of its sectors are local memory, which stays as wide.",
                                       move.assumption.empty() ? "" : " ", format_percent(local));
    }
    if (is_bound_by_requests(subject)) {
        for (const MemoryLevel level : {MemoryLevel::l1, MemoryLevel::smem})
            move.bytes[level] = 1;
        move.assumption += move.assumption.empty() ? "" : " ";
        move.assumption += "L1 binds, and serves as many requests as before.";
    }
    return move;
}

template Result<Move> narrow<32, 16>(const PresetSubject& subject, Parameter share);
template Result<Move> narrow<16, 8>(const PresetSubject& subject, Parameter share);
template Result<Move> narrow<16, 4>(const PresetSubject& subject, Parameter share);

}  // namespace roofwalk::preset_rules
