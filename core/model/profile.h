// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/model/device.h"
#include "core/model/launch.h"
#include "core/model/string_pool.h"

namespace roofwalk {

/// A kernel function: many launches may run it.
struct Kernel {
    std::string name;           ///< demangled, whole: template arguments and parameter types; clean UTF-8
    std::string function_name;  ///< short, as in the source; may be empty
    std::string mangled_name;   ///< may be empty

    friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// What a source was read as.
enum class SourceFormat : std::uint8_t {
    none,  ///< nothing was read
    ncu_report,
    ncu_text,
    ncu_csv,
    pytorch_trace,
    proton_profile,
    nsys_database,
    nsys_table,
    roofwalk_json,
    roofwalk_lines,
    kernel_table,
};
/// "Nsight Compute report"; empty where nothing was read.
[[nodiscard]] std::string_view label_of(SourceFormat format);

/// Where a profile was read from and who wrote it.
struct SourceInfo {
    std::string path;
    SourceFormat format = SourceFormat::none;
    std::string tool;                          ///< "Nsight Compute 2025.1.1.0"; empty when not recorded
    std::string command_line;                  ///< of the profiler; empty when not recorded
    std::optional<std::int64_t> created;       ///< Unix time [s]
    bool partial = false;                      ///< damaged, cancelled or lost: not all of the file was read
    std::uint32_t range_results = 0;           ///< results over ranges or graphs, counted
    std::uint64_t left_out = 0;                ///< launches of the run that a recording does not list
    std::optional<std::uint32_t> rank{};       ///< of the process in a parallel run
    std::optional<std::uint32_t> process{};    ///< whose launches these are, where a file has several runs
    std::optional<SourceIndex> joined_with{};  ///< whose launches have what this one counted of them
};

/// Something a person should know about a profile, or about some of its launches.
struct Warning {
    Error message;
    std::vector<LaunchIndex> launches;  ///< it is about these, rising; empty: about the profile as a whole
    bool refuses_time = false;  ///< their times were taken out or are doubted: not needed where others hold
    bool refuses_figures = false;  ///< work or bytes of theirs were taken out
    std::string file = {};  ///< that was read, in which the message says where; empty: it says all of it
};

/// "run.ncu-rep, kernel 3"; one of the two where the other is empty.
[[nodiscard]] std::string place_in_file(std::string_view file, std::string_view place);
/// What a warning says, the file before the place in it: "run.ncu-rep, kernel 3".
[[nodiscard]] Error message_of(const Warning& warning);

/// Whether a warning is about one of these launches, which rise.
[[nodiscard]] bool concerns(const Warning& warning, std::span<const LaunchIndex> launches);

/// NVTX push/pop ranges around a launch, outermost first.
using NvtxStack = std::vector<std::string>;

/// "outer / inner"; empty for the empty stack.
[[nodiscard]] std::string nvtx_path(const NvtxStack& stack);

/// Everything one or more files say about a run. Built once by a reader, then never changed.
struct Profile {
    std::vector<SourceInfo> sources;
    std::vector<Device> devices;
    std::vector<Kernel> kernels;
    std::vector<Launch> launches;                     ///< in file order
    std::vector<NvtxStack> nvtx_stacks{NvtxStack{}};  ///< entry 0 is the empty stack
    StringPool texts;
    std::vector<Warning> warnings;

    [[nodiscard]] const Launch& at(LaunchIndex index) const { return at(launches, index); }
    [[nodiscard]] Launch& at(LaunchIndex index) { return at(launches, index); }
    [[nodiscard]] const Device& at(DeviceIndex index) const { return at(devices, index); }
    [[nodiscard]] Device& at(DeviceIndex index) { return at(devices, index); }
    [[nodiscard]] const SourceInfo& at(SourceIndex index) const { return at(sources, index); }
    [[nodiscard]] const NvtxStack& at(NvtxIndex index) const { return at(nvtx_stacks, index); }
    [[nodiscard]] const Kernel& kernel_of(const Launch& launch) const { return at(kernels, launch.kernel); }
    [[nodiscard]] const Device& device_of(const Launch& launch) const { return at(launch.device); }
    [[nodiscard]] const NvtxStack& nvtx_of(const Launch& launch) const { return at(launch.nvtx); }
    /// A further metric of a launch by the profiler's name.
    [[nodiscard]] std::optional<double> metric(const Launch& launch, std::string_view name) const;

  private:
    static auto at(auto& list, auto index) -> decltype(list[0]) {
        return list[static_cast<std::size_t>(index)];
    }
};

/// Gives a launch that was not measured the figures of one that is alike: time, unless it has one of its own,
/// work, traffic, metrics and ceilings, its work and traffic as estimates.
void take_figures(const Launch& measured, Launch& launch);
/// Says of such launches, which rise, what they rest on.
[[nodiscard]] Warning warning_of_alike_launches(std::vector<LaunchIndex> launches);

/// Several profiles as one, in their order.
[[nodiscard]] Profile append_profiles(std::span<const Profile* const> profiles);
/// Several profiles as one, for charts over many files: file after file, by rank where every one has one.
[[nodiscard]] Profile merge_profiles(std::span<const Profile* const> profiles);

/// The number of each launch among those read from its own file, from 0: the ID that Nsight Compute shows
/// where every result of a report could be read.
class LaunchNumbers {
  public:
    explicit LaunchNumbers(const Profile& profile);

    [[nodiscard]] std::uint32_t of(LaunchIndex launch) const {
        return numbers_[static_cast<std::size_t>(launch)];
    }

  private:
    std::vector<std::uint32_t> numbers_;
};

}  // namespace roofwalk
