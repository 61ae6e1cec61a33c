// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace roofwalk::agent {

/// What the driver says of a device. Absent where it does not say.
struct DeviceFacts {
    std::array<std::uint8_t, 16> uuid{};
    std::string name;
    std::uint32_t capability_major = 0;
    std::uint32_t capability_minor = 0;
    std::uint32_t sm_count = 0;
    std::optional<std::uint32_t> sm_clock_khz;
    std::optional<std::uint32_t> memory_clock_khz;
    std::optional<std::uint32_t> memory_bus_bits;
    std::optional<std::uint64_t> memory_bytes;
};

struct FunctionFacts {
    std::optional<std::uint32_t> registers;
    std::optional<std::uint32_t> static_shared;  ///< [byte]
};

[[nodiscard]] DeviceFacts device_facts(std::uint32_t ordinal);

/// Of a CUfunction, or of a CUkernel on the device of this number: launches take both.
[[nodiscard]] FunctionFacts function_facts(void* function, std::uint32_t ordinal);

/// Its name; empty when the driver does not say.
[[nodiscard]] std::string function_name(void* function);

/// Whether it was compiled to run in clusters of blocks, for the device of the current context.
[[nodiscard]] bool function_has_cluster(void* function);

/// Whether what is launched into the stream becomes part of a graph. Of no stream, in the current context:
/// whether any does that the stream of this name would wait for.
[[nodiscard]] bool is_capturing(void* stream);

/// Waits until all that was launched in the context has ended; false where that would end a capture, or the
/// driver fails, which the program hears from its own calls too.
[[nodiscard]] bool drain_context(void* context);

/// Memory of a device [byte].
struct DeviceMemory {
    std::uint64_t used = 0;  ///< by whatever program
    std::uint64_t free = 0;
};
/// Of the device of the current context.
[[nodiscard]] std::optional<DeviceMemory> device_memory();

/// The CUDA version that the driver serves, as 13000; 0 when there is no driver.
[[nodiscard]] int driver_cuda();

/// "580.65.06"; empty when it cannot be read.
[[nodiscard]] std::string driver_version();

}  // namespace roofwalk::agent
