// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/live_backends.h"

#include <unistd.h>

#include <QDateTime>
#include <algorithm>
#include <utility>

#include "profiler/recording/agent_injection.h"
#include "profiler/recording/capability_check.h"
#include "profiler/recording/ceiling_benchmark.h"
#include "profiler/recording/ceiling_store.h"
#include "profiler/recording/live_source.h"
#include "profiler/recording/machine.h"
#include "profiler/recording/ncu_session.h"
#include "profiler/recording/prepare_session.h"
#include "profiler/recording/processes.h"

namespace roofwalk {

namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (const std::string& part : parts)
        text.append(text.empty() ? "" : separator).append(part);
    return text;
}

RunningProgram running_program(const GpuProcess& process, const InjectionTools& tools, uid_t user) {
    RunningProgram program;
    program.process = static_cast<std::uint32_t>(process.process);
    program.name = process.name;
    program.command = joined(process.command, " ");
    const bool ours = process.one_user && process.user == user;
    // What another user started would run with our rights when we start it again.
    if (ours) {
        program.again.command = process.command;
        program.again.directory = process.directory;
    }
    if (process.agent_waits && ours) return program;
    program.obstacle = Error{ErrorCode::not_profiled, joined(why_not_attached(process, user), " "), {}, {}};
    if (const auto reasons = why_not_injected(process, tools, user); !reasons.empty())
        program.no_injection = Error{ErrorCode::not_profiled, joined(reasons, " "), {}, {}};
    return program;
}

RecordingOffer look_for_programs(const std::stop_token& stop) {
    const CuptiChoice cupti =
        choose_cupti(find_cupti_here(), {.driver_cuda = cuda_version_of_driver(), .stop = stop});
    const std::vector<CapabilityFinding> findings = findings_here(cupti);
    const auto error_of = [](const Result<void>& refused) {
        return refused ? std::optional<Error>() : std::optional(refused.error());
    };
    RecordingOffer offer;
    offer.obstacle = error_of(refuse_agent_by_findings(findings, false));
    if (!offer.obstacle) offer.obstacle = error_of(refuse_missing_agent(installed_agent()));
    if (!offer.obstacle) {
        const auto counters = std::ranges::find(findings, "counters", &CapabilityFinding::subject);
        if (counters != findings.end() && counters->readiness == Readiness::missing)
            offer.no_counters = Error{ErrorCode::not_profiled, counters->what, {}, counters->hint};
    }
    if (const auto ncu = ready_ncu(findings); !ncu) offer.no_ncu = ncu.error();
    offer.cost_of_ncu = ncu_passes;
    const Machine machine = read_machine();
    offer.cost = recording_cost(machine.gpus, cupti.library, stop);
    offer.cost_elsewhere = recording_cost({}, {}).front().sampled;
    const InjectionTools tools = injection_tools_here();
    for (const GpuProcess& process : gpu_processes())
        if (process.process != ::getpid())
            offer.programs.push_back(running_program(process, tools, ::geteuid()));
    return offer;
}

CeilingBenchmarkOffer look_for_gpus(const std::stop_token& stop) {
    CeilingBenchmarkOffer offer;
    if (auto refused = refuse_by_findings(findings_here(), false); !refused) {
        offer.obstacle = std::move(refused.error());
        offer.obstacle->hint = "Measured on another machine, its file can be imported here.";
        return offer;
    }
    auto gpus = list_gpus({}, stop);
    if (gpus)
        offer.gpus = *std::move(gpus);
    else
        offer.obstacle = std::move(gpus.error());
    return offer;
}

Result<MeasuredCeilings> measure(const std::string& uuid, const std::stop_token& stop,
                                 const OnCeilingBenchmarkProgress& on_progress) {
    CeilingBenchmarkRequest request;
    request.device = uuid;
    request.date = QDateTime::currentDateTimeUtc().date().toString(Qt::ISODate).toStdString();
    return measure_ceilings(
        request, stop,
        [&](const CeilingBenchmarkProgress& progress, const MeasuredCeilings&) { on_progress(progress); });
}

}  // namespace

RecordingBackend live_recording() {
    return {look_for_programs,
            [](ProfileRequest request,
               const std::stop_token& stop) -> Result<std::unique_ptr<LiveProfileSource>> {
                RecordingOptions choices;
                if (request.launch.pytorch_ranges && request.launch.through.empty()) {
                    const auto on = switch_pytorch_ranges_on(request.launch);
                    if (!on) return tl::unexpected(on.error());
                    if (on->kept_off) choices.warnings.push_back(*on->kept_off);
                }
                return start_live_source(request, choices, "Roofwalk " ROOFWALK_VERSION, stop);
            },
            [] { return try_injection(injection_tools_here(), installed_agent(), {}); }};
}

CeilingBenchmarkBackend live_ceiling_benchmark() {
    return {[] { return stored_ceilings(); }, look_for_gpus, measure,
            [](const MeasuredCeilings& measured) { return keep_ceilings(measured); }};
}

}  // namespace roofwalk
