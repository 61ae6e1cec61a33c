// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "core/roofline/analysis.h"

/// Small profiles made by hand, for tests of the model.
namespace roofwalk::test {

inline constexpr Pipe fp32{PipeKind::fp32, false};
inline constexpr Pipe fp64{PipeKind::fp64, false};
inline constexpr Pipe tensor_fp16{PipeKind::tensor_fp16, false};
inline constexpr Pipe tensor_int8{PipeKind::tensor_int8, false};

inline ComputeCeiling compute_ceiling(Pipe pipe, double rate) {
    return {pipe, FlopRate(rate), {}};
}

inline BandwidthCeiling bandwidth_ceiling(Boundary boundary, double rate) {
    return {boundary, ByteRate(rate), {}};
}

/// A device that says nothing but its ceilings, so that no table or attribute adds to them.
inline Device machine(std::initializer_list<ComputeCeiling> compute,
                      std::initializer_list<BandwidthCeiling> bandwidth) {
    Device device;
    device.name = "machine";
    device.ceilings.compute = compute;
    device.ceilings.bandwidth = bandwidth;
    return device;
}

inline Launch launch(std::optional<double> seconds, std::initializer_list<std::pair<Pipe, double>> work,
                     std::initializer_list<std::pair<Boundary, double>> traffic) {
    Launch result;
    if (seconds) result.duration = Seconds(*seconds);
    for (const auto& [pipe, flop] : work)
        result.work.push_back({.pipe = pipe, .work = Flops(flop)});
    for (const auto& [boundary, bytes] : traffic)
        result.traffic.push_back({.boundary = boundary, .total = Bytes(bytes), .read = {}, .write = {}});
    return result;
}

/// Every launch runs the one kernel "kernel" on the one device.
inline Profile profile_of(Device device, std::initializer_list<Launch> launches) {
    Profile profile;
    profile.sources.push_back({.path = "test", .format = {}, .tool = {}, .command_line = {}, .created = {}});
    profile.devices.push_back(std::move(device));
    profile.kernels.push_back({"kernel(float *)", "kernel", {}});
    profile.launches = launches;
    return profile;
}

/// The one point of a profile with one launch.
inline KernelPoint point_of(const Profile& profile, const AnalysisOptions& options = {}) {
    return analyse(profile, options).points.at(0);
}

}  // namespace roofwalk::test
