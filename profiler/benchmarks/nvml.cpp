// SPDX-License-Identifier: Apache-2.0
#include "profiler/benchmarks/nvml.h"

#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <utility>

namespace roofwalk::ceilings {

namespace {

constexpr int success = 0;
constexpr int insufficient_size = 7;
constexpr unsigned sm_domain = 1;
constexpr int not_supported = 3;
constexpr unsigned long long clock_setting = 0x2;  ///< nvmlClocksEventReasonApplicationsClocksSetting
constexpr unsigned busy_percent = 50;
constexpr double hertz_per_megahertz = 1e6;

struct Reason {
    std::uint64_t bit;
    const char* name;
};

/// nvmlClocksEventReasons* that hold the clock down. Idle clocks and those that a person has set are no
/// fault.
constexpr std::array<Reason, 6> reasons{{{0x4, "power limit"},
                                         {0x8, "hardware slowdown"},
                                         {0x20, "temperature (software)"},
                                         {0x40, "temperature (hardware)"},
                                         {0x80, "power brake"},
                                         {0x10, "sync boost with other GPUs"}}};

/// nvmlProcessInfo_v2_t, as nvmlDeviceGetComputeRunningProcesses_v3 takes it.
struct ProcessInfo {
    unsigned pid;
    unsigned long long used_memory;
    unsigned gpu_instance;
    unsigned compute_instance;
};

template <class Function>
Function* function(void* library, const char* name) {
    return library == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

Nvml::Session Nvml::open() {
    void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    auto* const init = function<int()>(library, "nvmlInit_v2");
    if (init == nullptr || init() != success) {
        dlclose(library);
        return nullptr;
    }
    return {library, [](void* opened) {
                if (auto* const shutdown = function<int()>(opened, "nvmlShutdown"); shutdown != nullptr)
                    shutdown();
                dlclose(opened);
            }};
}

Nvml::Nvml(const std::string& bus_id, Session session) : library_(std::move(session)) {
    auto* const find = function<int(const char*, void**)>(library_.get(), "nvmlDeviceGetHandleByPciBusId_v2");
    if (find == nullptr || find(bus_id.c_str(), &device_) != success) device_ = nullptr;
}

template <class... Out>
bool Nvml::ask(const char* name, Out... out) const {
    auto* const called = function<int(void*, Out...)>(library_.get(), name);
    return device_ != nullptr && called != nullptr && called(device_, out...) == success;
}

std::optional<double> Nvml::clock(const char* name, unsigned domain) const {
    unsigned megahertz = 0;
    if (!ask(name, domain, &megahertz) || megahertz == 0) return std::nullopt;
    return hertz_per_megahertz * megahertz;
}

std::string Nvml::driver_version() const {
    std::array<char, 96> text{};
    auto* const called = function<int(char*, unsigned)>(library_.get(), "nvmlSystemGetDriverVersion");
    if (called == nullptr || called(text.data(), text.size() - 1) != success) return {};
    return text.data();
}

std::optional<double> Nvml::power_limit() const {
    unsigned milliwatts = 0;
    if (!ask("nvmlDeviceGetEnforcedPowerLimit", &milliwatts) || milliwatts == 0) return std::nullopt;
    return milliwatts / 1000.0;
}

std::optional<double> Nvml::highest_sm_clock() const {
    return clock("nvmlDeviceGetMaxClockInfo", sm_domain);
}

std::optional<double> Nvml::application_clock() const {
    return clock("nvmlDeviceGetApplicationsClock", sm_domain);
}

std::optional<double> Nvml::sm_clock() const {
    return clock("nvmlDeviceGetClockInfo", sm_domain);
}

std::optional<double> Nvml::set_clock() const {
    // nvmlUtilization_t: per cent of the last moment in which kernels ran, and memory moved.
    std::array<unsigned, 2> busy{};
    if ((event_reasons() & clock_setting) == 0 || !ask("nvmlDeviceGetUtilizationRates", busy.data()) ||
        busy[0] < busy_percent)
        return std::nullopt;
    return sm_clock();
}

std::optional<bool> Nvml::error_correction() const {
    unsigned current = 0;
    unsigned pending = 0;
    auto* const called = function<int(void*, unsigned*, unsigned*)>(library_.get(), "nvmlDeviceGetEccMode");
    if (device_ == nullptr || called == nullptr) return std::nullopt;
    const int status = called(device_, &current, &pending);
    if (status == not_supported) return false;
    return status == success ? std::optional(current != 0) : std::nullopt;
}

std::optional<double> Nvml::temperature() const {
    unsigned degrees = 0;
    constexpr unsigned gpu_sensor = 0;
    if (!ask("nvmlDeviceGetTemperature", gpu_sensor, &degrees)) return std::nullopt;
    return degrees;
}

std::optional<bool> Nvml::multi_instance() const {
    unsigned current = 0;
    unsigned pending = 0;
    if (!ask("nvmlDeviceGetMigMode", &current, &pending)) return std::nullopt;
    return current != 0;
}

std::optional<unsigned> Nvml::computing_processes() const {
    constexpr unsigned most = 64;
    std::array<ProcessInfo, most> processes{};
    unsigned count = most;
    auto* const called = function<int(void*, unsigned*, ProcessInfo*)>(
        library_.get(), "nvmlDeviceGetComputeRunningProcesses_v3");
    if (device_ == nullptr || called == nullptr) return std::nullopt;
    const int status = called(device_, &count, processes.data());
    if (status != success && status != insufficient_size) return std::nullopt;
    return count;
}

unsigned long long Nvml::event_reasons() const {
    unsigned long long bits = 0;
    // Drivers before 535 know the other name only.
    if (ask("nvmlDeviceGetCurrentClocksEventReasons", &bits) ||
        ask("nvmlDeviceGetCurrentClocksThrottleReasons", &bits))
        return bits;
    return 0;
}

std::vector<std::string> Nvml::throttle_reasons() const {
    const unsigned long long bits = event_reasons();
    std::vector<std::string> names;
    for (const Reason& reason : reasons)
        if ((bits & reason.bit) != 0) names.emplace_back(reason.name);
    return names;
}

}  // namespace roofwalk::ceilings
