// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/atlas/atlas_chart.h"

namespace roofwalk {

/// What kernels took to carry out an operation, beside its place in the atlas.
struct MeasuredPlace {
    std::uint32_t point = 0;              ///< in the analysis of the AtlasProfile
    std::vector<std::string> kernels;     ///< that carry it out, by name
    std::string operation;                ///< text; empty where none is bound
    std::vector<std::size_t> operations;  ///< operations_like() it; empty: the model has none
    std::size_t device = 0;               ///< of the atlas, on which they have their place
    std::string gpu;                      ///< that the kernels ran on, as the atlas calls it where it has it
    double executions = 0;        ///< of the operation, in whole; of a kernel without one its launches
    std::optional<Seconds> time;  ///< of one execution
    // Its place, where the model has it.
    std::optional<Intensity> intensity;  ///< of its algorithm
    std::optional<FlopRate> attainable;  ///< W over least_time; absent without work
    std::optional<Seconds> least_time;   ///< under the roofs, or of a launch
    std::optional<double> factor;        ///< time over least_time
};

/// The operations of a step that are of the kind and the sizes of another, whatever their types; else
/// products of one input that one launch carries out together, as of queries, keys and values.
[[nodiscard]] std::vector<std::size_t> operations_like(const Atlas& atlas, const OperationModel& model);
/// "q_proj, o_proj"
[[nodiscard]] std::string names_of(const ModelWork& work, const std::vector<std::size_t>& operations);

/// The device of an atlas that a measured one is; absent where it has none.
[[nodiscard]] std::optional<std::size_t> device_in(const Atlas& atlas, const Device& device);

/// Every operation and kernel that was measured: those that the model has first, then the others, and of each
/// those with most time first.
[[nodiscard]] std::vector<MeasuredPlace> measured_places(const Atlas& atlas, const AtlasProfile& laid);

}  // namespace roofwalk
