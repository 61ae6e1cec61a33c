// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/atlas/atlas.h"
#include "core/devices/match_device.h"

namespace roofwalk::test {

/// What must be right; else the test fails with its own words.
template <class Value>
Value right(Result<Value> result) {
    if (!result) qFatal("%s", to_line(result.error()).c_str());
    return *std::move(result);
}

inline bool near(double value, double expected, double tolerance) {
    return std::abs(value - expected) <= tolerance;
}

inline std::size_t number_of(const ModelWork& work, std::string_view name) {
    const auto found = std::ranges::find(work.operations, name, &ModelOperation::name);
    if (found == work.operations.end()) qFatal("There is no operation %s", std::string(name).c_str());
    return static_cast<std::size_t>(found - work.operations.begin());
}

inline const ModelOperation& operation_of(const ModelWork& work, std::string_view name) {
    return work.operations[number_of(work, name)];
}

/// A built-in model on GPUs of the built-in table; without a launch floor where `floor` is 0.
inline Atlas atlas_on(std::string_view model, const ModelRun& run, std::vector<std::string_view> devices,
                      std::optional<double> floor = 0) {
    AnalysisOptions options;
    if (floor) options.launch_floor = Seconds(*floor);
    std::vector<Device> list;
    for (const std::string_view device : devices)
        list.push_back(*find_known_device(device));
    return right(atlas_of(right(built_in_model(model)), run, list, options));
}

}  // namespace roofwalk::test
