// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/view_options.h"

#include <CLI/CLI.hpp>

#include "app/cli/console.h"
#include "app/cli/input.h"
#include "app/cli/name_pattern.h"

namespace roofwalk::cli {

void add_view_options(CLI::App& verb, ViewOptions& options) {
    verb.add_option("FILE", options.files,
                    "Nsight Compute reports, Roofwalk JSON or JSON Lines, CSV of `ncu --csv`; - is stdin")
        ->required()
        ->type_name("");
    verb.add_option("--group", options.group, "what one row or dot stands for")
        ->check(CLI::IsMember({"kernel", "launch", "nvtx"}))
        ->capture_default_str();
    verb.add_option("--clock", options.clock, "clock at which ceilings hold")
        ->check(CLI::IsMember({"measured", "boost"}))
        ->capture_default_str();
    verb.add_option("--operations", options.operations, "which operations count as work")
        ->check(CLI::IsMember({"floating", "integer", "all"}))
        ->capture_default_str();
    verb.add_option("--view", options.view, "count bytes as Nsight Compute's chart or NERSC's recipe does")
        ->check(CLI::IsMember({"nsight", "nersc"}));
    verb.add_option("--levels", options.levels, "memory levels, some of hbm,l2,l1,smem (default hbm,l2,smem)")
        ->delimiter(',')
        ->check(CLI::IsMember({"hbm", "l2", "l1", "smem"}))
        ->type_name("LIST");
    verb.add_option("--filter", options.filter,
                    "only kernels with REGEX (as grep -E takes it) somewhere in their name")
        ->type_name("REGEX");
}

AnalysisOptions analysis_options(const ViewOptions& options) {
    AnalysisOptions analysis;
    if (options.view == "nsight") analysis = nsight_view(analysis);
    if (options.view == "nersc") analysis = nersc_view(analysis);
    analysis.group_by = group_by_from_id(options.group).value_or(analysis.group_by);
    analysis.clock = clock_basis_from_id(options.clock).value_or(analysis.clock);
    analysis.operations = operation_class_from_id(options.operations).value_or(analysis.operations);
    if (!options.levels.empty()) {
        analysis.levels.fill(false);
        for (const std::string& id : options.levels)
            if (const auto level = level_from_id(id))
                analysis.levels[static_cast<std::size_t>(*level)] = true;
    }
    return analysis;
}

Result<Viewed> read_and_analyse(const ViewOptions& options) {
    const Result<NamePattern> filter = NamePattern::compile(options.filter);
    if (!filter) return tl::unexpected(filter.error());
    Result<Profile> profile = read_inputs(options.files);
    if (!profile) return tl::unexpected(profile.error());
    Analysis analysis = analyse(*profile, analysis_options(options));
    if (!options.filter.empty()) {
        std::erase_if(analysis.points,
                      [&](const KernelPoint& point) { return !filter->matches(point.name); });
        if (analysis.points.empty()) say_warning("no kernel matches " + options.filter);
    }
    return Viewed{std::move(*profile), std::move(analysis)};
}

}  // namespace roofwalk::cli
