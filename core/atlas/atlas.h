// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/atlas/model_work.h"
#include "core/model/device.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// Where an operation of a model stands on a device, alone in a launch of its own.
struct AtlasPlace {
    KernelPoint bounds;           ///< bounds_of()
    std::optional<Seconds> time;  ///< of one: its bound, or what a launch takes; absent where that is unknown
    bool launch_binds = false;    ///< it takes less than a launch does
    /// Tokens (images) of a step at which its product reaches the ridge, not rounded; absent where no batch
    /// does.
    std::optional<double> items_to_ridge;
    std::optional<double>
        asymptotic_items;  ///< the same for weights much larger than all else: the rule of thumb
};

/// W / t of an operation; absent without work or time.
[[nodiscard]] std::optional<FlopRate> rate_within(const OperationModel& model,
                                                  const std::optional<Seconds>& time);

/// How fast the model is at another batch.
struct BatchStep {
    double batch = 1;
    Seconds time;  ///< of a step
    double items_per_second = 0;
};

/// A model on one device.
struct DeviceAtlas {
    Device device;
    LaunchFloor floor;
    std::vector<AtlasPlace> places;          ///< by operation of the work
    std::optional<Seconds> time;             ///< of a step; absent while that of one operation is
    std::optional<double> items_per_second;  ///< tokens, images
    std::optional<double> largest_batch;     ///< whose caches fit beside the weights, 0 where none does;
                                             ///< absent without a cache, or where the memory is not known
    std::vector<BatchStep> batches;          ///< powers of two that fit, 1,024 at most
};

/// The operations of one step of a model on devices that have not run it.
struct Atlas {
    ModelDocument model;
    ModelRun run;
    ModelWork work;
    std::vector<DeviceAtlas> devices;
    AnalysisOptions options;

    /// "token", "image": what the model works on.
    [[nodiscard]] std::string_view item() const { return model.is_vision() ? "image" : "token"; }
    /// "Llama 2 7B, int4 weights, fp16, KV int8: decode, batch 1, 4,096 tokens".
    [[nodiscard]] std::string title() const;
    /// Its parts: "Llama 2 7B", "int4 weights, fp16, KV int8", "decode, batch 1, 4,096 tokens".
    [[nodiscard]] std::string types() const;
    [[nodiscard]] std::string step() const;
};

/// What was measured, to be laid over an atlas: its launches follow those of the atlas.
struct MeasuredRun {
    std::shared_ptr<const Profile> profile;
    AnalysisOptions options;  ///< with the operations of its launches, and the ceilings of its devices
};

/// Least times, each operation a launch of its own. Memory has one name in what is said of the atlas and of
/// what is laid over it. Errors of work_of().
[[nodiscard]] Result<Atlas> atlas_of(const ModelDocument& model, const ModelRun& run,
                                     const std::vector<Device>& devices, const AnalysisOptions& options,
                                     const std::optional<MeasuredRun>& measured = {});

}  // namespace roofwalk
