// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_array.h"
#include "core/model/device.h"
#include "core/operations/op_model.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// Where an operation stands under the roofs of a device, as a point without a time of its own: bounds of its
/// pipes, of HBM and of L2 (compulsory bytes cross both), the binding ceiling, the speed-of-light time, and
/// the side of the HBM ridge. Its class says what binds, memory_bound or compute_bound; not_measured where a
/// ceiling is unknown. The bytes are those the variant moves, intermediates included. What the device does
/// not tell itself comes from the built-in table.
[[nodiscard]] KernelPoint bounds_of(const OperationModel& model, const Device& device,
                                    const AnalysisOptions& options = {});

/// W / T: the most that this operation can reach; absent where T is unknown.
[[nodiscard]] std::optional<FlopRate> attainable_performance(const KernelPoint& bounds);

/// Of a product whose weights are much larger than its other operands: 2 M / b of B with b bytes an element,
/// and the M that lifts that to a ridge, R b / 2. The exact M is gemm_batch_to_ridge().
[[nodiscard]] Intensity asymptotic_intensity(const GemmShape& product);
[[nodiscard]] double asymptotic_batch(const GemmShape& product, Intensity ridge);

/// What of an operation fits into L2 at once, so that repeated launches need not read it from HBM.
enum class L2Fit : std::uint8_t {
    all,      ///< every byte that it moves
    weights,  ///< what inputs share, but not all
    part,     ///< neither: data streams through
};
template <>
inline constexpr EnumIds<L2Fit, 3> enum_ids<L2Fit>{"all", "weights", "part"};

struct L2Residence {
    L2Fit fit = L2Fit::part;
    Bytes needed;      ///< of which it is said: the shared bytes where these fit, else all that is moved
    double share = 1;  ///< of the needed bytes that L2 holds at once, at most 1
};
/// Absent when the size of L2 is unknown.
[[nodiscard]] std::optional<L2Residence> l2_residence(const OperationModel& model, const Device& device);
/// One sentence.
[[nodiscard]] std::string l2_sentence(const L2Residence& residence, Bytes l2_size, MemoryName name);

/// What a product in tiles moves at one level.
struct TileLevel {
    std::string_view name;  ///< "HBM", "L2", "SMEM", "registers"
    Bytes bytes;
    std::optional<ByteRate> rate;  ///< of the device
    std::string source;            ///< of the rate
};
/// From the farthest to the nearest; empty where no tiles are given. The rate of the registers follows from
/// the FP32 peak, which needs two operands of 4 bytes for each FMA.
[[nodiscard]] std::vector<TileLevel> tile_levels(const OperationModel& model, const KernelPoint& bounds);

}  // namespace roofwalk
