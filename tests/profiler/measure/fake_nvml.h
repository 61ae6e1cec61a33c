// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The board of 700 W; every other one has 350 W.
inline constexpr const char* fake_nvml_first = "0000:01:00.0";

extern "C" {
int fake_nvml_begun();
int nvmlInit_v2();
int nvmlShutdown();
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device);
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatts);
}
