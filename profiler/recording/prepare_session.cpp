// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/prepare_session.h"
#include "core/devices/match_device.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <regex.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "profiler/plan/cupti_trial.h"
#include "profiler/plan/pass_count.h"
#include "profiler/recording/machine.h"
#include "profiler/recording/processes.h"
#include "profiler/wire/posix_expression.h"

namespace roofwalk {

namespace {

constexpr std::uint64_t example_launches = 1000;  // launches

constexpr const char* of_every_chip =
    "Passes of counters: 1 for time and bytes since GA100 (A100), 2 before; 1 for FLOP; the sum for a launch that is replayed. For tensor types 1 on "
    "GH100 (H100) of wgmma, in the replay too, and 3 of mma.sync, up to 4 elsewhere.";

constexpr const char* of_short_kernels =
    "A measured launch waits until what was launched before it in its context has ended. It then runs alone, once "
    "for each pass, with CUPTI's preparation before it. The shorter the kernels, and the more of them run side by "
    "side, the more the program slows down.";

/// Null where the model is not in our table, or its chip has no plans.
const Chip* chip_of_model(const std::string& gpu) {
    const Device* device = find_known_device(gpu);
    return device == nullptr ? nullptr : find_chip(device->chip);
}

std::string spoken_count(std::uint64_t number) {
    return format_count(static_cast<double>(number));
}

std::string example_words(const ChipPasses& passes, bool every, ReplayPolicy replay) {
    const SamplingCost cost = cost_of_sampling(passes, example_launches, every, replay);
    std::string words =
        every ? fmt::format("All {} launches of a kernel are measured", spoken_count(cost.launches))
              : fmt::format("Of {} launches of a kernel with one geometry {} are measured",
                            spoken_count(cost.launches), spoken_count(cost.measured));
    words += fmt::format(", in {} runs", spoken_count(cost.executions));
    if (cost.measured < cost.launches)
        words +=
            fmt::format("; {} run as they would without us", spoken_count(cost.launches - cost.measured));
    return words +
           (replay == ReplayPolicy::never
                ? ". FLOP take at least two launches of a kernel, tensor types three."
            : passes.replay_has_types
                ? ". Tensor types take at least one launch of a kernel, three where none is replayed."
                : ". Tensor types take at least two launches of a kernel, three where none is replayed.");
}

constexpr std::array by_replay{ReplayPolicy::never, ReplayPolicy::once, ReplayPolicy::always};

/// What `host` counts of chips, each with a GPU that has it: the texts of the costs in their order.
CuptiAnswer texts_of_cost(const std::vector<std::pair<std::string, const Chip*>>& chips,
                          const CuptiHost& host) {
    CostByReplay costs;
    for (const auto& [gpu, chip] : chips) {
        const auto passes = count_passes(host, *chip);
        if (!passes) continue;
        const std::string heading = fmt::format("{} ({}): {}.", gpu, chip->name, words_for(*passes));
        for (const ReplayPolicy replay : by_replay) {
            RecordingCost& cost = costs[replay];
            cost.sampled += fmt::format("{} {} ", heading, example_words(*passes, false, replay));
            cost.every += fmt::format("{} {} ", heading, example_words(*passes, true, replay));
        }
    }
    CuptiAnswer texts;
    for (const RecordingCost& cost : costs)
        texts.insert(texts.end(), {cost.sampled, cost.every});
    return texts;
}

/// What a launch that is replayed costs beside its passes.
std::string_view words_for(ReplayPolicy replay) {
    switch (replay) {
        case ReplayPolicy::never:
            return "A kernel that is launched once has no FLOP.";
        case ReplayPolicy::once:
            return "The first launch of a kernel and geometry is replayed, below 16 GiB of memory in use on its GPU "
                   "with as much free. That memory is saved and restored between the passes.";
        case ReplayPolicy::always:
            return "Each measured launch is replayed: memory in use is saved and restored between the passes, which "
                   "takes the longer the more there is.";
    }
    return {};
}

namespace fs = std::filesystem;

/// Absent where this user has no folder for such files.
std::optional<ConfigCache> cache_here() {
    const auto cache = xdg_folder("XDG_CACHE_HOME", ".cache");
    return cache ? std::optional(ConfigCache(*cache / "roofwalk")) : std::nullopt;
}

/// Of a program that cannot be started nothing is known, which is said later.
fs::path python_that_runs(const ProfileRequest& request, const std::vector<std::string>& environment) {
    if (request.attach_to) return python_of_process(static_cast<pid_t>(*request.attach_to));
    const auto plan = plan_program(request.launch, environment);
    if (!plan) return {};
    return python_of(plan->program, std::string(value_in(plan->environment, "PATH").value_or("")));
}

/// The library to count with: one that plans where counters are wanted, else the first that works with the
/// driver.
CuptiChoice cupti_for(const ProfileRequest& request, const fs::path& named,
                      const std::vector<std::string>& environment, const std::stop_token& stop) {
    const auto libraries = named.empty() ? find_cupti_here(python_that_runs(request, environment))
                                         : std::vector{fs::absolute(named)};
    const std::optional<int> driver = cuda_version_of_driver();
    if (request.measuring.counters) return choose_cupti(libraries, {.driver_cuda = driver, .stop = stop});
    CuptiChoice choice;
    for (const fs::path& library : libraries)
        if (choice.library.empty() && !needs_newer_driver(library, driver)) choice.library = library;
    return choice;
}

const CapabilityFinding* find(const std::vector<CapabilityFinding>& findings, std::string_view subject) {
    const auto found = std::ranges::find(findings, subject, &CapabilityFinding::subject);
    return found == findings.end() ? nullptr : &*found;
}

/// The option by which a Python reads no PYTHONPATH, or runs no sitecustomize; empty where it has none.
std::string_view option_against_ranges(const std::vector<std::string>& command) {
    auto word = std::ranges::find_if(command, is_python);
    if (word == command.end()) return {};
    for (++word; word != command.end() && word->starts_with('-'); ++word)
        for (const char option : word->starts_with("--") ? std::string_view() : std::string_view(*word)) {
            if (option == 'S' || option == 'E' || option == 'I') return *word;
            if (option == 'c' || option == 'm') return {};
            const bool takes_next = (option == 'X' || option == 'W') && word->back() == option;
            if (takes_next && std::next(word) != command.end()) ++word;
            if (option == 'X' || option == 'W') break;
        }
    return {};
}

}  // namespace

CostByReplay recording_cost(const std::vector<std::string>& gpus, const std::filesystem::path& cupti,
                            const std::stop_token& stop) {
    std::vector<std::pair<std::string, const Chip*>> chips;
    for (const std::string& gpu : gpus) {
        const Chip* chip = chip_of_model(gpu);
        if (chip != nullptr &&
            std::ranges::find(chips, chip, &std::pair<std::string, const Chip*>::second) == chips.end())
            chips.emplace_back(gpu, chip);
    }
    CuptiAnswer texts;
    if (!chips.empty() && !cupti.empty())
        texts = ask_cupti(
                    cupti,
                    [&](const CuptiHost& host) -> Result<CuptiAnswer> { return texts_of_cost(chips, host); },
                    cupti_patience, stop)
                    .value_or(CuptiAnswer());
    CostByReplay costs;
    texts.resize(2 * CostByReplay::size());
    auto text = texts.cbegin();
    for (const ReplayPolicy replay : by_replay)
        for (std::string* const words : {&costs[replay].sampled, &costs[replay].every}) {
            const std::string counted = text->empty() ? std::string(of_every_chip) + " " : *text;
            *words = fmt::format("{}{} {}", counted, words_for(replay), of_short_kernels);
            ++text;
        }
    return costs;
}

fs::path installed(std::string_view name) {
    std::error_code failed;
    const fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const fs::path& candidate : {folder / "../lib/roofwalk", folder / "../lib64/roofwalk",
                                      folder / "../" ROOFWALK_LIBDIR "/roofwalk", folder,
                                      folder / "../profiler/agent", folder / "../profiler/benchmarks"}) {
        const fs::path file = candidate / name;
        if (!failed && fs::is_regular_file(file, failed)) return fs::weakly_canonical(file, failed);
        failed.clear();
    }
    return {};
}

