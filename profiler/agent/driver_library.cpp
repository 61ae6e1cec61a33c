// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/driver_library.h"

#include <cuda.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstring>

namespace roofwalk::agent {

namespace {

/// Looks the function up in the driver that the program has loaded.
template <class Function>
Function* find(const char* name) {
    static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    return driver != nullptr ? reinterpret_cast<Function*>(dlsym(driver, name)) : nullptr;
}

std::optional<std::uint32_t> attribute(CUdevice_attribute which, CUdevice device) {
    static const auto get = find<decltype(::cuDeviceGetAttribute)>("cuDeviceGetAttribute");
    int value = 0;
    if (get == nullptr || get(&value, which, device) != CUDA_SUCCESS || value <= 0) return std::nullopt;
    return static_cast<std::uint32_t>(value);
}

std::optional<CUdevice> device_of(std::uint32_t ordinal) {
    static const auto get = find<decltype(::cuDeviceGet)>("cuDeviceGet");
    CUdevice device = 0;
    if (get == nullptr || get(&device, static_cast<int>(ordinal)) != CUDA_SUCCESS) return std::nullopt;
    return device;
}

std::optional<std::uint32_t> attribute(CUfunction_attribute which, void* function, CUdevice device) {
    static const auto get = find<decltype(::cuFuncGetAttribute)>("cuFuncGetAttribute");
    static const auto get_of_kernel = find<decltype(::cuKernelGetAttribute)>("cuKernelGetAttribute");
    int value = 0;
    const bool told =
        (get != nullptr && get(&value, which, static_cast<CUfunction>(function)) == CUDA_SUCCESS) ||
        (get_of_kernel != nullptr &&
         get_of_kernel(&value, which, static_cast<CUkernel>(function), device) == CUDA_SUCCESS);
    if (!told || value < 0) return std::nullopt;
    return static_cast<std::uint32_t>(value);
}

/// Empty when the driver does not say.
template <class Handle>
std::string name_of(CUresult (*get)(const char**, Handle), void* function) {
    const char* name = nullptr;
    if (get == nullptr || get(&name, static_cast<Handle>(function)) != CUDA_SUCCESS || name == nullptr)
        return {};
    return name;
}

}  // namespace

DeviceFacts device_facts(std::uint32_t ordinal) {
    DeviceFacts facts;
    const auto found = device_of(ordinal);
    if (!found) return facts;
    const CUdevice device = *found;
    static const auto get_uuid = find<CUresult(CUuuid*, CUdevice)>("cuDeviceGetUuid_v2");
    CUuuid uuid{};
    if (get_uuid != nullptr && get_uuid(&uuid, device) == CUDA_SUCCESS)
        std::memcpy(facts.uuid.data(), uuid.bytes, facts.uuid.size());
    static const auto get_name = find<decltype(::cuDeviceGetName)>("cuDeviceGetName");
    char name[256] = "";
    if (get_name != nullptr && get_name(name, sizeof(name) - 1, device) == CUDA_SUCCESS) facts.name = name;
    static const auto get_memory = find<CUresult(std::size_t*, CUdevice)>("cuDeviceTotalMem_v2");
    std::size_t memory = 0;
    if (get_memory != nullptr && get_memory(&memory, device) == CUDA_SUCCESS) facts.memory_bytes = memory;
    facts.capability_major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device).value_or(0);
    facts.capability_minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device).value_or(0);
    facts.sm_count = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device).value_or(0);
    facts.sm_clock_khz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device);
    facts.memory_clock_khz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, device);
    facts.memory_bus_bits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, device);
    return facts;
}

/// A thread gets no fewer, as CUPTI's records of activity and Nsight Compute tell from Volta to Hopper.
constexpr std::uint32_t fewest_registers = 16;

FunctionFacts function_facts(void* function, std::uint32_t ordinal) {
    const auto device = device_of(ordinal);
    if (function == nullptr || !device) return {};
    auto registers = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS, function, *device);
    if (registers) registers = std::max(*registers, fewest_registers);
    return {registers, attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function, *device)};
}

std::string function_name(void* function) {
    static const auto get = find<decltype(::cuFuncGetName)>("cuFuncGetName");
    static const auto get_of_kernel = find<decltype(::cuKernelGetName)>("cuKernelGetName");
    if (function == nullptr) return {};
    std::string name = name_of(get, function);
    return name.empty() ? name_of(get_of_kernel, function) : name;
}

bool function_has_cluster(void* function) {
    static const auto get_device = find<decltype(::cuCtxGetDevice)>("cuCtxGetDevice");
    CUdevice device = 0;
    if (function == nullptr || get_device == nullptr || get_device(&device) != CUDA_SUCCESS) return false;
    return attribute(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, function, device).value_or(0) > 0;
}

bool is_capturing(void* stream) {
    static const auto ask = find<CUresult(CUstream, CUstreamCaptureStatus*)>("cuStreamIsCapturing");
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (ask == nullptr) return false;
    const CUresult result = ask(static_cast<CUstream>(stream), &status);
    return result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT ||
           (result == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE);
}

bool drain_context(void* context) {
    // It may have begun before the agent came.
    if (is_capturing(nullptr)) return false;
    // Of what the driver has, CUPTI allows its callbacks to call this. Since CUDA 13 it names a context.
    static const auto synchronize = find<CUresult(CUcontext)>("cuCtxSynchronize_v2");
    static const auto synchronize_current = find<CUresult()>("cuCtxSynchronize");
    if (synchronize != nullptr) return synchronize(static_cast<CUcontext>(context)) == CUDA_SUCCESS;
    return synchronize_current != nullptr && synchronize_current() == CUDA_SUCCESS;
}

std::optional<DeviceMemory> device_memory() {
    static const auto get = find<CUresult(std::size_t*, std::size_t*)>("cuMemGetInfo_v2");
    std::size_t free = 0;
    std::size_t total = 0;
    if (get == nullptr || get(&free, &total) != CUDA_SUCCESS || free > total) return std::nullopt;
    return DeviceMemory{total - free, free};
}

int driver_cuda() {
    // Works before the driver has begun, too.
    static const auto get = find<decltype(::cuDriverGetVersion)>("cuDriverGetVersion");
    int version = 0;
    return get != nullptr && get(&version) == CUDA_SUCCESS ? version : 0;
}

std::string driver_version() {
    const int file = open("/sys/module/nvidia/version", O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    char text[64];
    const auto length = read(file, text, sizeof(text));
    close(file);
    std::string version(text, length > 0 ? static_cast<std::size_t>(length) : 0);
    while (!version.empty() && version.back() == '\n')
        version.pop_back();
    return version;
}

}  // namespace roofwalk::agent
