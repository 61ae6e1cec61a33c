// SPDX-License-Identifier: GPL-3.0-or-later
// A false management library of the driver: it counts how often it is begun, and each board has its power
// limit.
#include "tests/profiler/measure/fake_nvml.h"

#include <cstring>

namespace {

int begun = 0;

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
    void* first = nullptr;
    nvmlDeviceGetHandleByPciBusId_v2(fake_nvml_first, &first);
    *milliwatts = device == first ? 700'000 : 350'000;
    return 0;
}
}
