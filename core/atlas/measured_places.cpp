// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/measured_places.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <span>

#include "core/base/text.h"
#include "core/devices/match_device.h"
#include "core/operations/op_bounds.h"
#include "core/operations/op_registry.h"

namespace roofwalk {

namespace {

/// What tells an operation from others of its kind.
struct OperationSizes {
    std::string_view kind;
    std::vector<double> counts;

    friend bool operator==(const OperationSizes&, const OperationSizes&) = default;
};

double count_in(const std::string& text) {
    double count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

/// A product and that of the transposed matrices are one, and so is that with a vector.
OperationSizes product_sizes(double m, double n, double k, double batch) {
    return {"gemm", {std::min(m, n), std::max(m, n), k, batch}};
}

OperationSizes sizes_of(const OperationModel& model) {
    const OperationSpec* spec = find_operation(model.operation);
    OperationSizes sizes{model.operation, {}};
    for (const OperationArgument& argument : model.arguments) {
        const auto parameter = std::ranges::find(spec->parameters, argument.name, &ParameterSpec::name);
        // A norm that does not read its weights is still the one of these rows.
        if (parameter != spec->parameters.end() && parameter->kind == ParameterKind::count &&
            parameter->name != "weights")
            sizes.counts.push_back(count_in(argument.value));
    }
    const std::vector<double>& counts = sizes.counts;
    if (sizes.kind == "gemm") return product_sizes(counts[0], counts[1], counts[2], counts[3]);
    if (sizes.kind == "gemv") return product_sizes(1, counts[0], counts[1], counts[2]);
    if (counts.empty()) sizes.counts = {model.total_work().value(), model.compulsory().value()};
    return sizes;
}

/// Products that follow each other, with one input, whose outputs beside each other are of these sizes.
std::vector<std::size_t> products_together(const Atlas& atlas, const OperationSizes& sizes) {
    const std::vector<ModelOperation>& operations = atlas.work.operations;
    const double layers = atlas.model.layers.value_or(0);
    for (std::size_t first = 0; first < operations.size() && layers > 0; ++first) {
        std::vector<std::size_t> together;
        double columns = 0;
        for (std::size_t i = first; i < operations.size(); ++i) {
            const std::optional<GemmShape>& product = operations[i].model.batchable;
            const double in_layer = operations[i].times / layers;
            const std::optional<GemmShape>& input = operations[first].model.batchable;
            if (!product || !operations[i].of_one_size || in_layer != std::floor(in_layer)) break;
            if (product->m != input->m || product->k != input->k) break;
            columns += in_layer * product->n;
            together.push_back(i);
            if (product_sizes(product->m, columns, product->k, product->batch) == sizes) return together;
        }
    }
    return {};
}

/// How often what was measured was carried out; absent where that of some launches is not known.
std::optional<double> executions_measured(const KernelPoint& point, const Executions& executions) {
    const bool alone = executions.operations.size() == executions.bound;  // a launch for each
    if (executions.operations.empty()) return point.launches - point.failed;
    if (executions.not_bound > 0 || (point.failed > 0 && !alone)) return std::nullopt;
    return static_cast<double>(executions.operations.size()) - (alone ? point.failed : 0);
}

std::vector<std::string> kernels_of(const AtlasProfile& laid, std::span<const LaunchIndex> launches) {
    const Profile& run = *laid.measured->profile;
    const std::size_t first = laid.profile.launches.size() - run.launches.size();
    std::set<std::string> names;
    for (const LaunchIndex launch : launches)
        names.insert(run.kernel_of(run.launches[static_cast<std::size_t>(launch) - first]).name);
    return {names.begin(), names.end()};
}

/// That of the first operation of the atlas, or of all of them together.
void add_place(const Atlas& atlas, const OperationModel& measured, MeasuredPlace& place) {
    const DeviceAtlas& on = atlas.devices[place.device];
    const std::size_t first = place.operations.front();
    const OperationModel& alike = atlas.work.operations[first].model;
    const bool alone = sizes_of(alike) == sizes_of(measured);
    const OperationModel& model = alone ? alike : measured;
    place.least_time = on.places[first].time;
    if (!alone) {
        const auto bound = bounds_of(measured, on.device, atlas.options).speed_of_light;
        place.least_time = bound ? std::optional(std::max(*bound, on.floor.time)) : std::nullopt;
    }
    place.intensity = model.intensity();
    place.attainable = rate_within(model, place.least_time);
    if (place.time && place.least_time && place.least_time->value() > 0)
        place.factor = *place.time / *place.least_time;
}

MeasuredPlace measured_place(const Atlas& atlas, const AtlasProfile& laid, std::uint32_t index) {
    const KernelPoint& point = laid.analysis.points[index];
    const Grouping& grouping = laid.analysis.grouping;
    const auto launches = grouping.launches_of(grouping.groups[point.group]);
    const Executions executions = laid.analysis.options.launch_operations->executions_of(launches);
    MeasuredPlace place;
    place.point = index;
    place.kernels = kernels_of(laid, launches);
    const Device& gpu = laid.profile.device_of(laid.profile.at(launches.front()));
    place.gpu = gpu.name;
    place.device = device_in(atlas, gpu).value_or(0);
    const std::optional<double> counted = executions_measured(point, executions);
    place.executions = counted.value_or(static_cast<double>(executions.operations.size()));
    if (point.time && counted.value_or(0) > 0) place.time = *point.time * (1 / *counted);
    const auto bound = executions.operations.empty() ? executions.in_part : executions.operations.front();
    if (!bound) return place;
    place.operation = bound->text;
    place.operations = operations_like(atlas, *bound->model);
    if (!place.operations.empty()) add_place(atlas, *bound->model, place);
    return place;
}

}  // namespace

std::vector<std::size_t> operations_like(const Atlas& atlas, const OperationModel& model) {
    const std::vector<ModelOperation>& operations = atlas.work.operations;
    const OperationSizes sizes = sizes_of(model);
    std::vector<std::size_t> alike;
    for (std::size_t i = 0; i < operations.size(); ++i)
        if (operations[i].of_one_size && sizes_of(operations[i].model) == sizes) alike.push_back(i);
    return alike.empty() && sizes.kind == "gemm" ? products_together(atlas, sizes) : alike;
}

std::string names_of(const ModelWork& work, const std::vector<std::size_t>& operations) {
    return joined(operations, ", ", [&](std::size_t number) { return work.operations[number].name; });
}

std::optional<std::size_t> device_in(const Atlas& atlas, const Device& device) {
    const Device* known = find_known_device(device.name, &device);
    const auto found = std::ranges::find_if(atlas.devices, [&](const DeviceAtlas& on) {
        return on.device.name == device.name || (known != nullptr && on.device.name == known->name);
    });
    if (found == atlas.devices.end()) return std::nullopt;
    return static_cast<std::size_t>(found - atlas.devices.begin());
}

std::vector<MeasuredPlace> measured_places(const Atlas& atlas, const AtlasProfile& laid) {
    std::vector<MeasuredPlace> places;
    for (std::uint32_t i = 0; i < laid.analysis.points.size(); ++i)
        if (is_measured(atlas, laid.analysis.points[i])) places.push_back(measured_place(atlas, laid, i));
    const auto time_of = [&](const MeasuredPlace& place) {
        return laid.analysis.points[place.point].time.value_or(Seconds(0));
    };
    std::ranges::stable_sort(places, [&](const MeasuredPlace& a, const MeasuredPlace& b) {
        if (a.operations.empty() != b.operations.empty()) return b.operations.empty();
        return time_of(a) > time_of(b);
    });
    return places;
}

}  // namespace roofwalk
