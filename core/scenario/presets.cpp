// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/enum_array.h"
#include "core/base/text.h"
#include "core/scenario/preset_metrics.h"
#include "core/scenario/preset_rules.h"

namespace roofwalk {

namespace {

constexpr EnumArray<PresetAxis, std::string_view, 6> axis_labels{
    "right", "up", "up, memory side", "up, compute side", "both", "in place"};

constexpr PresetParameter share_of_bytes{"share", "share of the bytes that are stored in the narrow type",
                                         1.0, 0.01, 1};

constexpr std::string_view stored_in_8_bits =
    "The data is stored in 16 bits now and in 8 then, and is widened on the way in: the arithmetic stays on its "
    "pipe.";

constexpr std::array table{
    Preset{"coalesce", "Coalesce loads and stores", PresetAxis::right, std::nullopt,
           "Every byte of a 32-byte sector is used once neighbouring threads touch neighbouring addresses. "
           "The bytes beyond them no longer cross a level where they are counted.",
           preset_rules::coalesce},
    Preset{
        "tile", "Tile", PresetAxis::right,
        PresetParameter{.name = "reuse",
                        .meaning = "how many uses a loaded element gets that loaded it anew before",
                        .usual = 4.0,
                        .least = 1,
                        .most = 4096,
                        .of_operation = true},
        "L2 and {DRAM} are asked that many times less, and L1 where its loads are told apart from shared memory. "
        "A tile of up to 8 uses then stays in registers. Any other goes through shared memory, written once a "
        "tile and read for each use. What would take longer there than the kernel does now stays in registers "
        "too. Bytes do not fall below what the algorithm needs, where that is known.",
        preset_rules::tile},
    Preset{"fuse", "Fuse the chosen kernels", PresetAxis::right,
           PresetParameter{"intermediates", "bytes that one kernel writes and the next reads, both counted",
                           std::nullopt, 1, 1e18, true},
           "What one kernel leaves for the next stays in registers or shared memory. Each kernel keeps its "
           "share of the remaining bytes, and of the launches: one takes the place of several.",
           preset_rules::fuse, true},
    Preset{"graph", "Launch as a CUDA graph", PresetAxis::in_place,
           PresetParameter{"runs", "how often the graph is launched", 1.0, 1, 1e9},
           "The chosen kernels are launched in the same order each time, so that one call launches them all. "
           "The kernels take as long as before, and follow each other sooner. What was idle before a launch "
           "that is saved is the most that this can bring.",
           preset_rules::launch_as_graph, true},
    Preset{
        "batch", "Batch", PresetAxis::right,
        PresetParameter{"size", "inputs that share one reading of the weights", 8.0, 1,
                        preset_rules::largest_batch},
        "Every input of the batch shares one reading of the weights and has the rest to itself. The matrix "
        "products of decoding do so; keys and values of attention are not shared. Bytes and time are per input.",
        preset_rules::batch},
    Preset{
        "fp16", "32 bits to 16 bits", PresetAxis::right, share_of_bytes,
        "The data is stored in 32 bits now and in 16 then (FP16 or BF16), and is widened on the way in. The "
        "arithmetic stays on its pipe.",
        preset_rules::narrow<32, 16>},
    Preset{"int8", "16 bits to INT8", PresetAxis::right, share_of_bytes, stored_in_8_bits,
           preset_rules::narrow<16, 8>},
    Preset{"fp8", "16 bits to FP8", PresetAxis::right, share_of_bytes, stored_in_8_bits,
           preset_rules::narrow<16, 8>},
    Preset{"int4", "16 bits to INT4", PresetAxis::right, share_of_bytes,
           "The data is stored in 16 bits now and in 4 then, scales aside, and is widened on the way in. The "
           "arithmetic stays on its pipe.",
           preset_rules::narrow<16, 4>},
    Preset{
        "multicast", "Multicast in a cluster", PresetAxis::right,
        PresetParameter{"blocks", "thread blocks that share one load", 2.0, 1, preset_rules::largest_cluster},
        "Blocks of a cluster need the same tiles, so that L2 serves one request where it served several; "
        "needs compute capability 9.0 or later. {DRAM} bytes stay.",
        preset_rules::multicast},
    Preset{"swizzle", "Remove bank conflicts", PresetAxis::up_compute, std::nullopt,
           "With a swizzled or padded layout each shared-memory instruction takes as few wavefronts as its "
           "bytes need. The bytes counted at SMEM, and at L1 which holds them, fall with the wavefronts.",
           preset_rules::swizzle},
    Preset{"overlap", "Overlap copies with work", PresetAxis::up_memory,
           PresetParameter{"share", "share of the memory roof that is reached", 0.85, 0.01, 1},
           "Asynchronous copies and more loads in flight hide the latency; bytes and work stay.",
           preset_rules::overlap},
    Preset{
        "window", "Sliding window", PresetAxis::in_place,
        PresetParameter{"share", "window over sequence length", 0.25, 0.0001, 1},
        "Attention looks at a window of the sequence only: work and bytes fall in proportion. The result is "
        "another one.",
        preset_rules::window},
    Preset{"tensor_fp16", "Tensor cores with 16-bit operands", PresetAxis::up_compute, std::nullopt,
           "The arithmetic is matrix products whose operands may be rounded to FP16, with sizes that are "
           "multiples of 8; the bytes stay.",
           preset_rules::onto_tensor<PipeKind::tensor_fp16>},
    Preset{"tensor_tf32", "Tensor cores with TF32", PresetAxis::up_compute, std::nullopt,
           "The arithmetic is matrix products of FP32 data whose operands may be rounded to TF32; the bytes "
           "stay.",
           preset_rules::onto_tensor<PipeKind::tensor_tf32>},
    Preset{"tensor_fp64", "Tensor cores with FP64", PresetAxis::up_compute, std::nullopt,
           "The arithmetic is matrix products in FP64; the bytes stay.",
           preset_rules::onto_tensor<PipeKind::tensor_fp64>},
    Preset{
        "to_roof", "To the roof", PresetAxis::up, std::nullopt,
        "The kernel reaches the whole of its tightest limit: the roof that binds it, or a unit that is busier. "
        "Good kernels reach 80 to 90 %.",
        preset_rules::to_roof},
    Preset{"to_algorithm", "To the algorithm", PresetAxis::right, std::nullopt,
           "Every byte crosses {DRAM} as often as the algorithm needs it and no more; what happens in L2 and "
           "shared memory is not changed here.",
           preset_rules::to_algorithm},
};

Result<void> check(const Preset& preset, const PresetSubject& subject, double value) {
    const PresetParameter& range = *preset.parameter;
    if (value >= range.least && value <= range.most) return {};
    return preset_rules::not_applicable(subject,
                                        fmt::format("The {} of the preset {} is out of range: {}", range.name,
                                                    preset.id, range.format(value)),
                                        fmt::format("It is {} to {}: {}.", range.format(range.least),
                                                    range.format(range.most), range.meaning));
}

}  // namespace

std::string_view label_of(PresetAxis axis) {
    return axis_labels[axis];
}

std::string PresetParameter::format(double value) const {
    return in_bytes ? roofwalk::format(Bytes(value)) : fmt::format("{}", value);
}

const KernelPoint& PresetSubject::kernel() const {
    return analysis.points[point];
}

const AppliedPresets& PresetSubject::applied(std::uint32_t of_point) const {
    static const AppliedPresets none;
    const auto found = std::ranges::lower_bound(moved, of_point, {}, &MovedKernel::point);
    return found == moved.end() || found->point != of_point ? none : found->applied;
}

PresetSubject preset_subject(const Profile& profile, const Analysis& analysis, std::uint32_t point) {
    const KernelPoint& kernel = analysis.points[point];
    const KernelModel model = kernel_model(kernel, analysis.options);
    return {profile, analysis,       point,
            model,   model.measured, kernel.target ? kernel.target->place : std::nullopt,
            {}};
}

PresetSubject preset_subject(const Profile& profile, const Analysis& analysis, std::uint32_t point,
                             const ScenarioEffect& effect) {
    PresetSubject subject = preset_subject(profile, analysis, point);
    subject.moved = effect.kernels;
    const MovedKernel* moved = effect.moved_kernel(point);
    if (!moved) return subject;
    subject.state = moved->state;
    if (subject.algorithmic) subject.algorithmic = *subject.algorithmic * moved->state.needs.intensity();
    return subject;
}

std::span<const Preset> presets() {
    return table;
}

const Preset* find_preset(std::string_view id) {
    const auto it = std::ranges::find(table, id, &Preset::id);
    return it == table.end() ? nullptr : &*it;
}

Result<Move> preset_change(const Preset& preset, const PresetSubject& subject,
                           std::optional<double> parameter) {
    if (parameter && !preset.parameter)
        return preset_rules::not_applicable(
            subject, fmt::format("The preset {} takes no parameter", preset.id), "Leave the number out.");
    if (preset.parameter && !parameter) parameter = preset.parameter->usual;
    if (parameter)
        if (const auto fits = check(preset, subject, *parameter); !fits) return tl::unexpected(fits.error());
    Result<Move> move = preset.move(subject, parameter);
    if (!move) return move;
    move->name = preset.label;
    if (parameter)
        move->name += fmt::format(", {} {}{}", preset.parameter->name, preset.parameter->format(*parameter),
                                  preset.parameter->of_operation && !subject.algorithmic ? " assumed" : "");
    move->preset = preset.id;
    move->number = parameter;
    move->assumption = with_memory_name(subject.model.memory, preset.assumption) +
                       (move->assumption.empty() ? "" : " ") + move->assumption;
    return move;
}

}  // namespace roofwalk
