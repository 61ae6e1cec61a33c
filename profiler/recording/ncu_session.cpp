// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ncu_session.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "core/base/text.h"
#include "core/roofline/missing.h"
#include "profiler/recording/prepare_session.h"

namespace roofwalk {

namespace {

constexpr std::string_view report_suffix = ".ncu-rep";

/// What all of a name is like that one of `patterns` is found in.
std::string found_anywhere(const std::vector<std::string>& patterns) {
    return ".*(?:" + joined(patterns, "|") + ").*";
}

/// Empty where every kernel is wanted.
std::string kernel_expression(const LaunchFilter& filter) {
    if (filter.kernels.empty() && filter.except.empty()) return {};
    const std::string without = filter.except.empty() ? "" : "(?!" + found_anywhere(filter.except) + "$)";
    return "regex:^" + without + (filter.kernels.empty() ? ".*" : found_anywhere(filter.kernels)) + "$";
}

/// What the charts of no section count in every version: the bytes that the SMs ask of L2, and those of
/// shared memory. The counters have the same names on every chip that ncu knows.
std::string metrics_beside_sections() {
    std::string list;
    for (const Boundary boundary : {Boundary::l2_sm_sectors, Boundary::smem_wavefronts})
        for (const std::string& metric : metrics_of(boundary, Device{}))
            list += (list.empty() ? "" : ",") + metric;
    return list;
}

tl::unexpected<Error> cannot(std::string what, std::string hint) {
    return unexpected(ErrorCode::bad_argument, std::move(what), "", std::move(hint));
}

/// Nsight Compute compiles expressions with the C++ library, which has no flags.
bool ignores_case(const LaunchFilter& filter) {
    return std::ranges::any_of(
        std::array{&filter.kernels, &filter.except, &filter.nvtx_ranges}, [](const auto* patterns) {
            return std::ranges::any_of(
                *patterns, [](const std::string& pattern) { return pattern.starts_with("(?i)"); });
        });
}

Result<std::filesystem::path> installed_ncu() {
    const char* path = std::getenv("PATH");
    if (auto ncu = find_nsight_compute(path == nullptr ? "" : path)) return *std::move(ncu);
    return unexpected(ErrorCode::not_profiled, "The program ncu is neither on PATH nor in NVIDIA's folders",
                      "", "Install Nsight Compute, or record with Roofwalk's own agent.");
}

/// Nothing that ncu says is longer; a program may write a gigabyte without a line end.
constexpr std::size_t longest_line = 8192;
constexpr std::size_t most_problems = 20;

/// What stands behind `mark`; absent where the line does not have it.
std::optional<std::string_view> behind(std::string_view line, std::string_view mark) {
    const auto at = line.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    return line.substr(at + mark.size());
}

}  // namespace

Result<LaunchPlan> plan_ncu(const ProfileRequest& request, const std::filesystem::path& ncu,
                            const std::vector<std::string>& inherited) {
    if (request.attach_to)
        return cannot("Nsight Compute cannot record a process that runs",
                      "Start the program under it, or record with Roofwalk's own agent.");
    if (!request.launch.through.empty())
        return cannot("Nsight Compute writes its report on the machine where it runs",
                      "Run `roofwalk-cli profile --ncu` there, and open the report that it names.");
    if (!request.measuring.counters)
        return cannot("Nsight Compute does not record time alone", "Leave out --ncu or --timing.");
    if (request.output == "-")
        return cannot("Nsight Compute writes its report into a file",
                      "Name it with -o, as in -o run.ncu-rep.");
    if (ignores_case(request.measuring.filter))
        return cannot("Nsight Compute knows no (?i) in a pattern of kernels or ranges",
                      "Name both cases, as in [Gg]emm.");
    auto program = plan_program(request.launch, inherited);
    if (!program) return program;
    LaunchPlan plan = *std::move(program);
    const LaunchFilter& filter = request.measuring.filter;
    std::vector<std::string> arguments{"ncu",
                                       "--set",
                                       "roofline",
                                       "--section",
                                       "regex:SpeedOfLight_.*RooflineChart",
                                       "--metrics",
                                       metrics_beside_sections(),
                                       "--target-processes",
                                       "all",
                                       "--cache-control",
                                       "none",
                                       "--clock-control",
                                       "none",
                                       "--force-overwrite"};
    const auto add = [&](std::string option, std::string value) {
        arguments.push_back(std::move(option));
        arguments.push_back(std::move(value));
    };
    std::string output = request.output;
    if (output.ends_with(report_suffix)) output.resize(output.size() - report_suffix.size());
    add("--export", std::filesystem::absolute(output).string());
    if (const std::string kernels = kernel_expression(filter); !kernels.empty())
        add("--kernel-name", kernels);
    if (!filter.nvtx_ranges.empty() || request.launch.pytorch_ranges) arguments.emplace_back("--nvtx");
    for (const std::string& range : filter.nvtx_ranges)
        add("--nvtx-include", "regex:" + found_anywhere({range}) + "/");
    if (filter.skip > 0) add("--launch-skip", std::to_string(filter.skip));
    if (filter.count) add("--launch-count", std::to_string(*filter.count));
    arguments.push_back(plan.program.string());
    arguments.insert(arguments.end(), plan.arguments.begin() + 1, plan.arguments.end());
    // Two profilers in one program do not go together.
    std::erase_if(plan.environment, [](const std::string& entry) {
        return entry.starts_with("CUDA_INJECTION64_PATH=") || entry.starts_with("NVTX_INJECTION64_PATH=");
    });
    plan.arguments = std::move(arguments);
    plan.program = ncu;
    return plan;
}

Result<std::filesystem::path> ready_ncu(const std::vector<CapabilityFinding>& findings) {
    auto ncu = installed_ncu();
    if (!ncu) return ncu;
    if (auto refused = refuse_by_findings(findings, false); !refused) return tl::unexpected(refused.error());
    const auto counters = std::ranges::find(findings, "counters", &CapabilityFinding::subject);
    if (counters != findings.end() && counters->readiness == Readiness::missing)
        return unexpected(ErrorCode::not_profiled, counters->what, "", counters->hint);
    return ncu;
}

Result<LaunchPlan> prepare_ncu(const ProfileRequest& request, bool despite_findings) {
    if (auto refused = refuse_patterns(request.measuring.filter); !refused)
        return tl::unexpected(refused.error());
    const auto ncu = despite_findings ? installed_ncu() : ready_ncu(findings_here());
    if (!ncu) return tl::unexpected(ncu.error());
    return plan_ncu(request, *ncu, environment_here());
}

std::optional<ReportTimes> reports_of(const std::string& output) {
    std::filesystem::path report = output;
    if (!output.ends_with(report_suffix)) report += report_suffix;
    const std::filesystem::path folder = std::filesystem::absolute(report).parent_path();
    if (folder.string().find('%') != std::string::npos) return std::nullopt;
    const std::string name = report.filename().string();
    const std::size_t pattern = name.find('%');
    ReportTimes reports;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
        const std::string found = entry.path().filename().string();
        const bool named = pattern == std::string::npos
                               ? found == name
                               : found.ends_with(report_suffix) && found.starts_with(name.substr(0, pattern));
        if (named && entry.is_regular_file(failed))
            reports[report.replace_filename(found)] = entry.last_write_time(failed);
    }
    return reports;
}

