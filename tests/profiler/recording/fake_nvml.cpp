// SPDX-License-Identifier: GPL-3.0-or-later
// A false management library of the driver: it counts how often it is begun, and each board has its power
// limit.
#include "tests/profiler/recording/fake_nvml.h"

#include <cstring>

namespace {

int begun = 0;

bool is_first(void* device) {
    void* first = nullptr;
    nvmlDeviceGetHandleByPciBusId_v2(fake_nvml_first, &first);
    return device == first;
}

}  // namespace

extern "C" {

int fake_nvml_begun() {
    return begun;
}

int nvmlInit_v2() {
    ++begun;
    return 0;
}

int nvmlShutdown() {
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device) {
    static char first = 0;
    static char second = 0;
    *device = std::strcmp(bus_id, fake_nvml_first) == 0 ? &first : &second;
    return 0;
}

int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatts) {
    *milliwatts = is_first(device) ? 700'000 : 350'000;
    return 0;
}

int nvmlDeviceGetEccMode(void* device, unsigned* current, unsigned* pending) {
    constexpr int not_supported = 3;
    if (!is_first(device)) return not_supported;
    *current = *pending = 1;
    return 0;
}

/// Both boards name the setting: at rest that says nothing.
int nvmlDeviceGetCurrentClocksEventReasons(void* /*device*/, unsigned long long* reasons) {
    constexpr unsigned long long clock_setting = 2;
    *reasons = clock_setting;
    return 0;
}

int nvmlDeviceGetUtilizationRates(void* device, unsigned* rates) {
    rates[0] = is_first(device) ? 100 : 0;
    rates[1] = 0;
    return 0;
}

int nvmlDeviceGetClockInfo(void* device, unsigned /*domain*/, unsigned* megahertz) {
    *megahertz = is_first(device) ? 1200 : 345;
    return 0;
}
}
