// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/boards_here.h"

#include <fstream>
#include <string_view>
#include <system_error>

#include "profiler/benchmarks/nvml.h"
#include "profiler/recording/machine.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

/// Of the kernel's file, which has a line "GPU UUID: \t GPU-ef5c8d02-..."; empty: it does not say.
std::string uuid_in(const fs::path& information) {
    constexpr std::string_view key = "GPU UUID:";
    std::ifstream in(information);
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(key)) continue;
        const auto begin = line.find_first_not_of(" \t", key.size());
        if (begin == std::string::npos) return {};
        return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    }
    return {};
}

}  // namespace

std::map<std::string, MeasuredDevice> boards_here(const std::set<std::string>& uuids, const fs::path& root) {
    std::map<std::string, MeasuredDevice> found;
    std::map<std::string, std::string> bus_ids;  // by UUID
    std::error_code failed;
    for (fs::directory_iterator board(root / "proc/driver/nvidia/gpus", failed), end; !failed && board != end;
         board.increment(failed))
        if (const std::string uuid = uuid_in(board->path() / "information");
            !uuid.empty() && uuids.contains(uuid))
            bus_ids.insert_or_assign(uuid, board->path().filename().string());
    if (bus_ids.empty()) return found;
    const std::string driver = read_machine(root).driver_version.value_or(std::string());
    const ceilings::Nvml::Session session = ceilings::Nvml::open();
    const auto clock = [](std::optional<double> hertz) {
        return hertz ? std::optional(Hertz(*hertz)) : std::nullopt;
    };
    for (const auto& [uuid, bus_id] : bus_ids) {
        const ceilings::Nvml nvml(bus_id, session);
        MeasuredDevice& here = found[uuid];
        here.device.uuid = uuid;
        here.driver = driver;
        here.power_limit = nvml.power_limit();
        here.highest_clock = clock(nvml.highest_sm_clock());
        here.application_clock = clock(nvml.application_clock());
        here.set_clock = clock(nvml.set_clock());
        here.present_clock = clock(nvml.sm_clock());
        here.error_correction = nvml.error_correction();
    }
    return found;
}

}  // namespace roofwalk
