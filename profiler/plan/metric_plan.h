// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/devices/chip.h"

namespace roofwalk {

/// What one collection of counters is for. The letter is what people and records call it.
enum class PlanKind : char {
    memory = 'A',       ///< time, clocks, traffic, whether tensor cores are used
    tensor = 'B',       ///< operations of tensor cores by type
    work = 'C',         ///< floating-point and integer operations, by patched instructions
    warp_tensor = 'D',  ///< operations of mma.sync, where plan B counts a newer path: BF16, and FP16 in FP32
    replay = 'E',       ///< A and C, and B where it fits, on one launch, which runs once for each pass
    warp_tensor_half = 'F',     ///< as D: TF32, and FP16 in FP16
    warp_tensor_integer = 'G',  ///< as D: INT8, FP64
};

/// Each in one pass; the operations of one unit are known when all of its plans are had.
inline constexpr std::array warp_tensor_plans{PlanKind::warp_tensor, PlanKind::warp_tensor_half,
                                              PlanKind::warp_tensor_integer};

[[nodiscard]] constexpr bool counts_warp_tensor(PlanKind kind) {
    return std::ranges::find(warp_tensor_plans, kind) != warp_tensor_plans.end();
}

[[nodiscard]] constexpr char letter_of(PlanKind kind) {
    return static_cast<char>(kind);
}

/// Whether time and bytes of the launch stand for it, as plan A measures them.
[[nodiscard]] constexpr bool is_base(PlanKind kind) {
    return kind == PlanKind::memory || kind == PlanKind::replay;
}

struct MetricPlan {
    PlanKind kind = PlanKind::memory;
    std::vector<std::string> metrics;  ///< names of CUPTI with their roll-up
    std::string gives;                 ///< in words
    std::string leaves_out;            ///< what the chip does and no metric here counts; empty when nothing
};

/// The plans for a chip, by letter. B, D, F and G measure time and memory again, as a check that the launch
/// was like the one of plan A; C cannot: patched instructions share no pass with counters of the hardware.
[[nodiscard]] std::vector<MetricPlan> metric_plans(const Chip& chip);

/// Whether plan E of these has all metrics of plan B.
[[nodiscard]] bool replay_has_types(const std::vector<MetricPlan>& plans);

/// The metrics of all these plans, each once.
[[nodiscard]] std::vector<std::string> metrics_of(const std::vector<const MetricPlan*>& plans);

/// What plan A said of a launch, or plan E, which tells the instructions of FP16 vectors (HFMA2) apart that
/// Hopper runs in its tensor pipe, also to set registers. Absent where the chip does not tell the two paths
/// apart.
struct TensorUse {
    bool used = false;
    std::optional<bool> by_warp_group;  ///< wgmma or tcgen05: plan B counts it
    std::optional<bool> by_half;        ///< mma.sync of BF16, FP16, TF32: plans D and F count it
    std::optional<bool> by_integer;     ///< mma.sync of INT8 or FP64: plan G counts it
};

/// The plans that count the types of what was used, each on a launch of its own.
[[nodiscard]] std::vector<PlanKind> tensor_plans(const TensorUse& use);

/// From the metrics of plan A; absent while these do not hold the counter of tensor instructions.
[[nodiscard]] std::optional<TensorUse> tensor_use(const Chip& chip,
                                                  const std::map<std::string, double>& values);

}  // namespace roofwalk
