// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace roofwalk {

/// Arithmetic that ran, or may have run, while nothing counted it: the work that is known is a lower bound
/// then.
struct UncountedWork {
    bool fp32 = false;
    bool fp64 = false;
    bool packed_fp32 = false;  ///< FADD2, FMUL2, FFMA2: two FP32 operations a thread
    bool fp16 = false;
    bool tensor = false;
    bool integer = false;  ///< of a kernel whose FLOP and integer operations were asked for together

    [[nodiscard]] constexpr bool any() const {
        return fp32 || fp64 || packed_fp32 || fp16 || tensor || integer;
    }
    constexpr UncountedWork& operator|=(const UncountedWork& other) {
        fp32 |= other.fp32;
        fp64 |= other.fp64;
        packed_fp32 |= other.packed_fp32;
        fp16 |= other.fp16;
        tensor |= other.tensor;
        integer |= other.integer;
        return *this;
    }
    friend constexpr bool operator==(const UncountedWork&, const UncountedWork&) = default;
};

struct UncountedKind {
    std::string_view id;     ///< "packed_fp32": the stable name used in files
    std::string_view label;  ///< "packed FP32": for people
    bool UncountedWork::*member;
};

inline constexpr std::size_t uncounted_flop_kinds = 5;  ///< the first ones; a launch may lack these
inline constexpr std::array<UncountedKind, 6> uncounted_kinds{
    {{"fp32", "FP32", &UncountedWork::fp32},
     {"fp64", "FP64", &UncountedWork::fp64},
     {"packed_fp32", "packed FP32", &UncountedWork::packed_fp32},
     {"fp16", "FP16", &UncountedWork::fp16},
     {"tensor", "tensor", &UncountedWork::tensor},
     {"integer", "integer", &UncountedWork::integer}}};

/// "FP16, tensor"; empty when everything was counted.
[[nodiscard]] std::string labels_of(const UncountedWork& uncounted);

}  // namespace roofwalk
