// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/reporter.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "profiler/agent/clock.h"

namespace roofwalk::agent {

namespace {

constexpr std::array rank_variables{"OMPI_COMM_WORLD_RANK",
                                    "OMPI_COMM_WORLD_LOCAL_RANK",
                                    "OMPI_COMM_WORLD_SIZE",
                                    "PMIX_RANK",
                                    "PMI_RANK",
                                    "PMI_SIZE",
                                    "MV2_COMM_WORLD_RANK",
                                    "SLURM_PROCID",
                                    "SLURM_LOCALID",
                                    "SLURM_NTASKS",
                                    "SLURM_JOB_ID",
                                    "RANK",
                                    "LOCAL_RANK",
                                    "WORLD_SIZE",
                                    "GROUP_RANK"};

constexpr std::size_t most_bytes = 65536;

std::string content_of(const char* path) {
    std::string content(most_bytes, '\0');
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    std::size_t size = 0;
    while (file >= 0 && size < content.size()) {
        const auto taken = read(file, content.data() + size, content.size() - size);
        if (taken <= 0) break;
        size += static_cast<std::size_t>(taken);
    }
    if (file >= 0) close(file);
    content.resize(size);
    return content;
}

/// The arguments in `bytes`, each of which has a zero behind it.
std::vector<std::string_view> arguments_in(std::string_view bytes) {
    std::vector<std::string_view> arguments;
    while (!bytes.empty()) {
        const auto end = std::min(bytes.find('\0'), bytes.size());
        arguments.push_back(bytes.substr(0, end));
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    return arguments;
}

}  // namespace

void Reporter::report_session_start() {
    std::array<char, PATH_MAX> host{};
    std::array<char, PATH_MAX> directory{};
    const std::string command_bytes = content_of("/proc/self/cmdline");
    const auto command = arguments_in(command_bytes);
    std::vector<std::string> ranks;
    for (const char* const name : rank_variables)
        if (const char* const value = std::getenv(name)) ranks.push_back(std::string(name) + "=" + value);
    const std::vector<std::string_view> rank_views(ranks.begin(), ranks.end());
    wire::SessionStart start;
    start.process = static_cast<std::uint32_t>(getpid());
    start.parent = static_cast<std::uint32_t>(getppid());
    start.start_ns = now_ns();
    if (gethostname(host.data(), host.size() - 1) == 0) start.host = host.data();
    if (getcwd(directory.data(), directory.size()) != nullptr) start.directory = directory.data();
    start.command = command;
    start.rank_environment = rank_views;
    start.agent_version = ROOFWALK_VERSION;
    sink_.send(start);
}

void Reporter::report_session_end(std::uint64_t launches) {
    sink_.send(wire::SessionEnd{now_ns(), launches});
}

void Reporter::report_counts(wire::LaunchCounts counts) {
    counts.dropped = sink_.dropped();
    sink_.send(counts);
}

void Reporter::report_device(std::uint32_t number, DeviceFacts facts, CounterSupport support,
                             std::optional<std::uint32_t> cupti_version, bool any_may_count) {
    const std::lock_guard lock(mutex_);
    Device& device = devices_[number];
    device = {std::move(facts), std::move(support), cupti_version};
    send(number, device, any_may_count);
}

void Reporter::report_known_devices(bool any_may_count) {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, device] : devices_)
        send(number, device, any_may_count);
}

void Reporter::send(std::uint32_t number, const Device& device, bool any_may_count) {
    const std::string version = driver_version();
    const DeviceFacts& facts = device.facts;
    sink_.send(wire::Device{number, facts.uuid, facts.name, device.support.chip, version,
                            facts.capability_major, facts.capability_minor, facts.sm_count,
                            facts.sm_clock_khz, facts.memory_clock_khz, facts.memory_bus_bits,
                            facts.memory_bytes, device.support.availability, device.cupti_version});
    if (const auto& failure = device.support.failure)
        send_once(wire::NoteLevel::warning, sentence_for(*failure, any_may_count), failure);
}

