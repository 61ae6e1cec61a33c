// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/notice.h"
#include "core/model/profile.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// What Nsight Compute is asked to collect: a section, or without one the counters by name.
struct NcuOption {
    std::string section;  ///< "SourceCounters"; empty: `metrics` alone
    std::vector<std::string> metrics;

    friend bool operator==(const NcuOption&, const NcuOption&) = default;
};

/// "--section SourceCounters", "--metrics dram__bytes.max,dram__bytes.avg"; empty where it asks for nothing.
[[nodiscard]] std::string to_text(const NcuOption& option);

/// Why no ncu command collects what a kernel (or, with null, the first kernel that lacks something) lacks:
/// its figures come from a model, or a file written by hand in which some cannot be, or its GPU is older than
/// Volta, and Nsight Compute dropped those with 2020.1, before it counted rooflines. Empty when a command
/// does.
[[nodiscard]] std::string why_not_collectable(const Profile& profile, const KernelPoint* point,
                                              const Analysis& analysis);

/// What to look at before profiling again, where a report of Nsight Compute or a recording of ours holds no
/// counter of any kernel: the permission, and what checks it. Empty where there is a counter.
[[nodiscard]] std::string why_nothing_was_counted(const Profile& profile, const Analysis& analysis,
                                                  Audience audience = Audience::commands);

/// The command that profiles a kernel again (`point`), or the whole program of the first kernel that lacks
/// something (null), and collects everything the options need: a new report stands alone, so what an older
/// one already has is collected too. Section sets where they hold it, metrics beside them where they do not;
/// filtered by function name where one name tells the kernel; the application as recorded in the report, else
/// "./your_program". Quoted for a POSIX shell. `more` are further options.
[[nodiscard]] std::string ncu_command(const Profile& profile, const KernelPoint* point,
                                      const AnalysisOptions& options, const Analysis& analysis,
                                      std::span<const NcuOption> more = {});

/// How to collect what is missing.
struct CollectCommand {
    std::vector<std::string> before;  ///< what to know first, a sentence each; or why no command collects it
    std::string command;              ///< to be run as it stands; empty where none collects it
};

/// What ncu_command() gives, where it collects what is missing, on one line. Without a kernel it is that of
/// the first program that lacks something, and `before` names the others.
[[nodiscard]] CollectCommand collect_command(const Profile& profile, const KernelPoint* point,
                                             const Analysis& analysis, std::span<const NcuOption> more = {},
                                             Audience audience = Audience::commands);

}  // namespace roofwalk
