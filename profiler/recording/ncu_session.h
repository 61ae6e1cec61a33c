// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/import/profile_request.h"
#include "profiler/recording/capability_check.h"
#include "profiler/recording/child_process.h"
#include "profiler/recording/recording_session.h"

namespace roofwalk {

/// In how many passes Nsight Compute counts what plan_ncu() asks for, in a sentence: 9 to 13 count time, FLOP
/// and the bytes of HBM (as reports of Turing to Hopper say), one or two more those of L2 and shared memory.
inline constexpr std::string_view ncu_passes = "Each launch is replayed in 10 to 15 passes.";

/// The same request for Nsight Compute, for chips and programs that our agent does not serve, and to compare:
/// FLOP and the bytes of HBM (`--set roofline` with every chart), L2 and shared memory (`--metrics`) in one
/// report. Caches and clocks are left as the program has them, as our agent leaves them. Ncu
/// matches patterns of kernels with the names of functions, and knows the patterns of `output` itself. An
/// error (bad_argument) names what Nsight Compute cannot do.
[[nodiscard]] Result<LaunchPlan> plan_ncu(const ProfileRequest& request, const std::filesystem::path& ncu,
                                          const std::vector<std::string>& inherited);

/// The program `ncu` of this machine; an error says why it cannot record here. `findings` are of this
/// machine.
[[nodiscard]] Result<std::filesystem::path> ready_ncu(const std::vector<CapabilityFinding>& findings);

/// The request for the `ncu` of this machine. `despite_findings`: even where the check says that nothing can
/// be measured.
[[nodiscard]] Result<LaunchPlan> prepare_ncu(const ProfileRequest& request, bool despite_findings);

/// Reports, and when each was written by the clock of its file system.
using ReportTimes = std::map<std::filesystem::path, std::filesystem::file_time_type>;

/// The reports of a request's output that are there; where ncu fills in a pattern of the name, those with the
/// same beginning. Absent where the pattern is in the folder: where ncu writes is not known then.
[[nodiscard]] std::optional<ReportTimes> reports_of(const std::string& output);
/// One that is not among those `before`, or was written since. Absent where there is none.
[[nodiscard]] std::optional<std::filesystem::path> written_report(const std::string& output,
                                                                  const ReportTimes& before);

/// What Nsight Compute tells as it records, among what the program writes: lines that hold `==PROF==`,
/// `==WARNING==` or `==ERROR==`, perhaps behind words of the program that have no line end.
class NcuLog {
  public:
    /// The next piece of one of the two streams, cut anywhere.
    void add(ChildStream stream, std::string_view text);

    /// Programs it has connected to.
    [[nodiscard]] std::uint32_t processes() const { return processes_; }
    /// Launches it has measured to the end.
    [[nodiscard]] std::uint64_t launches() const { return launches_; }
    /// Errors and warnings; the same words once.
    [[nodiscard]] const std::vector<Error>& problems() const { return problems_; }
    /// The file it names as its report; empty before that.
    [[nodiscard]] const std::string& report() const { return report_; }

  private:
    void take_line(std::string_view line);
    void add_problem(std::string_view words);

    std::array<std::string, 2> lines_;  ///< of each stream the end of the one that is still coming
    std::uint32_t processes_ = 0;
    std::uint64_t launches_ = 0;
    std::vector<Error> problems_;
    std::string report_;
};

struct NcuLimits {
    std::chrono::milliseconds drain{
        60'000};  ///< for its report after the stop: replays of one launch may be long
    std::chrono::milliseconds cancel{3'000};  ///< for its report after a cancel
    std::chrono::milliseconds grace{1'000};   ///< to end when it is asked to, before it is killed
};

/// A recording by Nsight Compute, which starts the program and writes a report of its own. Until that is
/// there nothing is known but how many launches it has measured; then status() names the report, and
/// snapshot() stays empty.
class NcuSession : public RecordingSession {
  public:
    /// `plan` is that of plan_ncu().
    [[nodiscard]] static Result<std::unique_ptr<NcuSession>> start(const LaunchPlan& plan,
                                                                   const NcuLimits& limits = {});

    void step(std::chrono::milliseconds limit, const OnChildText& on_text) override;
    /// What is measured by then is kept: ncu ends the program and writes its report.
    void stop() override;
    void cancel() override;
    [[nodiscard]] bool over() const override { return status_.over(); }
    [[nodiscard]] RecordingStatus status() const override;
    [[nodiscard]] Profile snapshot() const override { return {}; }
    [[nodiscard]] std::uint64_t revision() const override { return 0; }

  private:
    using Clock = std::chrono::steady_clock;

    NcuSession(ChildProcess child, const NcuLimits& limits);
    void finish(const ChildEnd& end);

    ChildProcess child_;
    NcuLimits limits_;
    NcuLog log_;
    Clock::time_point start_ = Clock::now();
    std::optional<Clock::time_point> stopped_;
    bool cancelled_ = false;
    RecordingStatus status_;
};

}  // namespace roofwalk
