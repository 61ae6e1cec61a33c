// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/record_collector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/text.h"
#include "profiler/plan/cupti_trial.h"
#include "profiler/wire/agent_address.h"
#include "profiler/wire/posix_expression.h"

namespace roofwalk {

namespace {

std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
    return {texts.begin(), texts.end()};
}

std::vector<std::string> posix_expressions(const std::vector<std::string>& patterns) {
    std::vector<std::string> expressions;
    for (const std::string& pattern : patterns)
        if (auto expression = wire::posix_expression(pattern)) expressions.push_back(*std::move(expression));
    return expressions;
}

std::span<const std::uint8_t> bytes_of(wire::Image image) {
    return {reinterpret_cast<const std::uint8_t*>(image.data()), image.size()};
}

/// The word of an agent is bounded: no machine has so many GPUs, and no plan so many counters.
constexpr std::size_t most_devices = 64;
constexpr std::uint32_t most_tables = 1024;
constexpr std::size_t most_metrics = 1024;
constexpr std::size_t longest_availability = std::size_t{4} << 20U;  ///< [byte]

wire::Replay on_wire(ReplayPolicy replay) {
    switch (replay) {
        case ReplayPolicy::never:
            return wire::Replay::never;
        case ReplayPolicy::once:
            return wire::Replay::once;
        case ReplayPolicy::always:
            return wire::Replay::always;
    }
    return wire::Replay::never;
}

wire::Extent extent_of(const std::array<std::uint32_t, 3>& size) {
    return {size[0], size[1], size[2]};
}

}  // namespace

struct RecordCollector::DeviceState {
    std::string chip;
    std::vector<std::uint8_t> availability;
};

struct RecordCollector::Agent {
    explicit Agent(AgentConnection its) : connection(std::move(its)) {}

    AgentConnection connection;
    std::optional<ProcessRecording> recording;  ///< from the first record on
    std::size_t number = 0;                     ///< of the recording
    std::map<std::uint32_t, DeviceState> devices;
    std::map<std::uint32_t, std::vector<std::string>> tables;
    std::uint32_t next_table = 0;
    std::uint64_t image_launch = 0;  ///< whose counter data this is; later launches may share it
    std::vector<std::uint8_t> image;
    bool bade_farewell = false;
    int answers = 0;  ///< to being disarmed

    /// Counts that were under way when we disarmed look like the first answer; what came before the second is
    /// all there is.
    [[nodiscard]] bool answered() const { return answers >= 2; }
};

RecordCollector::RecordCollector(CaptureOptions request, std::unique_ptr<CounterPlanner> planner,
                                 std::string tool, OnLines on_lines)
    : request_(std::move(request)),
      planner_(std::move(planner)),
      tool_(std::move(tool)),
      on_lines_(std::move(on_lines)) {}

RecordCollector::~RecordCollector() = default;

void RecordCollector::listen(AgentListener listener) {
    listener_.emplace(std::move(listener));
}

void RecordCollector::add(AgentConnection connection) {
    send_orders(agents_.emplace_back(std::move(connection)));
}

void RecordCollector::wait(std::chrono::milliseconds limit, std::span<const int> others) {
    std::vector<pollfd> watched;
    for (const int other : others)
        watched.push_back({other, POLLIN, 0});
    if (listener_) watched.push_back({listener_->descriptor(), POLLIN, 0});
    for (const Agent& agent : agents_)
        if (agent.connection.open())
            watched.push_back(
                {agent.connection.descriptor(),
                 static_cast<short>(agent.connection.has_more_to_send() ? POLLIN | POLLOUT : POLLIN), 0});
    const bool behind =
        std::ranges::any_of(agents_, [](const Agent& agent) { return agent.connection.has_more_to_take(); });
    poll(watched.data(), watched.size(), behind ? 0 : static_cast<int>(limit.count()));
    if (listener_)
        while (auto agent = listener_->accept())
            add(*std::move(agent));
    for (Agent& agent : agents_)
        if (agent.connection.open()) serve(agent);
}

void RecordCollector::serve(Agent& agent) {
    agent.connection.send_on();
    agent.connection.receive([&](const wire::Reading& reading) {
        if (const auto* read = std::get_if<wire::ReadRecord>(&reading)) {
            take(agent, read->record);
            if (agent.recording) agent.recording->add_lost(read->missing);
        } else if (agent.recording && std::get<wire::Damage>(reading).kind != wire::DamageKind::cut) {
            agent.recording->warn({ErrorCode::corrupt, "A part of what the agent sent cannot be read",
                                   fmt::format("process {}", agent.recording->process()),
                                   "Use roofwalk-cli and its agent of the same release."});
        }
        // At once: who is killed has written what it has read.
        publish(agent);
    });
    if (!agent.connection.open()) end(agent);
    publish(agent);
}