std::optional<std::filesystem::path> written_report(const std::string& output, const ReportTimes& before) {
    for (const auto& [report, time] : reports_of(output).value_or(ReportTimes{})) {
        const auto earlier = before.find(report);
        if (earlier == before.end() || earlier->second != time) return report;
    }
    return std::nullopt;
}

void NcuLog::add(ChildStream stream, std::string_view text) {
    std::string& line = lines_[static_cast<std::size_t>(stream)];
    while (!text.empty()) {
        const auto end = text.find('\n');
        line += text.substr(0, end);
        if (line.size() > longest_line) line.erase(0, line.size() - longest_line);
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
        take_line(line);
        line.clear();
    }
}

void NcuLog::take_line(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (const auto report = behind(line, "==PROF== Report: ")) report_ = *report;
    if (behind(line, "==PROF== Connected to process ")) ++processes_;
    // A launch that was broken off has no count of passes at the end of its line.
    if (behind(line, "==PROF== Profiling ") && (line.ends_with(" passes") || line.ends_with(" pass")))
        ++launches_;
    for (const std::string_view mark : {"==ERROR== ", "==WARNING== "})
        if (const auto words = behind(line, mark)) add_problem(*words);
}

void NcuLog::add_problem(std::string_view words) {
    Error problem{ErrorCode::not_profiled, clean_utf8(words), "ncu", {}};
    if (problems_.size() < most_problems && std::ranges::find(problems_, problem) == problems_.end())
        problems_.push_back(std::move(problem));
}

