// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ceiling_benchmark.h"

#include <unistd.h>

#include <utility>

#include "core/base/text.h"
#include "profiler/benchmarks/kernel_shapes.h"
#include "profiler/recording/child_process.h"
#include "profiler/recording/prepare_session.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

static_assert(ceilings::benchmark_version == current_benchmarks,
              "what the benchmarks say of themselves decides what is stale");

constexpr std::chrono::milliseconds benchmark_turn{100};
/// The kernel that runs ends before the benchmarks do.
constexpr std::chrono::milliseconds benchmark_grace{3'000};
/// A line is a few hundred bytes; a program that is none of ours may write without end.
constexpr std::size_t longest_json_line = 1U << 20U;

Error not_installed(const fs::path& program) {
    return {
        ErrorCode::not_profiled, "The benchmarks that measure a GPU are not installed",
        program.empty() ? "roofwalk-ceilings" : program.string(),
        "They are built where nvcc of CUDA 12.8 or later is found; install the package roofwalk-ceilings, or build "
        "with CUDA."};
}

/// The lines of a program, whatever pieces its text comes in.
class Lines {
  public:
    template <class Take>
    void add(std::string_view text, Take take) {
        rest_.append(text);
        std::size_t start = 0;
        for (std::size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n', start)) {
            take(std::string_view(rest_).substr(start, end - start));
            start = end + 1;
        }
        rest_.erase(0, start);
        if (rest_.size() > longest_json_line) rest_.clear();
    }

  private:
    std::string rest_;
};

Result<ChildProcess> start(const fs::path& program, std::vector<std::string> arguments) {
    std::error_code ignored;
    if (!fs::is_regular_file(program, ignored)) return tl::unexpected(not_installed(program));
    LaunchPlan plan;
    plan.program = fs::absolute(program);
    plan.arguments = std::move(arguments);
    plan.arguments.insert(plan.arguments.begin(), program.string());
    plan.environment = environment_here();
    return ChildProcess::start(plan, ChildProcess::Streams::piped);
}

/// Some hundred lines are all that the benchmarks tell.
constexpr std::size_t most_records = 10'000;
constexpr std::size_t most_words = 300;

/// What a run of the benchmarks left beside its records.
struct BenchmarkOutput {
    std::size_t records = 0;
    std::optional<Error> not_understood;  ///< the first line that could not be read
    std::string last_words;               ///< on standard error, the end of them
};

using OnRecord = std::function<void(const CeilingBenchmarkRecord& record)>;

void take_line(std::string_view line, BenchmarkOutput& told, const OnRecord& on_record) {
    if (line.empty()) return;
    auto record = ++told.records > most_records
                      ? unexpected(ErrorCode::too_large, "The benchmarks tell more than there is to measure",
                                   "roofwalk-ceilings", "Install roofwalk-ceilings again.")
                      : read_ceiling_benchmark_record(line);
    if (record)
        on_record(*record);
    else if (!told.not_understood)
        told.not_understood = record.error();
}

void take_words(std::string_view words, std::string& last_words) {
    last_words.append(words);
    if (last_words.size() > most_words) last_words.erase(0, last_words.size() - most_words);
}

/// Where the driver is what is missing, in the words of `check` and `profile`.
Error problem_of(const CeilingBenchmarkProblem& told) {
    if (told.code == "no_driver")
        if (const auto refused = refuse_by_findings(findings_here(), false); !refused) return refused.error();
    return told.error;
}

/// The sentence for a run that ended without saying why.
Error silent_end(const std::optional<ChildEnd>& end, const BenchmarkOutput& told) {
    if (told.not_understood) return *told.not_understood;
    const std::string& words = told.last_words;
    return {ErrorCode::not_profiled,
            "The benchmarks ended without a result: the program " +
                (end ? words_for(*end) : std::string("does not answer")),
            "roofwalk-ceilings",
            words.empty() ? std::string("nvidia-smi tells what is found of the driver.") : clean_utf8(words)};
}

std::optional<ChildEnd> follow(ChildProcess& child, std::chrono::milliseconds silence_limit,
                               const std::stop_token& stop, BenchmarkOutput& told,
                               const OnRecord& on_record) {
    Lines lines;
    auto last_word = Clock::now();
    const auto on_text = [&](ChildStream stream, std::string_view text) {
        last_word = Clock::now();
        if (stream == ChildStream::error)
            take_words(text, told.last_words);
        else
            lines.add(text, [&](std::string_view line) { take_line(line, told, on_record); });
    };
    while (true) {
        if (const auto end = child.wait(benchmark_turn, on_text)) return end;
        const bool hangs = Clock::now() - last_word > silence_limit;
        if (!stop.stop_requested() && !hangs && told.records <= most_records) continue;
        const ChildEnd stopped = child.stop(benchmark_grace, on_text);
        return hangs ? std::nullopt : std::optional(stopped);
    }
}

}  // namespace

Result<MeasuredCeilings> measure_ceilings(const CeilingBenchmarkRequest& request, const std::stop_token& stop,
                                          const OnCeilingBenchmark& on_measuring) {
    std::vector<std::string> arguments;
    if (!request.device.empty()) arguments = {"--device", request.device};
    const fs::path program = request.program.empty() ? installed("roofwalk-ceilings") : request.program;
    auto child = start(program, std::move(arguments));
    if (!child) return tl::unexpected(child.error());
    BenchmarkOutput told;
    MeasuredCeilings measured;
    measured.date = request.date;
    const auto end =
        follow(*child, request.silence_limit, stop, told, [&](const CeilingBenchmarkRecord& record) {
            if (const auto* problem = std::get_if<CeilingBenchmarkProblem>(&record))
                measured.problems.push_back(problem_of(*problem));
            else
                add_record(record, measured);
            if (const auto* progress = std::get_if<CeilingBenchmarkProgress>(&record);
                progress != nullptr && on_measuring)
                on_measuring(*progress, measured);
        });
    if (!measured.rates.empty()) {
        if (!stop.stop_requested() && (!end || end->signal))
            measured.problems.push_back(silent_end(end, told));
        if (told.not_understood) measured.problems.push_back(*told.not_understood);
        return measured;
    }
    if (stop.stop_requested())
        return unexpected(ErrorCode::cancelled, "Cancelled before anything was measured");
    if (!measured.problems.empty()) return tl::unexpected(measured.problems.back());
    return tl::unexpected(silent_end(end, told));
}

Result<std::vector<ListedGpu>> list_gpus(const fs::path& program, const std::stop_token& stop) {
    auto child = start(program.empty() ? installed("roofwalk-ceilings") : program, {"--list"});
    if (!child) return tl::unexpected(child.error());
    BenchmarkOutput told;
    std::vector<ListedGpu> gpus;
    std::optional<Error> problem;
    constexpr std::chrono::milliseconds silence_limit{30'000};
    const auto end = follow(*child, silence_limit, stop, told, [&](const CeilingBenchmarkRecord& record) {
        if (const auto* gpu = std::get_if<ListedGpu>(&record)) gpus.push_back(*gpu);
        if (const auto* told_problem = std::get_if<CeilingBenchmarkProblem>(&record))
            problem = problem_of(*told_problem);
    });
    if (!gpus.empty()) return gpus;
    if (stop.stop_requested()) return unexpected(ErrorCode::cancelled, "Cancelled before a GPU was found");
    return tl::unexpected(problem ? *problem : silent_end(end, told));
}

}  // namespace roofwalk
