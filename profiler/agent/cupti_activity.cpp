// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/cupti_activity.h"

#include <cupti_activity.h>

#include <atomic>
#include <cstdlib>
#include <exception>

#include "profiler/agent/clock.h"

namespace roofwalk::agent {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20U;
constexpr std::size_t buffer_alignment = 64;

/// CUPTI's callbacks for buffers carry no data of their owner.
std::atomic<KernelTimes*> owner = nullptr;

}  // namespace

struct KernelTimes::Functions {
    explicit Functions(const CuptiLibrary& library) {
        library.find(register_callbacks, "cuptiActivityRegisterCallbacks");
        library.find(enable, "cuptiActivityEnable");
        library.find(disable, "cuptiActivityDisable");
        library.find(flush_all, "cuptiActivityFlushAll");
        library.find(next_record, "cuptiActivityGetNextRecord");
        library.find(get_timestamp, "cuptiGetTimestamp");
    }

    [[nodiscard]] bool all() const {
        return register_callbacks != nullptr && enable != nullptr && disable != nullptr &&
               flush_all != nullptr && next_record != nullptr && get_timestamp != nullptr;
    }

    decltype(&::cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
    decltype(&::cuptiActivityEnable) enable = nullptr;
    decltype(&::cuptiActivityDisable) disable = nullptr;
    decltype(&::cuptiActivityFlushAll) flush_all = nullptr;
    decltype(&::cuptiActivityGetNextRecord) next_record = nullptr;
    decltype(&::cuptiGetTimestamp) get_timestamp = nullptr;
};

struct KernelTimes::Buffers {
    static void CUPTIAPI requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
        *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_size));
        *size = *buffer != nullptr ? buffer_size : 0;
        *most_records = 0;
    }

    static void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                                   std::size_t valid) {
        if (KernelTimes* const times = owner.load(); times != nullptr && buffer != nullptr) {
            try {
                read(*times, buffer, valid);
            } catch (const std::exception&) {
                // Without memory the records of this buffer are lost; the program goes on.
            }
        }
        std::free(buffer);
    }

    static void read(const KernelTimes& times, std::uint8_t* buffer, std::size_t valid) {
        CUpti_Activity* record = nullptr;
        while (times.functions_->next_record(buffer, valid, &record) == CUPTI_SUCCESS)
            if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
                record->kind == CUPTI_ACTIVITY_KIND_KERNEL)
                times.heard_(activity_of(*reinterpret_cast<const CUpti_ActivityKernel10*>(record),
                                         times.clock_offset_ns_));
    }

    static KernelActivity activity_of(const CUpti_ActivityKernel10& record, std::int64_t offset_ns) {
        const auto number = [](auto value) { return static_cast<std::uint32_t>(value); };
        const auto time = [&](std::uint64_t ns) {
            return ns == 0 ? 0 : static_cast<std::uint64_t>(static_cast<std::int64_t>(ns) + offset_ns);
        };
        KernelActivity kernel;
        if (record.name != nullptr) kernel.name = record.name;
        kernel.correlation = record.correlationId;
        kernel.device = record.deviceId;
        kernel.context = record.contextId;
        kernel.stream = record.streamId;
        kernel.grid = {number(record.gridX), number(record.gridY), number(record.gridZ)};
        kernel.block = {number(record.blockX), number(record.blockY), number(record.blockZ)};
        kernel.registers = record.registersPerThread;
        kernel.static_shared = number(record.staticSharedMemory);
        kernel.dynamic_shared = number(record.dynamicSharedMemory);
        kernel.start_ns = time(record.start);
        kernel.end_ns = time(record.end);
        if (record.graphNodeId != 0) kernel.graph_node = record.graphNodeId;
        return kernel;
    }
};

KernelTimes::KernelTimes(const CuptiLibrary& library, Heard heard)
    : functions_(std::make_unique<Functions>(library)), heard_(std::move(heard)) {}

KernelTimes::~KernelTimes() = default;

std::optional<CuptiFailure> KernelTimes::enable() {
    if (!functions_->all()) return CuptiFailure{CUPTI_ERROR_NOT_COMPATIBLE, "cuptiActivityEnable"};
    std::uint64_t stamp = 0;
    if (const auto code = functions_->get_timestamp(&stamp); code != CUPTI_SUCCESS)
        return CuptiFailure{code, "cuptiGetTimestamp"};
    clock_offset_ns_ = static_cast<std::int64_t>(now_ns()) - static_cast<std::int64_t>(stamp);
    if (!registered_) {
        owner = this;
        if (const auto code = functions_->register_callbacks(&Buffers::requested, &Buffers::completed);
            code != CUPTI_SUCCESS)
            return CuptiFailure{code, "cuptiActivityRegisterCallbacks"};
        registered_ = true;
    }
    if (const auto code = functions_->enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL); code != CUPTI_SUCCESS)
        return CuptiFailure{code, "cuptiActivityEnable"};
    return std::nullopt;
}

void KernelTimes::disable() {
    functions_->disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}

std::optional<CuptiFailure> KernelTimes::flush(bool all) {
    const CUptiResult code = functions_->flush_all(all ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
    if (code == CUPTI_SUCCESS) return std::nullopt;
    return CuptiFailure{code, "cuptiActivityFlushAll"};
}

}  // namespace roofwalk::agent