void RecordCollector::publish(Agent& agent) {
    if (!agent.recording) return;
    const std::string lines = agent.recording->take_lines();
    if (!lines.empty() && on_lines_) on_lines_(agent.number, *agent.recording, lines);
}

/// The agent is gone.
void RecordCollector::end(Agent& agent) {
    if (!agent.recording) return;
    agent.recording->add_lost(agent.connection.missing_at_end());
    const bool in_order = agent.bade_farewell || agent.answered();
    agent.recording->end(in_order ? std::string()
                                  : fmt::format("Process {} ended without a last word: it crashed, was "
                                                "killed, left by _exit, or the recorder did not keep up",
                                                agent.recording->process()));
}

void RecordCollector::take(Agent& agent, const wire::Record& record) {
    if (const auto* start = std::get_if<wire::SessionStart>(&record); start && !agent.recording) {
        agent.recording.emplace(*start, tool_);
        agent.number = processes_++;
        log_.info(fmt::format("process {} of {}: agent {}", start->process, clean_utf8(start->host),
                              clean_utf8(start->agent_version)));
    }
    if (!agent.recording) return;
    if (const auto* device = std::get_if<wire::Device>(&record)) {
        take(agent, *device);
    } else if (const auto* table = std::get_if<wire::MetricTable>(&record)) {
        take(agent, *table);
    } else if (const auto* launch = std::get_if<wire::KernelLaunch>(&record)) {
        take(agent, *launch);
    } else if (const auto* counts = std::get_if<wire::LaunchCounts>(&record)) {
        agent.recording->add(*counts);
        if (!armed_ && ++agent.answers == 1) send_orders(agent);
    } else if (const auto* note = std::get_if<wire::Note>(&record)) {
        agent.recording->add(*note);
    } else if (std::holds_alternative<wire::SessionEnd>(record)) {
        agent.bade_farewell = true;
    }
}

void RecordCollector::take(Agent& agent, const wire::Device& device) {
    if (agent.devices.size() >= most_devices && !agent.devices.contains(device.device)) return;
    auto availability = bytes_of(device.counter_availability);
    if (availability.size() > longest_availability) availability = {};
    agent.devices[device.device] = {clean_utf8(device.chip), {availability.begin(), availability.end()}};
    agent.recording->add(device);
    log_.info(fmt::format("process {}: device {} is {}, chip {}, driver {}, CUPTI {}, {}",
                          agent.recording->process(), device.device, clean_utf8(device.name),
                          device.chip.empty() ? "unknown" : clean_utf8(device.chip),
                          device.driver_version.empty() ? "unknown" : clean_utf8(device.driver_version),
                          device.cupti_version ? words_for_cupti(*device.cupti_version) : "unknown",
                          availability.empty() ? "counters not told" : "counters told"));
    if (request_.counters && planner_) send_plans(agent, device);
    agent.connection.send(wire::PlansSent{device.device});
}

/// What one release of CUPTI plans another does not have to survive, and it would take the program with it.
bool RecordCollector::plans_fit(Agent& agent, const wire::Device& device) const {
    const std::uint32_t ours = planner_->version();
    const std::uint32_t theirs = device.cupti_version.value_or(ours);
    if (ours == 0 || words_for_cupti(ours) == words_for_cupti(theirs)) return true;
    agent.recording->warn({ErrorCode::not_profiled,
                           fmt::format("The program has CUPTI {}, and counters are planned by CUPTI {}: its "
                                       "kernels are only timed",
                                       words_for_cupti(theirs), words_for_cupti(ours)),
                           fmt::format("process {}", agent.recording->process()),
                           fmt::format("Name the CUPTI of CUDA {} with --cupti, or start the program "
                                       "with {}={}.",
                                       words_for_cupti(theirs), wire::agent_cupti_variable,
                                       cupti_.empty() ? "FILE" : quote_shell_shown(cupti_))});
    return false;
}

