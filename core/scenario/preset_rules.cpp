// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/preset_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <variant>

#include "core/base/text.h"
#include "core/devices/match_device.h"
#include "core/model/kernel_name.h"
#include "core/operations/bound_operation.h"
#include "core/operations/data_type.h"
#include "core/operations/op_model.h"
#include "core/operations/op_parser.h"
#include "core/operations/op_registry.h"
#include "core/roofline/operation_model_point.h"
#include "core/roofline/utilisation.h"
#include "core/scenario/move_words.h"
#include "core/scenario/preset_metrics.h"

namespace roofwalk::preset_rules {

// Fewer bytes.

namespace {

constexpr std::size_t name_length = 60;

/// The levels behind shared memory, where reuse and narrow data count.
constexpr std::array far_levels{MemoryLevel::hbm, MemoryLevel::l2};

bool has_bytes(const PresetSubject& subject, MemoryLevel level) {
    const auto& bytes = subject.state.bytes[level];
    return bytes && bytes->value() > 0;
}

/// The same factor at HBM and L2.
Result<Move> far_bytes(const PresetSubject& subject, double factor) {
    if (std::ranges::none_of(far_levels, [&](MemoryLevel level) { return has_bytes(subject, level); }))
        return not_applicable(
            subject, with_memory_name(subject.model.memory,
                                      "It moves no bytes at {DRAM} or L2, or they were not measured"));
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

/// Whether the kernel, as it was demangled, has one of these in its name, in capitals or not.
bool name_has(const PresetSubject& subject, std::initializer_list<const char*> parts) {
    const std::string name = lower_case(subject.kernel().name);
    return std::ranges::any_of(parts, [&](const char* part) { return name.find(part) != std::string::npos; });
}

/// Kernels of attention as libraries call them, where nobody bound an operation.
bool has_name_of_attention(const PresetSubject& subject) {
    return name_has(subject,
                    {"attention", "attn", "fmha", "flash_fwd", "flash_bwd", "sdpa", "pagedkv", "paged_kv"});
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
    BatchNeeds needs;
    std::string operation;
    bool any = false;
    for (const LaunchIndex launch : subject.analysis.known_launches(subject.kernel())) {
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

/// Up to this reuse each thread may hold the results of a whole tile.
constexpr double largest_in_registers = 8;

/// What a tile makes of the bytes near the SM.
struct NearBytes {
    Bytes before;  ///< through L1, beside shared memory
    Bytes loaded;  ///< the same, into the tile
    Bytes shared;  ///< what goes through shared memory instead
    bool in_registers = false;
    bool told_apart = true;  ///< from shared memory
};

/// Absent where loads are not told apart from shared memory, unless both fall alike: small tiles are held in
/// registers, and read no shared memory; what of it is needed an operation tells. A thread of the block as it
/// is computes as many results as make up the tile.
std::optional<NearBytes> near_bytes(const PresetSubject& subject, double reuse, double left_at_l2) {
    // A plain tile on an H100 took 50.4 M wavefronts for 33.6 M times two operands: one of the two is the
    // same for the whole warp, and half of its reads are saved by vectors.
    constexpr double read_in_vectors = 0.75;
    const bool in_registers = reuse <= largest_in_registers;
    const auto told_apart = loads_through_l1(subject);
    const auto loads = told_apart || !in_registers || !subject.algorithmic
                           ? told_apart
                           : subject.state.bytes[MemoryLevel::l1];
    if (!loads || loads->value() <= 0 || reuse <= 1) return std::nullopt;
    const Bytes at_l2 = subject.state.bytes[MemoryLevel::l2].value_or(Bytes()) * left_at_l2;
    const double results = std::max(1.0, reuse / std::sqrt(threads_of_block(subject)));
    const Bytes loaded = std::min(*loads, std::max(*loads / reuse, at_l2));
    const Bytes read = *loads * (share_without_surplus(subject) * read_in_vectors / results);
    return NearBytes{*loads, loaded, in_registers ? Bytes() : loaded + read, in_registers,
                     told_apart.has_value()};
}

/// What shared memory, or L1 which holds it, can serve more before it takes longer than the kernel does by
/// its roofs now.
Bytes room_in_smem(const PresetSubject& subject, const std::optional<NearBytes>& near) {
    const KernelState& state = subject.state;
    const KernelRoofs& roofs = subject.model.roofs;
    const auto now = speed_of_light(state, roofs);
    Bytes room(std::numeric_limits<double>::infinity());
    if (!now) return room;
    const auto limit = [&](MemoryLevel level, Bytes relieved) {
        if (state.bytes[level] && roofs.bandwidth[level])
            room = std::min(room, *roofs.bandwidth[level] * now->time - (*state.bytes[level] - relieved));
    };
    limit(MemoryLevel::smem, Bytes());
    if (near || (shared_is_part_of_l1(roofs) && state.bytes[MemoryLevel::smem]))
        limit(MemoryLevel::l1, near ? near->before - near->loaded : Bytes());
    return std::max(room, Bytes());
}

/// `through` shared memory goes what a tile takes out of L1 and L2.
void move_near_bytes(const PresetSubject& subject, const NearBytes& near, double reuse, Bytes through,
                     Move& move) {
    const KernelState& state = subject.state;
    const Bytes l1 = *state.bytes[MemoryLevel::l1];
    const Bytes shared_before = l1 - near.before;
    if (near.in_registers) {
        if (has_bytes(subject, MemoryLevel::smem)) move.bytes[MemoryLevel::smem] = 1 / reuse;
        move.bytes[MemoryLevel::l1] = bounded_factor((shared_before / reuse + near.loaded) / l1);
        return;
    }
    const bool counted_apart = move.smem_of_l2 > 0 && state.bytes[MemoryLevel::smem] &&
                               has_bytes(subject, MemoryLevel::l2) &&
                               shared_is_part_of_l1(subject.model.roofs);
    const Bytes left = shared_before + near.loaded + (counted_apart ? Bytes() : through);
    move.bytes[MemoryLevel::l1] = bounded_factor(left / l1);
}

/// Adds, where no operation tells what the kernel needs, that the gain is the most there can be.
void say_it_is_the_most(const PresetSubject& subject, Move& move) {
    if (subject.algorithmic) return;
    move.assumption =
        "No operation is bound that tells what the kernel needs: the gain is the most that this can bring.";
}

std::string words_of(const NearBytes& near, double reuse) {
    if (near.in_registers)
        return fmt::format("So small a tile stays in the registers of each thread, {:.0f} results.{}",
                           reuse * reuse,
                           near.told_apart ? ""
                                           : " Its loads are not told apart from shared memory: all its L1 "
                                             "bytes are taken to fall alike.");
    const Bytes by_registers = near.before / largest_in_registers;
    return fmt::format(
        "Loads bring {} through L1 instead of {}, and {} go through shared memory. These are written once and read "
        "for each use, where one of two operands is read in vectors.{}",
        format(near.loaded), format(near.before), format(near.shared),
        near.loaded + near.shared <= by_registers
            ? std::string()
            : fmt::format(" A reuse of {} in the registers of each thread would leave less there: {}.",
                          largest_in_registers, format(by_registers)));
}

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

/// Of the bytes that the operation needs, what its operands of so many bits are: those that it would not need
/// were these half as wide.
double needed_share(const PresetSubject& subject, int bits) {
    const OperationModel& model = *subject.kernel().target->operation->model;
    const std::span<const ParameterSpec> parameters = find_operation(model.operation)->parameters;
    WrittenOperation halved{model.operation, {}};
    for (std::size_t i = 0; i < model.arguments.size(); ++i) {
        const OperationArgument& argument = model.arguments[i];
        const bool is_type = parameters[i].kind == ParameterKind::type;
        const auto type = is_type ? data_type_from_name(argument.value) : std::nullopt;
        if (type && bytes_of(*type) * bits_in_a_byte == bits)
            halved.arguments.push_back({argument.name, bits == 32 ? "fp16" : "fp8"});
        else if (argument.given || type)
            halved.arguments.push_back({argument.name, argument.value});
    }
    const Result<OperationModel> made = model_operation(halved);
    return made ? 2 * (1 - made->compulsory() / model.compulsory()) : 1;
}

int narrowest(const std::vector<StoredPart>& stored) {
    return std::ranges::min_element(stored, {}, &StoredPart::bits)->bits;
}

/// Below it, it is no use to narrow the rest.
constexpr double least_share = 0.05;

Width width_of(const PresetSubject& subject, int bits) {
    const std::vector<DataType> types = types_of_operation(subject);
    const auto as_wide = [&](DataType type) { return bytes_of(type) * bits_in_a_byte == bits; };
    const bool has_such = std::ranges::any_of(types, as_wide);
    const double needed = has_such ? needed_share(subject, bits) : 1;
    const std::vector<StoredPart>& stored = subject.applied(subject.point).stored();
    if (!stored.empty()) {
        const double share = share_of(stored, bits) - (1 - needed) / subject.state.needs.bytes;
        if (share < (needed < 1 ? least_share : factor_rounding))
            return {.refused = fmt::format("Its data is of {} bits after an earlier move, not of {}",
                                           narrowest(stored), bits)};
        return {.share = share};
    }
    if (has_such && needed < least_share)
        return {.refused = fmt::format("Of the bytes that its operation needs {} are in data of {} bits: the "
                                       "others are {}",
                                       format_percent(needed), bits,
                                       name_of(*std::ranges::find_if_not(types, as_wide)))};
    if (has_such) return {.share = needed};
    if (!types.empty())
        return {.refused = fmt::format("Its data is {} by its operation, not of {} bits",
                                       name_of(types.front()), bits)};
    Flops fitting;
    Flops in_fp32;
    Flops all;
    for (const Pipe pipe : all_pipes) {
        const PipeKind kind = pipe.kind;
        if (kind == PipeKind::int32) continue;
        all += subject.state.work[pipe];
        if (may_read(kind, bits)) fitting += subject.state.work[pipe];
        if (kind == PipeKind::fp32) in_fp32 += subject.state.work[pipe];
    }
    if (all.value() <= 0) return {};
    constexpr double most = 0.5;
    if (fitting < all * most)
        return {.refused =
                    fmt::format("Most of its arithmetic is not of the kind that data of {} bits gets", bits)};
    if (in_fp32 < all * most) return {};
    const auto& target = subject.kernel().target;
    if ((target && target->operations > 1) || name_has(subject, {"half", "bfloat16", "fp16", "bf16"}))
        return {.assumed =
                    fmt::format("Its arithmetic is FP32: that its data is in {} bits is assumed.", bits)};
    if (bits == 32) return {};
    return {.refused = "Its arithmetic is FP32, and nothing tells that its data is stored in 16 bits"};
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

tl::unexpected<Error> no_roof(const PresetSubject& subject) {
    return not_applicable(subject, "Its roof is not known: time, work, bytes or a ceiling is missing",
                          subject.audience == Audience::window
                              ? "The details name what to collect."
                              : "roofwalk-cli report names what to collect.");
}

/// The CUDA-core pipe with most work among those whose arithmetic tensor cores of a type can take over.
std::optional<Pipe> replaced_by(const PresetSubject& subject, PipeKind tensor) {
    const auto fits = [&](PipeKind kind) {
        if (tensor == PipeKind::tensor_fp64) return kind == PipeKind::fp64;
        if (tensor == PipeKind::tensor_tf32) return kind == PipeKind::fp32;
        return kind == PipeKind::fp32 || kind == PipeKind::fp16;
    };
    std::optional<Pipe> most;
    Flops work = work_of(subject.state, subject.model.roofs) * negligible_work_share;
    for (const Pipe pipe : all_pipes)
        if (fits(pipe.kind) && subject.state.work[pipe] > work) {
            work = subject.state.work[pipe];
            most = pipe;
        }
    return most;
}

std::string words_of_single_use(const PresetSubject& subject) {
    if (!may_need_bytes_once(subject.state, subject.algorithmic)) return {};
    return with_memory_name(
        subject.model.memory,
        " L2 serves next to nothing twice. Where each byte is needed once, as in copies and "
        "elementwise kernels, this gains nothing.");
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
    return unexpected(ErrorCode::bad_argument, std::move(why),
                      shorten_kernel_name(subject.kernel().name, name_length), std::move(hint));
}

bool may_need_bytes_once(const KernelState& state, std::optional<Intensity> algorithmic) {
    constexpr double nearly_all = 0.9;
    const auto& hbm = state.bytes[MemoryLevel::hbm];
    const auto& l2 = state.bytes[MemoryLevel::l2];
    return !algorithmic && hbm && l2 && l2->value() > 0 && *hbm >= *l2 * nearly_all;
}

double remaining_share(const PresetSubject& subject, std::string_view preset, MemoryLevel level,
                       double ideal) {
    return std::min(1.0, ideal / subject.applied(subject.point).left_by(preset, level));
}

void stop_at_algorithm(const PresetSubject& subject, Move& move) {
    for (const MemoryLevel level : far_levels) {
        const auto place = place_of(subject.state, subject.model.roofs, level);
        double& left = move.bytes[level];
        if (!subject.algorithmic || !place || left >= 1) continue;
        left = std::clamp(place->x / subject.algorithmic->value(), left, 1.0);
    }
}

Result<Move> tile(const PresetSubject& subject, Parameter reuse) {
    const Result<std::string> cost = cost_of_tiles(subject, *reuse);
    if (!cost) return tl::unexpected(cost.error());
    Result<Move> move = far_bytes(subject, 1 / *reuse);
    if (!move) return move;
    stop_at_algorithm(subject, *move);
    const auto is_kept = [&](MemoryLevel level) {
        return !has_bytes(subject, level) || move->bytes[level] >= no_gain;
    };
    const double l2 = move->bytes[MemoryLevel::l2];
    const auto near = near_bytes(subject, *reuse, l2);
    if (*reuse > 1 && !near && subject.algorithmic && std::ranges::all_of(far_levels, is_kept))
        return not_applicable(subject, "It moves no more bytes than its algorithm needs");
    const Bytes at_l2 = subject.state.bytes[MemoryLevel::l2].value_or(Bytes());
    const Bytes through = near ? near->shared : at_l2 * (l2 < 1 ? 1 + l2 : 0);
    const Bytes served = std::min(through, room_in_smem(subject, near));
    if (at_l2.value() > 0 && subject.state.bytes[MemoryLevel::smem]) move->smem_of_l2 = served / at_l2;
    if (near) move_near_bytes(subject, *near, *reuse, served, *move);
    const auto before = speed_of_light(subject.state, subject.model.roofs);
    const auto after = speed_of_light(moved(subject.state, subject.model, *move), subject.model.roofs);
    if (!near) say_it_is_the_most(subject, *move);
    if (!subject.algorithmic)
        move->assumption += fmt::format(
            "{}No counter tells how often each byte is loaded anew: the reuse of {} is assumed.{} ",
            move->assumption.empty() ? "" : " ", format_factor(*reuse), words_of_single_use(subject));
    if (near)
        move->assumption += words_of(*near, *reuse);
    else if (has_bytes(subject, MemoryLevel::l1))
        move->assumption +=
            "Its L1 bytes stay: its loads are not told apart from shared memory. " +
            (subject.algorithmic
                 ? fmt::format("A reuse of up to {} in registers makes them fewer. ", largest_in_registers)
                 : "");
    if (!near || !near->in_registers) move->assumption += (near ? " " : "") + *cost;
    if (served < through)
        move->assumption += fmt::format(
            " There is time for {} of the {} that go through shared memory: the rest has to stay in registers.",
            format(served), format(through));
    if (after && after->binding != before->binding)
        move->assumption += fmt::format(" {} binds then.", label_of(after->binding, subject.model.memory));
    return move;
}

Result<Move> batch(const PresetSubject& subject, Parameter size) {
    return needs_by_batch(subject).and_then([&](const std::optional<BatchNeeds>& needs) {
        const double before = subject.applied(subject.point).left_by("batch", MemoryLevel::hbm);
        const double left = needs ? needs->left_by(needs->batch_of(before) * *size) / before : 1 / *size;
        return far_bytes(subject, left).map([&](Move move) {
            move.needs.bytes = left;
            move.inputs = *size;
            move.assumption = needs
                                  ? fmt::format("By its operation {} of the {} that it needs are shared.",
                                                format(needs->shared), format(needs->all))
                                  : "No operation is bound that tells which of its bytes are shared. All are "
                                    "taken for shared, and the gain is the most that a batch can bring." +
                                        words_of_single_use(subject);
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
    const double before = subject.applied(subject.point).left_by("multicast", MemoryLevel::l2);
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
            subject.audience == Audience::window
                ? "Name its operation: Kernels > Operation of the kernel (O)."
                : "Say which operation it carries out with --bind, as in --bind 'gemm=gemm m=4096 n=4096 k=4096'.");
    if (!place)
        return not_applicable(subject, with_memory_name(subject.model.memory, "It has no dot at {DRAM}"));
    if (place->x >= subject.algorithmic->value() * no_gain)
        return not_applicable(subject, "It moves no more bytes than its algorithm needs");
    Move move;
    move.bytes[MemoryLevel::hbm] = place->x / subject.algorithmic->value();
    return move;
}

// Data stored in fewer bits. How wide it is now an earlier move of the kind tells, else the operation of the
// kernel; without one, its arithmetic tells what it cannot be.

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
        move.assumption = fmt::format("Of its bytes {} are in data of {} bits, and all of them are narrowed.",
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

// Less time, or less work.

Result<Move> window(const PresetSubject& subject, Parameter share) {
    const auto& target = subject.kernel().target;
    const std::string operation = target ? target->operation->model->operation : std::string();
    const bool may_be =
        operation.empty() ? has_name_of_attention(subject) : operation == "custom" || is_attention(operation);
    if (!may_be)
        return not_applicable(subject,
                              "Only attention has a window, and this kernel " +
                                  (operation.empty() ? "is not known to be one" : "carries out " + operation),
                              "Bind it to attention_prefill or attention_decode if that is what it does.");
    Move move;
    move.work = *share;
    std::ranges::fill(move.bytes, *share);
    move.needs = {.bytes = *share, .work = *share};
    return move;
}

Result<Move> overlap(const PresetSubject& subject, Parameter share) {
    const auto gap = gap_of(subject.state, subject.model.roofs);
    const auto bound = speed_of_light(subject.state, subject.model.roofs);
    if (!gap || !bound) return no_roof(subject);
    if (!std::holds_alternative<Boundary>(bound->binding))
        return not_applicable(subject, fmt::format("It is bound by {}, not by memory",
                                                   label_of(bound->binding, subject.model.memory)));
    if (gap->efficiency() >= *share)
        return not_applicable(
            subject, fmt::format("It reaches {} of the {} roof already", format_percent(gap->efficiency()),
                                 label_of(bound->binding, subject.model.memory)));
    Move move;
    move.time_rule = MoveTime::factor;
    move.time = gap->efficiency() / *share;
    say_it_is_the_most(subject, move);
    return move;
}

Result<Move> to_roof(const PresetSubject& subject, Parameter) {
    const auto limit = tightest_limit(subject.state, subject.model);
    if (!limit) return no_roof(subject);
    if (limit->share >= 1 && subject.model.others_recoverable == subject.state.others_save)
        return not_applicable(subject, fmt::format("It is at the {}, or above it, already",
                                                   limit_named(*limit, subject.model.memory)));
    if (limit->share * subject.model.apart >= 1 - factor_rounding &&
        subject.model.others_recoverable == subject.state.others_save)
        return not_applicable(subject, "Its launches are at their own limits already");
    Move move;
    move.time_rule = MoveTime::to_roof;
    return move;
}

template <PipeKind kind>
Result<Move> onto_tensor(const PresetSubject& subject, Parameter) {
    const Pipe target{kind, false};
    const auto from = replaced_by(subject, kind);
    if (!from)
        return not_applicable(
            subject, fmt::format("It does no work on CUDA cores that {} could take over", label_of(target)));
    if (multiplies_no_matrices(subject.kernel()))
        return not_applicable(subject, fmt::format("Its operation, {}, multiplies no matrices",
                                                   subject.kernel().target->operation->model->operation));
    if (!subject.model.roofs.peak[target])
        return not_applicable(subject, fmt::format("No {} ceiling of this GPU is known", label_of(target)),
                              "It may have no such tensor cores; a ceiling can be typed in.");
    Move move;
    move.pipe = PipeChange{*from, target};
    const auto before = speed_of_light(subject.state, subject.model.roofs);
    const auto after = speed_of_light(moved(subject.state, subject.model, move), subject.model.roofs);
    if (before && after && after->time > before->time)
        return not_applicable(
            subject, fmt::format("{} would be what binds: it has too much work already", label_of(target)));
    return move;
}

template Result<Move> onto_tensor<PipeKind::tensor_fp16>(const PresetSubject& subject, Parameter);
template Result<Move> onto_tensor<PipeKind::tensor_tf32>(const PresetSubject& subject, Parameter);
template Result<Move> onto_tensor<PipeKind::tensor_fp64>(const PresetSubject& subject, Parameter);

}  // namespace roofwalk::preset_rules
