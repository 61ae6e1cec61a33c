// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_tensor_opcodes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <vector>

namespace roofwalk {

namespace {

struct Shape {
    double m = 0;
    double n = 0;
    double k = 0;
};

struct NamedShape {
    std::string_view name;
    Shape shape;
};

/// The digits of m, n and k run together in these names: "16816" is 16, 8, 16.
constexpr std::array<NamedShape, 12> shapes{{
    {"884", {8, 8, 4}},
    {"1684", {16, 8, 4}},
    {"1688", {16, 8, 8}},
    {"16816", {16, 8, 16}},
    {"16832", {16, 8, 32}},
    {"16864", {16, 8, 64}},
    {"168128", {16, 8, 128}},
    {"168256", {16, 8, 256}},
    {"8816", {8, 8, 16}},
    {"8832", {8, 8, 32}},
    {"88128", {8, 8, 128}},
    {"168512", {16, 8, 512}},
}};

constexpr std::array<std::string_view, 14> opcodes{"HMMA",    "IMMA",    "DMMA",    "BMMA",   "QMMA",
                                                   "OMMA",    "HGMMA",   "IGMMA",   "QGMMA",  "BGMMA",
                                                   "UTCHMMA", "UTCIMMA", "UTCQMMA", "UTCOMMA"};

constexpr double warps_of_a_warpgroup = 4;

std::vector<std::string_view> parts_of(std::string_view form) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto dot = form.find('.');
        parts.push_back(form.substr(0, dot));
        if (dot == std::string_view::npos) return parts;
        form.remove_prefix(dot + 1);
    }
}

/// "64x128x16", as Hopper writes it.
std::optional<Shape> warpgroup_shape(std::string_view text) {
    std::array<double, 3> sides{};
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const auto end = std::min(text.find('x'), text.size());
        unsigned side = 0;
        const auto [stop, error] = std::from_chars(text.data(), text.data() + end, side);
        if (error != std::errc() || stop != text.data() + end || side == 0 || side > 4096)
            return std::nullopt;
        sides[i] = side;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!text.empty()) return std::nullopt;
    return Shape{sides[0], sides[1], sides[2]};
}

std::optional<Shape> warp_shape(std::string_view text) {
    const auto found = std::ranges::find(shapes, text, &NamedShape::name);
    return found == shapes.end() ? std::nullopt : std::optional(found->shape);
}

std::optional<PipeKind> kind_of(std::span<const std::string_view> parts) {
    const auto has = [&](std::string_view word) { return std::ranges::find(parts, word) != parts.end(); };
    const std::string_view opcode = parts.front();
    if (opcode == "DMMA") return PipeKind::tensor_fp64;
    if (opcode == "BMMA" || opcode == "BGMMA") return PipeKind::tensor_int1;
    if (opcode == "IMMA" || opcode == "IGMMA")
        return has("S4") || has("U4") ? PipeKind::tensor_int4 : PipeKind::tensor_int8;
    if (opcode == "QGMMA") return PipeKind::tensor_fp8;
    if (opcode == "HMMA" || opcode == "HGMMA") {
        if (has("TF32")) return PipeKind::tensor_tf32;
        if (has("BF16")) return PipeKind::tensor_bf16;
        return has("F32") ? PipeKind::tensor_fp16 : PipeKind::tensor_fp16_acc16;
    }
    return std::nullopt;
}

}  // namespace

std::span<const std::string_view> tensor_opcodes() {
    return opcodes;
}

bool is_tensor_opcode(std::string_view form) {
    return std::ranges::find(opcodes, form.substr(0, form.find('.'))) != opcodes.end();
}

std::optional<TensorOpcode> tensor_opcode(std::string_view form) {
    if (!is_tensor_opcode(form)) return std::nullopt;
    const auto parts = parts_of(form);
    const auto kind = kind_of(parts);
    if (!kind) return std::nullopt;
    const bool sparse = std::ranges::find(parts, "SP") != parts.end();

    for (const std::string_view part : parts) {
        if (const auto shape = warpgroup_shape(part))
            return TensorOpcode{{*kind, sparse},
                                2 * shape->m * shape->n * shape->k / warps_of_a_warpgroup,
                                Origin::estimated};
        const auto shape = warp_shape(part);
        if (!shape) continue;
        const double operations = 2 * shape->m * shape->n * shape->k;
        // Volta multiplies four 8x8x4 tiles in four steps with FP32 sums, in two with FP16 sums.
        if (parts.front() == "HMMA" && part == "884")
            return TensorOpcode{{*kind, sparse},
                                4 * operations / (*kind == PipeKind::tensor_fp16 ? 4 : 2),
                                Origin::estimated};
        return TensorOpcode{{*kind, sparse}, operations, Origin::measured};
    }
    return std::nullopt;
}

}  // namespace roofwalk