void RecordCollector::send_plans(Agent& agent, const wire::Device& device) {
    const DeviceState& state = agent.devices[device.device];
    if (state.chip.empty()) return;  // the agent has said why it cannot ask for it
    if (agent.next_table >= most_tables || !plans_fit(agent, device)) return;
    log_.info(fmt::format("counters are planned by CUPTI {}", words_for_cupti(planner_->version())));
    const auto counters = planner_->counters_of(state.chip, state.availability);
    if (!counters) {
        Error problem = counters.error();
        if (problem.hint.empty()) problem.hint = "Kernels of this device are only timed.";
        agent.recording->warn(std::move(problem));
        return;
    }
    for (const Error& problem : counters->left_out)
        agent.recording->warn(problem);
    for (const CounterConfig& config : counters->plans) {
        if (config.plan == PlanKind::replay && request_.replay == ReplayPolicy::never) continue;
        const std::uint32_t number = agent.next_table++;
        const auto metrics = views_of(config.metrics);
        agent.tables[number] = config.metrics;
        log_.info(fmt::format("device {}: plan {} in {} passes: {}", device.device, letter_of(config.plan),
                              config.passes, fmt::join(config.metrics, ", ")));
        agent.connection.send(wire::CounterPlan{device.device, letter_of(config.plan), number,
                                                static_cast<std::uint32_t>(config.passes), metrics,
                                                std::as_bytes(std::span(config.image))});
    }
}

void RecordCollector::take(Agent& agent, const wire::MetricTable& table) {
    if (table.metrics.size() > most_metrics) return;
    if (agent.tables.size() >= most_tables && !agent.tables.contains(table.table)) return;
    agent.tables[table.table].assign(table.metrics.begin(), table.metrics.end());
}

void RecordCollector::take(Agent& agent, const wire::KernelLaunch& launch) {
    for (const WantedPlan& wanted : agent.recording->add(launch, values_of(agent, launch)))
        agent.connection.send(wire::WantPlan{wanted.shape.name, wanted.shape.device,
                                             extent_of(wanted.shape.grid), extent_of(wanted.shape.block),
                                             wanted.shape.dynamic_shared, letter_of(wanted.plan)});
}

std::map<std::string, double> RecordCollector::values_of(Agent& agent, const wire::KernelLaunch& launch) {
    const auto table = agent.tables.find(launch.metric_table);
    if (launch.status != wire::LaunchStatus::counted || table == agent.tables.end()) return {};
    std::map<std::string, double> values;
    for (const wire::MetricValue& value : launch.values)
        if (value.metric < table->second.size() && std::isfinite(value.value))
            values.emplace(table->second[value.metric], value.value);
    if (!launch.counter_data.empty()) {
        const auto image = bytes_of(launch.counter_data);
        agent.image.assign(image.begin(), image.end());
        agent.image_launch = launch.id;
    }
    const bool has_image =
        launch.image_launch ? *launch.image_launch == agent.image_launch : !launch.counter_data.empty();
    if (!has_image || agent.image.empty() || !planner_) return values;
    const auto device = agent.devices.find(launch.device);
    if (device == agent.devices.end()) return values;
    auto evaluated = planner_->evaluate(device->second.chip, device->second.availability, agent.image,
                                        launch.range, table->second);
    if (evaluated)
        values.merge(*evaluated);
    else
        agent.recording->warn(evaluated.error());
    return values;
}

void RecordCollector::send_orders(Agent& agent) {
    const LaunchFilter& filter = request_.filter;
    const auto kernels = posix_expressions(filter.kernels);
    const auto except = posix_expressions(filter.except);
    const auto ranges = posix_expressions(filter.nvtx_ranges);
    const auto kernel_views = views_of(kernels);
    const auto except_views = views_of(except);
    const auto range_views = views_of(ranges);
    wire::Orders orders;
    orders.armed = armed_;
    orders.counters = request_.counters && planner_ != nullptr;
    if (request_.every_launch) orders.memory_first = std::numeric_limits<std::uint32_t>::max();
    orders.kernels = kernel_views;
    orders.except = except_views;
    orders.nvtx_ranges = range_views;
    orders.skip = filter.skip;
    orders.count = filter.count;
    orders.cupti = cupti_;
    orders.replay = on_wire(request_.replay);
    agent.connection.send(orders);
}

void RecordCollector::disarm() {
    if (!std::exchange(armed_, false)) return;
    for (Agent& agent : agents_)
        if (agent.connection.open()) send_orders(agent);
}

std::size_t RecordCollector::connected() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(agents_, [](const Agent& agent) { return agent.connection.open(); }));
}

bool RecordCollector::drained() const {
    return std::ranges::all_of(
        agents_, [](const Agent& agent) { return agent.answered() || !agent.connection.open(); });
}

void RecordCollector::close(const std::string& cut) {
    for (Agent& agent : agents_) {
        if (agent.recording) agent.recording->end(agent.answered() ? std::string() : cut);
        agent.connection.close();
        publish(agent);
    }
    listener_.reset();
}

std::vector<const ProcessRecording*> RecordCollector::recordings() const {
    std::vector<const ProcessRecording*> all(processes_, nullptr);
    for (const Agent& agent : agents_)
        if (agent.recording) all[agent.number] = &*agent.recording;
    return all;
}

}  // namespace roofwalk