fs::path installed_agent() {
    return installed("libroofwalk_agent.so");
}

Result<PytorchRanges> switch_pytorch_ranges_on(ProgramStart& launch) {
    const fs::path start = installed("pytorch/sitecustomize.py");
    if (start.empty())
        return unexpected(ErrorCode::not_profiled, "What switches PyTorch's ranges on is not installed",
                          "pytorch/sitecustomize.py", "Install roofwalk-cli whole.");
    const char* inherited = std::getenv("PYTHONPATH");
    std::string path = inherited == nullptr ? "" : inherited;
    for (const auto& [name, value] : launch.environment)
        if (name == "PYTHONPATH") path = value;
    path.insert(0, start.parent_path().string() + (path.empty() ? "" : ":"));
    launch.environment.emplace_back("PYTHONPATH", path);
    PytorchRanges ranges{std::move(path), {}};
    if (const std::string_view option = option_against_ranges(launch.command); !option.empty())
        ranges.kept_off =
            Error{ErrorCode::not_profiled,
                  fmt::format("PyTorch writes no ranges: with {} Python does not run what switches them on",
                              option),
                  "", fmt::format("Leave {} out.", option)};
    return ranges;
}

std::string how_to_get_agent() {
    return built_with_cupti()
               ? "Install roofwalk-cli whole, or name the agent with --agent."
               : "This roofwalk-cli was built without CUPTI's headers, and has none. Take the folder that "
                 "`packaging/node` makes where they are, or build it with CUDA_HOME set to CUDA 13.0 or later.";
}

