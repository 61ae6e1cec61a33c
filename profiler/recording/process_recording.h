// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/model/profile_builder.h"
#include "core/model/recording_parts.h"
#include "core/report/recording_lines.h"
#include "profiler/plan/launch_merger.h"
#include "profiler/wire/record.h"

namespace roofwalk {

/// What a person can do where `call`, a function of CUPTI, refuses with this code (`cupti_result.h`), which
/// the agent passed on; empty where nobody knows.
[[nodiscard]] std::string_view remedy_for_cupti(std::int32_t code, std::string_view call);

/// A plan that later launches of a shape should have, because plan A saw tensor cores at work.
struct WantedPlan {
    LaunchShape shape;
    PlanKind plan = PlanKind::tensor;
};

/// What the agent in one process tells, as a profile that grows and as the lines of its recording. A launch
/// whose plans came from several launches that are alike stands as one.
class ProcessRecording {
  public:
    /// `tool` names this program in the recording.
    ProcessRecording(const wire::SessionStart& start, std::string tool);

    void add(const wire::Device& told);
    /// `values` are the metrics that were counted, by name.
    [[nodiscard]] std::vector<WantedPlan> add(const wire::KernelLaunch& told,
                                              std::map<std::string, double> values);
    void add(const wire::LaunchCounts& counts);
    void add(const wire::Note& note);
    /// So many records of the agent never came.
    void add_lost(std::uint64_t records) { lost_ += records; }
    /// Something that a person should know of the recording; the same words are said once.
    void warn(Error problem);
    /// Nothing follows. `cut` says why launches may be missing; empty where the process ended in order.
    void end(const std::string& cut);

    [[nodiscard]] std::uint32_t process() const { return process_; }
    /// As far as it is known: what a killed process counted last may be behind what it sent.
    [[nodiscard]] RecordingCounts counts() const;
    [[nodiscard]] std::size_t launches() const { return profile().launches.size(); }
    /// Those of them that have figures of their own.
    [[nodiscard]] std::size_t measured() const {
        return profile().launches.size() - alike_.size() - awaited_.size() - bare_.size();
    }
    [[nodiscard]] const std::vector<Error>& problems() const { return problems_; }
    [[nodiscard]] bool ended() const { return ended_; }

    /// All that is known now. Launches that were not measured have the figures of those they are like.
    [[nodiscard]] Profile snapshot() const;
    /// The lines of the recording since the last call.
    [[nodiscard]] std::string take_lines() { return std::exchange(lines_text_, {}); }

  private:
    [[nodiscard]] Profile& profile() { return builder_.profile(); }
    [[nodiscard]] const Profile& profile() const { return builder_.profile(); }
    [[nodiscard]] DeviceIndex device_index(std::uint32_t ordinal);
    [[nodiscard]] KernelIndex kernel_index(std::string_view mangled);
    [[nodiscard]] NvtxIndex nvtx_index(wire::TextList ranges);
    [[nodiscard]] LaunchIndex keep_identity(const wire::KernelLaunch& told);
    [[nodiscard]] std::vector<WantedPlan> plans_wanted(const PlanMeasurement& measurement);
    [[nodiscard]] std::map<std::string, double> whole_values(const MergedLaunch& merged,
                                                             DeviceIndex device) const;
    void take_figures_of(LaunchIndex index, const std::map<std::string, double>& values);
    void name_other_launches(const MergedLaunch& merged, Launch& launch);
    void keep_merged(const MergedLaunch& merged);
    void add_time_to_counted_work(const MergedLaunch& merged, const LaunchShape& shape);
    /// With its sizes; empty where PyTorch's ranges do not tell it.
    [[nodiscard]] std::string op_of(LaunchIndex index) const;
    void record_like_earlier(LaunchIndex index, std::uint64_t number, const LaunchShape& shape);
    void write(LaunchIndex index, std::uint64_t number);
    void write_counts();
    void give_up_awaiting(const std::string& cut);

    ProfileBuilder builder_;
    RecordingLines lines_;
    std::string lines_text_;
    std::uint32_t process_ = 0;
    std::uint64_t start_ns_ = 0;
    LaunchMerger merger_{MergeTolerance{}};
    wire::LaunchCounts counts_;
    RecordingCounts counts_written_;
    std::uint64_t lost_ = 0;  ///< records
    std::vector<Error> problems_;
    bool ended_ = false;

    std::unordered_map<std::uint64_t, LaunchIndex> numbered_;
    std::set<LaunchShape> tensor_shapes_;           ///< whose plans have been asked for
    std::map<LaunchIndex, LaunchIndex> alike_;      ///< not measured, and what they are like
    std::set<LaunchIndex> bare_;                    ///< failed, or not measured and like none
    std::map<std::uint64_t, LaunchIndex> awaited_;  ///< launches whose time is still to come
    /// By their operators, for a launch to be like.
    std::map<LaunchShape, std::map<std::string, std::vector<std::uint64_t>>> waiting_;
};

}  // namespace roofwalk