void Reporter::note_once(wire::NoteLevel level, const std::string& what,
                         const std::optional<CuptiFailure>& failure) {
    const std::lock_guard lock(mutex_);
    send_once(level, what, failure);
}

void Reporter::send_once(wire::NoteLevel level, const std::string& what,
                         const std::optional<CuptiFailure>& failure) {
    if (!sink_.is_open()) return;  // the next collector has not heard it
    std::string where;
    std::optional<std::int32_t> code;
    if (failure) {
        code = failure->code;
        where = failure->call;
    }
    if (notes_.insert(what + where).second) sink_.send(wire::Note{level, code, what, where});
}

void Reporter::forget_notes() {
    const std::lock_guard lock(mutex_);
    notes_.clear();
}

FunctionFacts Reporter::facts_of(const KernelCall& kernel, std::uint32_t device) {
    const std::tuple key(kernel.function, kernel.name, device);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = functions_.find(key); known != functions_.end()) return known->second;
    }
    const FunctionFacts facts = function_facts(kernel.function, device);
    const std::lock_guard lock(mutex_);
    return functions_.emplace(key, facts).first->second;
}

std::uint64_t Reporter::report_launch(const ObservedLaunch& launch, const LaunchCall& call,
                                      wire::KernelLaunch record, wire::Image image, const CuptiHooks& hooks) {
    const std::vector<std::string_view> nvtx(launch.nvtx.begin(), launch.nvtx.end());
    record.nvtx = nvtx;
    record.device = launch.device;
    record.context = launch.context_id;
    record.stream = hooks.id_of_stream(call);
    record.start_ns = launch.start_ns;
    std::optional<std::uint64_t> image_sent;
    std::uint64_t sent = 0;
    for (std::size_t at = 0; at < launch.kernels.size(); ++at) {
        const ObservedLaunch::Kernel& kernel = launch.kernels[at];
        if (!kernel.wanted) continue;
        const FunctionFacts facts = facts_of(kernel.call, launch.device);
        record.id = kernel.id;
        record.name = kernel.call.name;
        record.grid = kernel.call.grid;
        record.block = kernel.call.block;
        record.registers = facts.registers;
        record.static_shared = facts.static_shared;
        record.dynamic_shared = kernel.call.dynamic_shared;
        record.range = static_cast<std::uint32_t>(at);
        record.counter_data = image_sent ? wire::Image{} : image;
        record.image_launch = image.empty() ? std::nullopt : image_sent;
        const bool is_reported_again = record.status == wire::LaunchStatus::awaited;
        if (!sink_.send(record, is_reported_again ? RecordSink::Worth::none : RecordSink::Worth::is_missed))
            continue;
        if (!image_sent) image_sent = kernel.id;
        ++sent;
    }
    return sent;
}

void Reporter::report_timed(const AwaitedLaunch& launch, const KernelActivity& kernel) {
    const std::vector<std::string_view> nvtx(launch.nvtx.begin(), launch.nvtx.end());
    wire::KernelLaunch record;
    record.id = launch.id;
    record.name = kernel.name;
    record.device = kernel.device;
    record.context = kernel.context;
    record.stream = kernel.stream;
    record.grid = kernel.grid;
    record.block = kernel.block;
    record.registers = kernel.registers;
    record.static_shared = kernel.static_shared;
    record.dynamic_shared = kernel.dynamic_shared;
    if (kernel.start_ns != 0) record.start_ns = kernel.start_ns;
    if (kernel.start_ns != 0 && kernel.end_ns >= kernel.start_ns)
        record.duration_ns = kernel.end_ns - kernel.start_ns;
    record.nvtx = nvtx;
    record.status = wire::LaunchStatus::timed;
    sink_.send(record);
}

}  // namespace roofwalk::agent
