// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/notice.h"
#include "core/model/profile.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// One quantity a kernel lacks: what it is and which Nsight Compute metrics would give it.
struct MissingQuantity {
    std::string quantity;              ///< "FLOPs", "HBM traffic (hbm/dram-rw)", "time"
    std::vector<std::string> metrics;  ///< metric names
    std::vector<Boundary> counted_at;  ///< other boundaries of a missing level that were counted
};

/// What a kernel lacks for the levels switched on; empty when nothing is missing.
[[nodiscard]] std::vector<MissingQuantity> missing_quantities(const Profile& profile,
                                                              const KernelPoint& point,
                                                              const Analysis& analysis);

/// "counted at l2/sm-return, as the Nsight view shows"; empty where no other boundary was counted.
[[nodiscard]] std::string counted_elsewhere(const MissingQuantity& missing);

/// Each device of which no ceiling is known at all, so that its kernels have no roof.
[[nodiscard]] std::vector<Notice> devices_without_ceilings(const Profile& profile, const Analysis& analysis);

/// Nsight Compute metrics that count the bytes of a boundary on a device.
[[nodiscard]] std::vector<std::string> metrics_of(Boundary boundary, const Device& device);
/// Metrics that count integer operations.
[[nodiscard]] std::vector<std::string> integer_metrics();
/// Metrics that count the arithmetic named.
[[nodiscard]] std::vector<std::string> metrics_of(const UncountedWork& work);

/// The device that a kernel ran on; of a group over several devices, that of its first launch.
[[nodiscard]] const Device& device_of(const Profile& profile, const KernelPoint& point,
                                      const Analysis& analysis);

/// The first launch of a kernel that could be measured, else the first.
[[nodiscard]] const Launch& leading_launch(const Profile& profile, const KernelPoint& point,
                                           const Analysis& analysis);

/// Whether a kernel comes from a model: its work and its bytes both do, and no profiler looked at it. There
/// is no run to profile again.
[[nodiscard]] bool is_modelled(const KernelPoint& point);

/// Why no ncu command collects what a kernel (or, with null, the first kernel that lacks something) lacks:
/// its figures come from a model, or a file written by hand in which some cannot be, or its GPU is older than
/// Volta, and Nsight Compute dropped those with 2020.1, before it counted rooflines. Empty when a command
/// does.
[[nodiscard]] std::string why_not_collectable(const Profile& profile, const KernelPoint* point,
                                              const Analysis& analysis);

/// What to look at before profiling again, where a report of Nsight Compute or a recording of ours holds no
/// counter of any kernel: the permission, and the command that checks it. Empty where there is a counter.
[[nodiscard]] std::string why_nothing_was_counted(const Profile& profile, const Analysis& analysis);

/// The command that profiles a kernel again (`point`), or the whole program of the first kernel that lacks
/// something (null), and collects everything the options need: a new report stands alone, so what an older
/// one already has is collected too. Section sets where they hold it, metrics beside them where they do not;
/// filtered by function name where one name tells the kernel; the application as recorded in the report, else
/// "./your_program". Quoted for a POSIX shell. `more` are further options, as ncu_option() gives them.
[[nodiscard]] std::string ncu_command(const Profile& profile, const KernelPoint* point,
                                      const AnalysisOptions& options, const Analysis& analysis,
                                      std::span<const std::string> more = {});

/// How to collect what is missing.
struct CollectCommand {
    std::vector<std::string> before;  ///< what to know first, a sentence each; or why no command collects it
    std::string command;              ///< to be run as it stands; empty where none collects it
};

/// What ncu_command() gives, where it collects what is missing, on one line.
[[nodiscard]] CollectCommand collect_command(const Profile& profile, const KernelPoint* point,
                                             const Analysis& analysis,
                                             std::span<const std::string> more = {});

/// The application and its arguments in a recorded profiler command line, quoted for a POSIX shell; empty
/// when the line is not Nsight Compute's or holds an option whose shape is not known.
[[nodiscard]] std::string application_of(std::string_view profiler_command_line);

}  // namespace roofwalk
