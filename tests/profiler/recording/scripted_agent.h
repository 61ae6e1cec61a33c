// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profiler/plan/counter_planner.h"
#include "profiler/recording/child_process.h"
#include "profiler/wire/backlog.h"
#include "profiler/wire/record_reader.h"
#include "profiler/wire/record_writer.h"
#include "profiler/wire/send_bytes.h"

namespace roofwalk::test {

/// The records of an agent, written by a test.
class ScriptedAgent {
  public:
    explicit ScriptedAgent(const std::filesystem::path& socket_path) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, socket_path.c_str(), sizeof(address.sun_path) - 1);
        socket_ = Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const timeval silence_limit{10, 0};
        setsockopt(socket_.number(), SOL_SOCKET, SO_RCVTIMEO, &silence_limit, sizeof(silence_limit));
        connected_ =
            connect(socket_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    }

    [[nodiscard]] bool connected() const { return connected_; }

    template <class Record>
    void tell(const Record& record) {
        const auto frame = writer_.frame(record);
        const auto* bytes = reinterpret_cast<const char*>(frame.data());
        for (std::size_t sent = 0; sent < frame.size();) {
            const auto taken = send(socket_.number(), bytes + sent, frame.size() - sent, MSG_NOSIGNAL);
            if (taken <= 0) return;
            sent += static_cast<std::size_t>(taken);
        }
        told_ += frame.size();
    }

    /// As an agent that is killed while we do not read: the launches stand in its backlog, and it has dropped
    /// `dropped` behind them.
    void leave_behind(std::span<const wire::KernelLaunch> launches, std::uint64_t dropped) {
        wire::Backlog backlog;
        if (!backlog.open()) return;
        const auto note = writer_.frame(wire::Note{wire::NoteLevel::information, std::nullopt, "", ""});
        static_cast<void>(wire::send_bytes(socket_.number(), note, backlog.descriptor()));
        backlog.passed(told_ + note.size());
        for (const wire::KernelLaunch& launch : launches)
            backlog.append(writer_.frame(launch));
        backlog.report_frames(writer_.frames() + dropped);
        hang_up();
    }

    void begin(std::uint32_t process = 4711, std::string_view program = "./app") {
        const std::array<std::string_view, 1> command{program};
        wire::SessionStart start;
        start.process = process;
        start.start_ns = 1'700'000'000'000'000'000;
        start.host = "node";
        start.command = command;
        tell(start);
    }

    void tell_device(const std::string& chip = "GH100", std::optional<std::uint32_t> cupti = {}) {
        wire::Device device;
        device.name = "NVIDIA H100";
        device.chip = chip;
        device.capability_major = 9;
        device.sm_count = 132;
        device.sm_clock_khz = 1'980'000;
        device.cupti_version = cupti;
        tell(device);
    }

    /// What the collector has said, by kind; waits until one of `awaited` is there, or the collector is gone.
    void hear(wire::RecordKind awaited) {
        std::array<std::byte, 65536> bytes{};
        while (!heard_kind(awaited)) {
            const auto count = recv(socket_.number(), bytes.data(), bytes.size(), 0);
            if (count <= 0) return;
            reader_.append(std::span(bytes).first(static_cast<std::size_t>(count)));
            while (const auto reading = reader_.next())
                if (const auto* read = std::get_if<wire::ReadRecord>(&*reading)) keep(read->record);
        }
    }

    [[nodiscard]] bool heard_kind(wire::RecordKind kind) const { return kinds_.contains(kind); }
    void forget_heard() { kinds_.clear(); }

    std::vector<char> plans;               ///< letters of the counter plans that came
    std::map<char, std::uint32_t> tables;  ///< by letter
    std::optional<wire::Orders> orders;    ///< the last ones, without their lists
    std::vector<std::string> except;       ///< of the last orders
    std::vector<std::string> wanted;       ///< "name plan"

    void hang_up() { socket_.reset(); }

  private:
    void keep(const wire::Record& record) {
        if (const auto* plan = std::get_if<wire::CounterPlan>(&record)) {
            plans.push_back(plan->plan);
            tables[plan->plan] = plan->table;
            kinds_[wire::RecordKind::counter_plan] = true;
        } else if (const auto* told = std::get_if<wire::Orders>(&record)) {
            except.assign(told->except.begin(), told->except.end());
            orders = *told;
            orders->kernels = orders->except = orders->nvtx_ranges = {};
            kinds_[wire::RecordKind::orders] = true;
        } else if (const auto* want = std::get_if<wire::WantPlan>(&record)) {
            wanted.push_back(std::string(want->name) + ' ' + want->plan);
            kinds_[wire::RecordKind::want_plan] = true;
        } else if (std::holds_alternative<wire::PlansSent>(record)) {
            kinds_[wire::RecordKind::plans_sent] = true;
        }
    }

