// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/prepare_session.h"
#include "core/devices/match_device.h"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "profiler/plan/cupti_host.h"
#include "profiler/plan/sampling_cost.h"
#include "profiler/recording/machine.h"
#include "profiler/recording/processes.h"

namespace roofwalk {

namespace {

constexpr std::uint64_t example_launches = 1000;  // launches

constexpr const char* of_every_chip =
    "Passes of counters: 1 for time and bytes since GA100 (A100), 2 before; 1 for FLOP; for tensor types 1 on "
    "GH100 (H100) of wgmma and 3 of mma.sync, up to 4 elsewhere.";

constexpr const char* of_short_kernels =
    "A measured launch runs alone on its GPU, once for each pass, with CUPTI's preparation before it: the shorter "
    "the kernels, the more the program slows down.";

/// Null where the model is not in our table, or its chip has no plans.
const Chip* chip_of_model(const std::string& gpu) {
    const Device* device = find_known_device(gpu);
    return device == nullptr ? nullptr : find_chip(device->chip);
}

std::string spoken_count(std::uint64_t number) {
    return format_count(static_cast<double>(number));
}

std::string example_words(const ChipPasses& passes, bool every) {
    const SamplingCost cost = cost_of_sampling(passes, example_launches, every);
    std::string words =
        every ? fmt::format("All {} launches of a kernel are measured", spoken_count(cost.launches))
              : fmt::format("Of {} launches of a kernel with one geometry {} are measured",
                            spoken_count(cost.launches), spoken_count(cost.measured));
    words += fmt::format(", in {} runs", spoken_count(cost.executions));
    if (cost.measured < cost.launches)
        words +=
            fmt::format("; {} run as they would without us", spoken_count(cost.launches - cost.measured));
    return words + ".";
}

}  // namespace

RecordingCost recording_cost(const std::vector<std::string>& gpus,
                             const std::optional<std::filesystem::path>& cupti) {
    RecordingCost cost;
    const auto add = [&](const std::string& sampled, const std::string& every) {
        for (const auto& [text, sentence] : {std::pair(&cost.sampled, &sampled), {&cost.every, &every}})
            *text += (text->empty() ? "" : " ") + *sentence;
    };
    std::optional<CuptiHost> host;
    std::vector<const Chip*> told;
    for (const std::string& gpu : gpus) {
        const Chip* chip = chip_of_model(gpu);
        if (chip == nullptr || !cupti || std::ranges::find(told, chip) != told.end()) continue;
        told.push_back(chip);
        if (!host)
            if (auto loaded = CuptiHost::load(*cupti)) host.emplace(*std::move(loaded));
        if (!host) break;
        const auto passes = count_passes(*host, *chip);
        if (!passes) continue;
        const std::string heading = fmt::format("{} ({}): {}.", gpu, chip->name, words_for(*passes));
        add(fmt::format("{} {}", heading, example_words(*passes, false)),
            fmt::format("{} {}", heading, example_words(*passes, true)));
    }
    if (cost.sampled.empty()) add(of_every_chip, of_every_chip);
    add(of_short_kernels, of_short_kernels);
    return cost;
}

namespace {

namespace fs = std::filesystem;

/// Absent where this user has no folder for such files.
std::optional<ConfigCache> cache_here() {
    const auto cache = xdg_folder("XDG_CACHE_HOME", ".cache");
    return cache ? std::optional(ConfigCache(*cache / "roofwalk")) : std::nullopt;
}

Error missing_cupti() {
    return {ErrorCode::not_profiled, "libcupti.so.13 with libnvperf_host.so was not found", "",
            "Install the CUDA toolkit 13.0 or later, set CUDA_HOME to its folder, or name the library with "
            "--cupti."};
}

const CapabilityFinding* find(const std::vector<CapabilityFinding>& findings, std::string_view subject) {
    const auto found = std::ranges::find(findings, subject, &CapabilityFinding::subject);
    return found == findings.end() ? nullptr : &*found;
}

}  // namespace

fs::path installed_agent() {
    std::error_code failed;
    const fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const fs::path& candidate :
         {folder / "../lib/roofwalk", folder / "../lib64/roofwalk",
          folder / "../" ROOFWALK_LIBDIR "/roofwalk", folder, folder / "../profiler/agent"}) {
        const fs::path library = candidate / "libroofwalk_agent.so";
        if (!failed && fs::is_regular_file(library, failed)) return fs::weakly_canonical(library, failed);
        failed.clear();
    }
    return {};
}

