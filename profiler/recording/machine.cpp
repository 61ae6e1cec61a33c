// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/machine.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "profiler/plan/pci_chip.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

constexpr unsigned cap_sys_admin = 21;
constexpr unsigned cap_perfmon = 38;
constexpr long first_driver_with_perfmon = 565;

std::vector<std::string> lines_of(const fs::path& file) {
    std::vector<std::string> lines;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The text after "key:" in the first line that starts so.
std::optional<std::string> value_after(const std::vector<std::string>& lines, std::string_view key) {
    for (const std::string_view line : lines)
        if (line.starts_with(key) && line.substr(key.size()).starts_with(':'))
            return std::string(trimmed(line.substr(key.size() + 1)));
    return std::nullopt;
}

bool is_version(std::string_view word) {
    return word.find('.') != std::string_view::npos &&
           word.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 ...": the first word that is a
/// version. The open module puts "Open Kernel Module for x86_64" before it.
std::optional<std::string> driver_version(const fs::path& proc) {
    const auto text = value_after(lines_of(proc / "driver/nvidia/version"), "NVRM version");
    if (!text) return std::nullopt;
    std::string_view rest = *text;
    while (!rest.empty()) {
        const auto end = std::min(rest.find_first_of(" \t"), rest.size());
        if (is_version(rest.substr(0, end))) return std::string(rest.substr(0, end));
        rest = trimmed(rest.substr(end));
    }
    return std::nullopt;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code ignored;  // a folder that is not there has no entries
    for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored))
        entries.push_back(entry->path());
    std::ranges::sort(entries);
    return entries;
}

std::vector<std::string> gpu_models(const fs::path& proc) {
    std::vector<std::string> models;
    for (const fs::path& gpu : entries_of(proc / "driver/nvidia/gpus"))
        if (auto model = value_after(lines_of(gpu / "information"), "Model"))
            models.push_back(std::move(*model));
    return models;
}

/// "0x2330" in the folder of the device on its bus.
std::vector<std::string> gpu_chips(const fs::path& root) {
    std::vector<std::string> chips;
    for (const fs::path& gpu : entries_of(root / "proc/driver/nvidia/gpus")) {
        if (!value_after(lines_of(gpu / "information"), "Model")) continue;
        const auto number = lines_of(root / "sys/bus/pci/devices" / gpu.filename() / "device");
        const long device = number.empty() ? 0 : std::strtol(number.front().c_str(), nullptr, 16);
        chips.emplace_back(chip_of_pci_device(static_cast<std::uint16_t>(device)));
    }
    return chips;
}

std::optional<bool> counters_are_restricted(const fs::path& proc) {
    const auto value = value_after(lines_of(proc / "driver/nvidia/params"), "RmProfilingAdminOnly");
    if (!value) return std::nullopt;
    return *value != "0";
}

std::uint64_t capabilities(const fs::path& proc, std::string_view set) {
    const std::string text = value_after(lines_of(proc / "self/status"), set).value_or("");
    std::uint64_t bits = 0;
    std::from_chars(text.data(), text.data() + text.size(), bits, 16);
    return bits;
}

bool is_windows_subsystem(const fs::path& proc) {
    const auto release = lines_of(proc / "sys/kernel/osrelease");
    return !release.empty() && (release.front().find("microsoft") != std::string::npos ||
                                release.front().find("Microsoft") != std::string::npos);
}

/// The kernel cuts the names of processes to 15 characters.
bool runs_multi_process_service(const fs::path& proc) {
    return std::ranges::any_of(entries_of(proc), [](const fs::path& process) {
        const auto name = lines_of(process / "comm");
        return !name.empty() && name.front().starts_with("nvidia-cuda-mps");
    });
}

bool has_instances(const fs::path& proc) {
    return std::ranges::any_of(entries_of(proc / "driver/nvidia/capabilities"), [](const fs::path& gpu) {
        return std::ranges::any_of(entries_of(gpu / "mig"), [](const fs::path& entry) {
            return entry.filename().string().starts_with("gi");
        });
    });
}

/// "GRID V100D-8Q", "NVIDIA A40-48Q", "NVIDIA A100-1-5C": the memory of the share, and the kind of its
/// licence.
bool is_share_of_gpu(const std::string& model) {
    if (model.starts_with("GRID ")) return true;
    const auto dash = model.rfind('-');
    if (dash == std::string::npos) return false;
    const std::string_view share = std::string_view(model).substr(dash + 1);
    return share.size() > 1 && std::string_view("ABCQ").find(share.back()) != std::string_view::npos &&
           share.find_first_not_of("0123456789") == share.size() - 1;
}

}  // namespace

bool Machine::may_read_restricted_counters() const {
    if (own_users) return false;
    if ((capabilities >> cap_sys_admin & 1U) != 0) return true;
    const bool heeds_perfmon =
        !driver_version || std::strtol(driver_version->c_str(), nullptr, 10) >= first_driver_with_perfmon;
    return heeds_perfmon && (capabilities >> cap_perfmon & 1U) != 0;
}

bool Machine::lacks_root_only() const {
    return (bounding >> cap_sys_admin & 1U) != 0 && (capabilities >> cap_sys_admin & 1U) == 0;
}

Machine read_machine(const fs::path& root) {
    const fs::path proc = root / "proc";
    Machine machine;
    machine.driver_version = driver_version(proc);
    machine.gpus = gpu_models(proc);
    machine.device_node = fs::exists(root / "dev/nvidiactl");
    machine.counters_are_restricted = counters_are_restricted(proc);
    machine.chips = gpu_chips(root);
    machine.capabilities = capabilities(proc, "CapEff");
    machine.bounding = capabilities(proc, "CapBnd");
    machine.container = read_container(root);
    machine.own_users = has_own_users(root);
    machine.windows_subsystem = is_windows_subsystem(proc);
    machine.multi_process_service = runs_multi_process_service(proc);
    machine.multi_instance = has_instances(proc);
    machine.virtual_gpu = std::ranges::any_of(machine.gpus, is_share_of_gpu);
    return machine;
}

}  // namespace roofwalk
