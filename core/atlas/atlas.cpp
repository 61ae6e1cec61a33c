// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/atlas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/devices/match_device.h"
#include "core/operations/op_bounds.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

constexpr double largest_batch_shown = 1024;

void find_ridge(const ModelOperation& operation, AtlasPlace& place) {
    const auto at = ridge_place(place.bounds);
    if (!operation.items_per_row || !operation.model.batchable || !at) return;
    const GemmShape& product = *operation.model.batchable;
    if (const auto rows = gemm_batch_to_ridge(product, at->ridge))
        place.items_to_ridge = *rows * *operation.items_per_row;
    place.asymptotic_items = asymptotic_batch(product, at->ridge) * *operation.items_per_row;
}

AtlasPlace place_of(const ModelOperation& operation, const Device& device, const LaunchFloor& floor,
                    const AnalysisOptions& options) {
    AtlasPlace place;
    place.bounds = bounds_of(operation.model, device, options);
    find_ridge(operation, place);
    const std::optional<Seconds>& bound = place.bounds.speed_of_light;
    if (!bound) return place;
    place.launch_binds = *bound < floor.time;
    place.time = std::max(*bound, floor.time);
    return place;
}

std::vector<AtlasPlace> places_of(const ModelWork& work, const Device& device, const LaunchFloor& floor,
                                  const AnalysisOptions& options) {
    std::vector<AtlasPlace> places;
    for (const ModelOperation& operation : work.operations)
        places.push_back(place_of(operation, device, floor, options));
    return places;
}

std::optional<Seconds> step_time(const ModelWork& work, const std::vector<AtlasPlace>& places) {
    Seconds sum;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i].time) return std::nullopt;
        sum += *places[i].time * work.operations[i].times;
    }
    return sum;
}

std::optional<double> largest_batch(const Atlas& atlas, const Device& device) {
    const Bytes cache = atlas.work.kv_bytes_per_sequence(atlas.run);
    if (!device.memory_size || cache.value() <= 0) return std::nullopt;
    const Bytes room = *device.memory_size - atlas.work.weight_bytes(atlas.run);
    return std::max(0.0, std::floor(room / cache));
}

std::vector<BatchStep> steps_by_batch(const Atlas& atlas, const DeviceAtlas& on) {
    std::vector<BatchStep> steps;
    const double most = std::min(on.largest_batch.value_or(largest_batch_shown), largest_batch_shown);
    ModelRun run = atlas.run;
    for (run.batch = 1; run.batch <= most; run.batch *= 2) {
        const Result<ModelWork> work = work_of(atlas.model, run);
        if (!work) break;
        const auto time = step_time(*work, places_of(*work, on.device, on.floor, atlas.options));
        if (!time || time->value() <= 0) break;
        steps.push_back({run.batch, *time, work->items / time->value()});
    }
    return steps;
}

DeviceAtlas atlas_on(const Atlas& atlas, const Device& device, const LaunchFloor& floor) {
    DeviceAtlas on;
    on.device = device;
    on.floor = floor;
    on.places = places_of(atlas.work, device, floor, atlas.options);
    on.time = step_time(atlas.work, on.places);
    if (on.time && on.time->value() > 0) on.items_per_second = atlas.work.items / on.time->value();
    on.largest_batch = largest_batch(atlas, device);
    on.batches = steps_by_batch(atlas, on);
    return on;
}

}  // namespace

std::optional<FlopRate> rate_within(const OperationModel& model, const std::optional<Seconds>& time) {
    const Flops work = model.total_work();
    if (work.value() <= 0 || !time || time->value() <= 0) return std::nullopt;
    return work / *time;
}

std::string Atlas::types() const {
    std::string text(name_of(run.weights));
    if (run.weights != run.activations) text += fmt::format(" weights, {}", name_of(run.activations));
    if (!model.is_vision() && run.kv != run.activations) text += fmt::format(", KV {}", name_of(run.kv));
    return text;
}

std::string Atlas::step() const {
    const std::string text = fmt::format("{}, batch {}", id_of(run.phase), format_count(run.batch));
    return model.is_vision() ? text : text + fmt::format(", {} tokens", format_count(run.context));
}

std::string Atlas::title() const {
    return fmt::format("{}, {}: {}", model.name, types(), step());
}

Result<Atlas> atlas_of(const ModelDocument& model, const ModelRun& run, const std::vector<Device>& devices,
                       const AnalysisOptions& options, const std::optional<MeasuredRun>& measured) {
    return work_of(model, run).transform([&](ModelWork work) {
        Atlas atlas{.model = model, .run = run, .work = std::move(work), .devices = {}, .options = options};
        atlas.options.memory = common_memory_name(options.memory, memory_of(devices));
        if (measured)
            atlas.options.memory = common_memory_name(atlas.options.memory, measured->options.memory);
        Profile boards;
        boards.devices = devices;
        const std::vector<LaunchFloor> floors = launch_floors(boards, options);
        for (std::size_t i = 0; i < devices.size(); ++i)
            atlas.devices.push_back(atlas_on(atlas, devices[i], floors[i]));
        return atlas;
    });
}

}  // namespace roofwalk
