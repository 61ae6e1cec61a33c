// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/input.h"
#include "core/base/error.h"
#include "core/devices/measured_ceilings.h"
#include "core/roofline/analysis.h"
#include "core/workspace/workspace_result.h"

namespace CLI {
class App;
}

namespace roofwalk::cli {

/// What `report`, `advise` and `chart` have in common: which files, and how their launches become points.
struct ViewArguments {
    std::vector<std::string> files;
    std::string group;  ///< empty as all below: as a session says, else what is usual
    std::string clock;
    std::string operations;
    OperationClass usual_operations = OperationClass::floating;  ///< without a session
    std::string view;  ///< "nsight", "nersc", or empty for our own boundaries
    std::vector<std::string> levels;
    std::optional<double> launch_floor;  ///< [us]
    std::vector<double> near_ridge;      ///< from and up to, of the ridge
    std::vector<double> practical;       ///< factors of compute and bandwidth
    std::optional<std::string> filter;
    std::string device;             ///< of files that name none
    std::string ceilings;           ///< file of measured ceilings, or "none"
    std::vector<std::string> bind;  ///< "[nvtx:]PATTERN=OPERATION"
    bool join = false;
    bool filters_older = false;  ///< the filter shows kernels of older reports too
};

void add_join_option(CLI::App& verb, bool& join);
void add_bind_option(CLI::App& verb, std::vector<std::string>& bind);
void add_view_arguments(CLI::App& verb, ViewArguments& options);

/// "a, b and 3 more": kernels that a pattern means.
[[nodiscard]] std::string listed_names(const Analysis& analysis, const std::vector<std::uint32_t>& points);

/// Reports that were read, with the session that says how they are looked at: what was typed stands in it.
struct ReadReports {
    NamedFiles files;
    std::shared_ptr<const Profile> profile;  ///< of all of them
    MeasuredUse measured;
    MemoryName memory_beside;  ///< WorkspaceInputs::memory_beside

    /// With older reports beside them.
    [[nodiscard]] WorkspaceInputs inputs(std::vector<OpenFile> baselines = {}) const;
};

/// Reads what was named. What cannot be used of a session is told on stderr; of what was typed it is an
/// error.
[[nodiscard]] Result<ReadReports> read_view(const ViewArguments& options, NamedFiles files);
/// What is typed goes before what a session binds.
void put_typed_rules(const ViewArguments& options, Bindings& bindings);
/// An older report, with the ceilings that its boards get: they join `measured`.
[[nodiscard]] Result<OpenFile> read_older(const ViewArguments& options, NamedFiles& files,
                                          MeasuredUse& measured);
/// The older reports of a session. Those that cannot be read are told, and stand in `newest` as files of
/// which nothing was read; an error where there is no other.
[[nodiscard]] Result<std::vector<OpenFile>> read_older_of_session(const ViewArguments& options,
                                                                  const std::vector<NamedReport>& reports,
                                                                  ReadReports& newest);
/// An error where none of the reports ran on the GPU that was typed for those that name none.
[[nodiscard]] Result<void> check_ran_on(const Device& typed, const ReadReports& newest,
                                        const std::vector<OpenFile>& older);
/// Says on stderr that the older reports of a session are not looked at, where it has any.
void say_older_left_out(const NamedFiles& files);

/// Reports as the window shows them, with every point that a filter hides.
struct ReportView {
    NamedFiles files;
    WorkspaceResult result;
};

/// What is made of reports, with older ones beside them. Operations that could not be used, moves that could
/// not be made and what a filter hides are told on stderr.
[[nodiscard]] ReportView view_reports(ReadReports read, const ViewArguments& options,
                                      std::vector<OpenFile> baselines = {});
/// The same of what was named, and of older reports of the session, without what only a chart shows of a
/// session, which is told.
[[nodiscard]] Result<ReportView> read_report_view(const ViewArguments& options, NamedFiles files,
                                                  const std::vector<NamedReport>& older = {});
/// Says on stderr what of a session has no place in what is printed.
void say_left_out(const NamedFiles& files);
/// Says on stderr what was not measured of the kernels that are shown, and how to collect it.
void say_missing_of_shown(const WorkspaceResult& result);

/// Reports with the points that are shown of them.
struct AnalysedReport {
    NamedFiles files;
    std::shared_ptr<const Profile> profile;
    Analysis analysis;
};

/// Leaves the points that a filter shows, and says whether it shows any.
bool keep_shown(Analysis& analysis, const Profile& profile, const std::string& filter);

/// Reads, analyses and filters. Shares of time stay shares of the whole run when a filter is given.
[[nodiscard]] Result<AnalysedReport> read_and_analyse(const ViewArguments& options);
[[nodiscard]] Result<AnalysedReport> read_and_analyse(const ViewArguments& options, NamedFiles files,
                                                      MemoryName memory_beside = MemoryName::hbm);

/// Says on stderr which quantities were not measured, for how many kernels, and where the work is of a kind
/// that the options do not count. Returns whether anything was not measured.
bool say_missing_quantities(const Profile& profile, const Analysis& analysis);
/// The same, with what to look at first and the command that collects them, or why none does.
void say_missing(const Profile& profile, const Analysis& analysis);

}  // namespace roofwalk::cli
