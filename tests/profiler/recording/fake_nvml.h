// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The board of 700 W; every other one has 350 W.
inline constexpr const char* fake_nvml_first = "0000:01:00.0";

/// The first board works, and a clock that was set holds it at 1.2 GHz; every other one rests at 345 MHz.
extern "C" {
int fake_nvml_begun();
int nvmlInit_v2();
int nvmlShutdown();
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device);
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatts);
/// On for the first board; every other one has none.
int nvmlDeviceGetEccMode(void* device, unsigned* current, unsigned* pending);
int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* reasons);
int nvmlDeviceGetUtilizationRates(void* device, unsigned* rates);
int nvmlDeviceGetClockInfo(void* device, unsigned domain, unsigned* megahertz);
}