Result<void> refuse_missing_agent(const fs::path& agent) {
    std::error_code ignored;
    if (fs::is_regular_file(agent, ignored)) return {};
    return tl::unexpected(Error{ErrorCode::not_profiled, "The agent that records kernels is not installed",
                                agent.empty() ? "libroofwalk_agent.so" : agent.string(),
                                "Install roofwalk-cli whole, or name the agent with --agent."});
}

std::vector<CapabilityFinding> findings_here() {
    const Machine machine = read_machine();
    const char* path = std::getenv("PATH");
    NvidiaSoftware software{
        cuda_version_of_driver(), find_nsight_compute(path == nullptr ? "" : path), find_cupti_here(), {}};
    // CUPTI takes its time to be loaded: it is asked where our table does not tell.
    const bool all_known = std::ranges::all_of(
        machine.gpus, [](const std::string& gpu) { return find_known_device(gpu) != nullptr; });
    if (!all_known && software.cupti)
        if (const auto host = CuptiHost::load(*software.cupti))
            software.chips = host->chips().value_or(std::vector<std::string>());
    return check_capabilities(machine, software);
}

Result<void> refuse_by_findings(const std::vector<CapabilityFinding>& findings, bool counters) {
    for (const std::string_view subject : {"driver", "GPU"})
        if (const CapabilityFinding* finding = find(findings, subject);
            finding != nullptr && finding->readiness == Readiness::missing)
            return tl::unexpected(Error{ErrorCode::not_profiled, finding->what, "", finding->hint});
    const CapabilityFinding* permission = find(findings, "counters");
    if (counters && permission != nullptr && permission->readiness == Readiness::missing)
        return tl::unexpected(
            Error{ErrorCode::not_profiled, permission->what, "",
                  permission->hint + " With --timing kernels are recorded without counters: time only."});
    return {};
}

Result<void> refuse_agent_by_findings(const std::vector<CapabilityFinding>& findings, bool counters) {
    if (auto refused = refuse_by_findings(findings, counters); !refused) return refused;
    const CapabilityFinding* cupti = find(findings, "CUPTI");
    if (cupti == nullptr || cupti->readiness != Readiness::missing) return {};
    return tl::unexpected(Error{ErrorCode::not_profiled, cupti->what, "", cupti->hint});
}

Result<RecordingSetup> prepare_session(const ProfileRequest& request, const RecordingOptions& choices,
                                       std::string tool, const RecordingLog& log) {
    if (request.attach_to)
        if (auto refused = refuse_other_owner(static_cast<pid_t>(*request.attach_to)); !refused)
            return tl::unexpected(refused.error());
    RecordingSetup parts;
    parts.tool = std::move(tool);
    parts.environment = environment_here();
    parts.agent = choices.agent.empty() ? installed_agent() : fs::absolute(choices.agent);
    if (!request.attach_to)
        if (auto missing = refuse_missing_agent(parts.agent); !missing)
            return tl::unexpected(missing.error());
    const std::vector<CapabilityFinding> findings = findings_here();
    for (const CapabilityFinding& finding : findings)
        log.info(fmt::format("{}: {}, {}", finding.subject, word_for(finding.readiness), finding.what));
    if (!choices.despite_findings)
        if (auto refused = refuse_agent_by_findings(findings, request.measuring.counters); !refused)
            return tl::unexpected(refused.error());
    for (const std::string_view subject : {"chip", "vGPU", "MPS", "MIG"})
        for (const CapabilityFinding& finding : findings)
            if (finding.subject == subject && finding.readiness != Readiness::ready)
                parts.warnings.push_back({ErrorCode::not_profiled, finding.what, "", finding.hint});
    parts.cupti =
        choices.cupti.empty() ? find_cupti_here().value_or(fs::path()) : fs::absolute(choices.cupti);
    log.info(fmt::format("agent {}", parts.agent.empty() ? "none" : parts.agent.string()));
    log.info(fmt::format("CUPTI {}", parts.cupti.empty() ? "none" : parts.cupti.string()));
    parts.log = log;
    if (!request.measuring.counters) return parts;
    if (parts.cupti.empty()) return tl::unexpected(missing_cupti());
    auto host = CuptiHost::load(parts.cupti);
    if (!host) {
        Error error = host.error();
        error.code = ErrorCode::not_profiled;
        return tl::unexpected(std::move(error));
    }
    parts.planner = std::make_unique<CuptiPlanner>(*std::move(host), cache_here());
    return parts;
}

}  // namespace roofwalk
