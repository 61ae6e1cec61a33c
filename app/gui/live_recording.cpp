// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/live_recording.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "profiler/session/gpu_processes.h"
#include "profiler/session/live_source.h"

namespace roofwalk {

namespace {

constexpr const char* cost_of_counters =
    "Each launch that is measured runs in one pass of counters (two before GA100), alone on its GPU; bytes, "
    "FLOP "
    "and tensor types take launches of their own, and what repeats is sampled. How much slower the program "
    "gets "
    "depends on how short its kernels are.";

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (const std::string& part : parts)
        text.append(text.empty() ? "" : separator).append(part);
    return text;
}

RunningProgram running_program(const GpuProcess& process, uid_t user) {
    RunningProgram program;
    program.process = static_cast<std::uint32_t>(process.process);
    program.name = process.name;
    program.command = joined(process.command, " ");
    program.again.command = process.command;
    program.again.directory = process.directory;
    if (!process.agent_waits)
        program.obstacle =
            Error{ErrorCode::not_profiled, joined(why_not_attached(process, user), " "), {}, {}};
    return program;
}

RecordingOffer look() {
    const std::vector<CapabilityFinding> findings = findings_here();
    const auto error_of = [](const Result<void>& refused) {
        return refused ? std::optional<Error>() : std::optional(refused.error());
    };
    RecordingOffer offer;
    offer.obstacle = error_of(refuse_by_findings(findings, false));
    if (!offer.obstacle && installed_agent().empty())
        offer.obstacle = Error{ErrorCode::not_profiled, "The agent that records kernels is not installed",
                               "libroofwalk_agent.so", "Install roofwalk-cli whole."};
    if (!offer.obstacle) {
        const auto counters = std::ranges::find(findings, "counters", &CapabilityFinding::subject);
        if (counters != findings.end() && counters->readiness == Readiness::missing)
            offer.no_counters = Error{ErrorCode::not_profiled, counters->what, {}, counters->hint};
    }
    offer.cost = cost_of_counters;
    for (const GpuProcess& process : gpu_processes())
        if (process.process != ::getpid()) offer.programs.push_back(running_program(process, ::getuid()));
    return offer;
}

}  // namespace

RecordingBackend live_recording() {
    return {look, [](const ProfileRequest& request) {
                return start_live_source(request, {}, "Roofwalk " ROOFWALK_VERSION);
            }};
}

}  // namespace roofwalk