Result<void> refuse_missing_agent(const fs::path& agent) {
    std::error_code ignored;
    if (fs::is_regular_file(agent, ignored)) return {};
    return unexpected(ErrorCode::not_profiled, "The agent that records kernels is not installed",
                      agent.empty() ? "libroofwalk_agent.so" : agent.string(), how_to_get_agent());
}

Result<void> refuse_patterns(const LaunchFilter& filter) {
    constexpr std::size_t longest = 1000;
    const auto bad = [](const std::string& pattern, std::string hint) {
        return unexpected(ErrorCode::bad_argument, "The pattern of names cannot be used",
                          shortened_word(pattern), std::move(hint));
    };
    for (const auto* patterns : {&filter.kernels, &filter.except, &filter.nvtx_ranges})
        for (const std::string& pattern : *patterns) {
            if (pattern.size() > longest)
                return bad(pattern, fmt::format("It has more than {} letters.", longest));
            const re2::RE2 expression(pattern, re2::RE2::Quiet);
            if (!expression.ok()) return bad(pattern, expression.error() + ".");
            // The agent has the same library.
            const auto posix = wire::posix_expression(pattern);
            regex_t compiled{};
            if (!posix || regcomp(&compiled, posix->c_str(), REG_EXTENDED | REG_NOSUB) != 0)
                return bad(
                    pattern,
                    "Leave out flags but (?i) at its beginning, and escapes but of \\b, \\d, \\w, \\s and signs.");
            regfree(&compiled);
        }
    return {};
}

std::vector<CapabilityFinding> findings_here(const CuptiChoice& cupti) {
    const char* path = std::getenv("PATH");
    return check_capabilities(
        read_machine(), {cuda_version_of_driver(), find_nsight_compute(path == nullptr ? "" : path), cupti});
}