    Descriptor socket_;
    bool connected_ = false;
    std::size_t told_ = 0;  ///< [byte]
    std::vector<std::byte> room_ = std::vector<std::byte>(1U << 20U);
    wire::RecordWriter writer_{room_};
    wire::RecordReader reader_;
    std::map<wire::RecordKind, bool> kinds_;
};

/// All plans, of a few metrics each, whose counter data are the values themselves.
class ScriptedPlanner : public CounterPlanner {
  public:
    /// `replays_types`: plan E has what tells of tensor cores, too, as on a GH100.
    explicit ScriptedPlanner(bool replays_types = false) : replays_types_(replays_types) {}

    [[nodiscard]] std::uint32_t version() const override { return 130'000; }
    Result<DeviceCounters> counters_of(const std::string& chip, std::span<const std::uint8_t>) override {
        if (chip != "GH100")
            return tl::unexpected(Error{ErrorCode::unsupported_version, "unknown chip", chip, ""});
        DeviceCounters counters;
        counters.plans.push_back({PlanKind::memory,
                                  {"gpu__time_duration.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
                                   "sm__inst_executed_pipe_tensor.sum"},
                                  {1},
                                  1});
        counters.plans.push_back({PlanKind::tensor,
                                  {"gpu__time_duration.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
                                   "sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_off.sum"},
                                  {2},
                                  1});
        counters.plans.push_back({PlanKind::work,
                                  {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                                   "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
                                   "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"},
                                  {3},
                                  1});
        CounterConfig both{PlanKind::replay, counters.plans.front().metrics, {4}, 2};
        const std::vector<std::string>& work = counters.plans.back().metrics;
        both.metrics.insert(both.metrics.end(), work.begin(), work.end());
        if (replays_types_) {
            for (const char* const kind :
                 {"_op_hmma", "_op_imma", "_op_dmma", "_op_gmma", "_op_hmma_type_hfma2"})
                both.metrics.push_back("sm__inst_executed_pipe_tensor" + std::string(kind) + ".sum");
            both.metrics.emplace_back("sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_off.sum");
        }
        counters.plans.push_back(std::move(both));
        constexpr std::string_view types[] = {"op_hmma_src_bf16_dst_fp32", "op_hmma_src_tf32_dst_fp32",
                                              "op_imma_src_int8"};
        for (std::size_t i = 0; i < warp_tensor_plans.size(); ++i)
            counters.plans.push_back(
                {warp_tensor_plans[i],
                 {"gpu__time_duration.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
                  "sm__ops_path_tensor_" + std::string(types[i]) + "_sparsity_off.sum"},
                 {static_cast<std::uint8_t>(5 + i)},
                 1});
        return counters;
    }

    Result<std::map<std::string, double>> evaluate(const std::string&, std::span<const std::uint8_t>,
                                                   std::span<const std::uint8_t> counter_data,
                                                   std::size_t range,
                                                   std::span<const std::string> metrics) override {
        const std::size_t size = metrics.size() * sizeof(double);
        if (counter_data.size() < (range + 1) * size)
            return tl::unexpected(Error{ErrorCode::corrupt, "The image is too short", "", ""});
        std::map<std::string, double> values;
        for (std::size_t i = 0; i < metrics.size(); ++i) {
            double value = 0;
            std::memcpy(&value, counter_data.data() + range * size + i * sizeof(double), sizeof(value));
            values[metrics[i]] = value;
        }
        return values;
    }

  private:
    bool replays_types_;
};

/// Counter data for ScriptedPlanner.
inline std::vector<std::byte> image_of(const std::vector<double>& values) {
    std::vector<std::byte> image(values.size() * sizeof(double));
    std::memcpy(image.data(), values.data(), image.size());
    return image;
}

/// A launch that was not measured.
inline wire::KernelLaunch plain_launch(std::uint64_t id, std::string_view name = "_Z5saxpyPf") {
    wire::KernelLaunch launch;
    launch.id = id;
    launch.name = name;
    launch.grid = {128, 1, 1};
    launch.block = {256, 1, 1};
    return launch;
}

/// A launch that was counted; `image` must outlive it.
inline wire::KernelLaunch counted_launch(std::uint64_t id, char plan, std::uint32_t table,
                                         const std::vector<std::byte>& image,
                                         std::string_view name = "_Z5saxpyPf") {
    wire::KernelLaunch launch = plain_launch(id, name);
    launch.plan = plan;
    launch.status = wire::LaunchStatus::counted;
    launch.metric_table = table;
    launch.counter_data = image;
    launch.passes = 1;
    return launch;
}

}  // namespace roofwalk::test
