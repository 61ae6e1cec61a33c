// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/board_here.h"

#include <fstream>
#include <system_error>

#include "profiler/ceilings/nvml.h"
#include "profiler/session/machine.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

/// A line of the kernel's file: "GPU UUID: \t GPU-ef5c8d02-...".
bool names(const fs::path& information, const std::string& uuid) {
    std::ifstream in(information);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("GPU UUID:") && line.find(uuid) != std::string::npos) return true;
    return false;
}

}  // namespace

std::optional<MeasuredDevice> board_here(const std::string& uuid, const fs::path& root) {
    if (uuid.empty()) return std::nullopt;
    std::error_code failed;
    for (fs::directory_iterator board(root / "proc/driver/nvidia/gpus", failed), end; !failed && board != end;
         board.increment(failed)) {
        if (!names(board->path() / "information", uuid)) continue;
        MeasuredDevice here;
        here.device.uuid = uuid;
        here.driver = read_machine(root).driver_version.value_or(std::string());
        const ceilings::Nvml nvml(board->path().filename().string());
        const auto clock = [](std::optional<double> hertz) {
            return hertz ? std::optional(Hertz(*hertz)) : std::nullopt;
        };
        here.power_limit = nvml.power_limit();
        here.highest_clock = clock(nvml.highest_sm_clock());
        here.application_clock = clock(nvml.application_clock());
        return here;
    }
    return std::nullopt;
}

}  // namespace roofwalk