Result<void> refuse_by_findings(const std::vector<CapabilityFinding>& findings, bool counters) {
    for (const std::string_view subject : {"driver", "GPU"})
        if (const CapabilityFinding* finding = find(findings, subject);
            finding != nullptr && finding->readiness == Readiness::missing)
            return unexpected(ErrorCode::not_profiled, finding->what, "", finding->hint);
    const CapabilityFinding* permission = find(findings, "counters");
    if (counters && permission != nullptr && permission->readiness == Readiness::missing)
        return unexpected(
            ErrorCode::not_profiled, permission->what, "",
            permission->hint + " With --timing kernels are recorded without counters: time only.");
    return {};
}

Result<void> refuse_agent_by_findings(const std::vector<CapabilityFinding>& findings, bool counters) {
    if (auto refused = refuse_by_findings(findings, counters); !refused) return refused;
    const CapabilityFinding* cupti = find(findings, "CUPTI");
    if (cupti == nullptr || cupti->readiness != Readiness::missing) return {};
    return unexpected(ErrorCode::not_profiled, cupti->what, "", cupti->hint);
}

Result<RecordingSetup> prepare_session(const ProfileRequest& request, const RecordingOptions& choices,
                                       std::string tool, const RecordingLog& log,
                                       const std::stop_token& stop) {
    if (auto refused = refuse_patterns(request.measuring.filter); !refused)
        return tl::unexpected(refused.error());
    if (request.attach_to)
        if (auto refused = refuse_other_owner(static_cast<pid_t>(*request.attach_to)); !refused)
            return tl::unexpected(refused.error());
    RecordingSetup parts;
    parts.tool = std::move(tool);
    // An agent that was loaded a moment ago loads CUPTI before it answers.
    if (request.inject) parts.limits.answer = std::chrono::seconds(30);
    parts.environment = environment_here();
    parts.agent = choices.agent.empty() ? installed_agent() : fs::absolute(choices.agent);
    if (!request.attach_to)
        if (auto missing = refuse_missing_agent(parts.agent); !missing)
            return tl::unexpected(missing.error());
    const CuptiChoice cupti = cupti_for(request, choices.cupti, parts.environment, stop);
    if (stop.stop_requested())
        return unexpected(ErrorCode::cancelled, "The recording was cancelled before it began");
    const std::vector<CapabilityFinding> findings = findings_here(cupti);
    for (const CapabilityFinding& finding : findings)
        log.info(fmt::format("{}: {}, {}", finding.subject, word_for(finding.readiness), finding.what));
    if (!choices.despite_findings)
        if (auto refused = refuse_agent_by_findings(findings, request.measuring.counters); !refused)
            return tl::unexpected(refused.error());
    for (const std::string_view subject : {"chip", "vGPU", "MPS", "MIG"})
        for (const CapabilityFinding& finding : findings)
            if (finding.subject == subject && finding.readiness != Readiness::ready)
                parts.warnings.push_back({ErrorCode::not_profiled, finding.what, "", finding.hint});
    parts.cupti = cupti.library;
    log.info(fmt::format("agent {}", parts.agent.empty() ? "none" : parts.agent.string()));
    log.info(fmt::format("CUPTI {}", parts.cupti.empty() ? "none" : parts.cupti.string()));
    parts.log = log;
    if (!request.measuring.counters) return parts;
    if (parts.cupti.empty()) {
        Error error = why_no_cupti(cupti);
        error.code = ErrorCode::not_profiled;
        return tl::unexpected(std::move(error));
    }
    for (const Error& other : cupti.passed_over)
        if (!needs_newer_driver(other.where, cuda_version_of_driver()))
            parts.warnings.push_back({ErrorCode::not_profiled,
                                      fmt::format("{}; {} (CUDA {}) plans instead", other.what,
                                                  parts.cupti.string(), words_for_cupti(cupti.version)),
                                      other.where, other.hint});
    parts.planner = std::make_unique<CuptiPlanner>(parts.cupti, cupti.version, cache_here());
    return parts;
}

}  // namespace roofwalk