Result<std::unique_ptr<NcuSession>> NcuSession::start(const LaunchPlan& plan, const NcuLimits& limits) {
    auto child = ChildProcess::start(plan, ChildProcess::Streams::surviving);
    if (!child) return tl::unexpected(child.error());
    return std::unique_ptr<NcuSession>(new NcuSession(*std::move(child), limits));
}

NcuSession::NcuSession(ChildProcess child, const NcuLimits& limits)
    : child_(std::move(child)), limits_(limits) {
    status_.phase = RecordingPhase::running;
    status_.sentence = "Nsight Compute records. Its report opens when the program has ended.";
}

void NcuSession::step(std::chrono::milliseconds limit, const OnChildText& on_text) {
    if (over()) return;
    const OnChildText take = [&](ChildStream stream, std::string_view text) {
        log_.add(stream, text);
        if (on_text) on_text(stream, text);
    };
    auto end = child_.wait(limit, take);
    const bool too_late =
        stopped_ && Clock::now() - *stopped_ > (cancelled_ ? limits_.cancel : limits_.drain);
    if (!end && too_late) end = child_.stop(limits_.grace, take);
    if (end) finish(*end);
}

void NcuSession::stop() {
    if (over() || stopped_) return;
    stopped_ = Clock::now();
    status_.phase = RecordingPhase::draining;
    status_.sentence = "Nsight Compute ends the program and writes its report.";
    child_.pass_on(SIGINT);
}

void NcuSession::cancel() {
    stop();
    if (over() || std::exchange(cancelled_, true)) return;
    stopped_ = Clock::now();  // its limit begins now, however long ago the stop was
}

void NcuSession::finish(const ChildEnd& end) {
    std::error_code failed;
    if (!log_.report().empty() && std::filesystem::is_regular_file(log_.report(), failed)) {
        status_.phase = RecordingPhase::ended;
        status_.files = {std::filesystem::absolute(log_.report()).string()};
        status_.sentence =
            stopped_ ? "The recording was stopped." : fmt::format("Nsight Compute {}.", words_for(end));
        return;
    }
    status_.phase = RecordingPhase::failed;
    if (stopped_) {
        status_.sentence = "The recording was stopped before Nsight Compute wrote a report.";
        return;
    }
    const std::vector<Error>& problems = log_.problems();
    status_.sentence = fmt::format("Nsight Compute {} and wrote no report{}", words_for(end),
                                   problems.empty() ? "." : ": " + problems.back().what);
    status_.hint = "All that it said stands in the output of the program.";
}

RecordingStatus NcuSession::status() const {
    RecordingStatus status = status_;
    status.elapsed = Seconds(std::chrono::duration<double>(Clock::now() - start_).count());
    status.processes = log_.processes();
    status.counts.seen = status.counts.recorded = log_.launches();
    status.problems = log_.problems();
    return status;
}

}  // namespace roofwalk
