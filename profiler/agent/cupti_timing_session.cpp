// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/cupti_timing_session.h"

#include <cupti_activity.h>

#include <cstdlib>
#include <exception>
#include <utility>

#include "profiler/agent/clock.h"

namespace roofwalk::agent {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20U;
constexpr std::size_t buffer_alignment = 64;

/// Launches whose kernels CUPTI may still tell of.
constexpr std::size_t most_expected = std::size_t{1} << 18U;

/// Flushes that fail one after another before nothing is timed any more.
constexpr int flushes_tried = 3;

/// That of CUDA 12; those of later releases begin with the same fields.
using Record = CUpti_ActivityKernel9;

/// CUPTI's callbacks for buffers carry no data of their owner.
std::atomic<TimingSession*> owner = nullptr;

}  // namespace

struct TimingSession::Functions {
    explicit Functions(const CuptiLibrary& from) : library(from) {}

    [[nodiscard]] bool all() const {
        return register_callbacks != nullptr && enable != nullptr && disable != nullptr &&
               flush_all != nullptr && next_record != nullptr && get_timestamp != nullptr;
    }

    CuptiLibrary library;
    decltype(&::cuptiActivityRegisterCallbacks) register_callbacks =
        library.find("cuptiActivityRegisterCallbacks");
    decltype(&::cuptiActivityEnable) enable = library.find("cuptiActivityEnable");
    decltype(&::cuptiActivityDisable) disable = library.find("cuptiActivityDisable");
    decltype(&::cuptiActivityFlushAll) flush_all = library.find("cuptiActivityFlushAll");
    decltype(&::cuptiActivityGetNextRecord) next_record = library.find("cuptiActivityGetNextRecord");
    decltype(&::cuptiGetTimestamp) get_timestamp = library.find("cuptiGetTimestamp");
};

struct TimingSession::Buffers {
    static void CUPTIAPI requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
        *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_size));
        *size = *buffer != nullptr ? buffer_size : 0;
        *most_records = 0;
    }

    static void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                                   std::size_t valid) {
        if (TimingSession* const session = owner.load(); session != nullptr && buffer != nullptr) {
            try {
                session->listener_.buffer_completed();
                read(*session, buffer, valid);
            } catch (const std::exception&) {
                // Without memory the records of this buffer are lost; the program goes on.
            }
        }
        std::free(buffer);
    }

    static void read(const TimingSession& session, std::uint8_t* buffer, std::size_t valid) {
        CUpti_Activity* record = nullptr;
        while (session.functions_->next_record(buffer, valid, &record) == CUPTI_SUCCESS)
            if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
                record->kind == CUPTI_ACTIVITY_KIND_KERNEL)
                session.listener_.kernel_ended(
                    activity_of(*reinterpret_cast<const Record*>(record), session.clock_offset_ns_));
    }

    static KernelActivity activity_of(const Record& record, std::int64_t offset_ns) {
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
        return kernel;
    }
};

TimingSession::TimingSession(Listener listener) : listener_(std::move(listener)) {}

TimingSession::~TimingSession() = default;

std::optional<CuptiFailure> TimingSession::start(const CuptiLibrary& library) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || phase_ == Phase::on || phase_ == Phase::failed) return std::nullopt;
    auto failure = enable(library);
    phase_ = failure ? Phase::failed : Phase::on;
    flushes_failed_ = 0;
    return failure;
}

std::optional<CuptiFailure> TimingSession::enable(const CuptiLibrary& library) {
    if (!functions_) functions_ = std::make_unique<Functions>(library);
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

void TimingSession::disable() {
    functions_->disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}

void TimingSession::stop_launches() {
    const std::lock_guard lock(mutex_);
    if (phase_ != Phase::on) return;
    phase_ = Phase::draining;
    disable();
}

void TimingSession::stop() {
    const std::lock_guard lock(mutex_);
    const Phase before = phase_;
    // What ended before a flush failed may still come.
    if (before != Phase::off && registered_) static_cast<void>(flush_buffers(true));
    phase_ = Phase::off;
    if (before == Phase::on) disable();
}

std::optional<CuptiFailure> TimingSession::flush() {
    const std::lock_guard lock(mutex_);
    const Phase before = phase_;
    if (before != Phase::on && before != Phase::draining) return std::nullopt;
    auto failure = flush_buffers(false);
    flushes_failed_ = failure ? flushes_failed_ + 1 : 0;
    if (failure && flushes_failed_ < flushes_tried) return std::nullopt;
    if (before == Phase::on) {
        if (!failure) return std::nullopt;
        phase_ = Phase::failed;
        disable();
        return failure;
    }
    const std::lock_guard expected(expected_mutex_);
    if (failure || expected_.empty()) phase_ = Phase::off;
    return std::nullopt;
}

std::optional<CuptiFailure> TimingSession::flush_buffers(bool all) {
    const CUptiResult code = functions_->flush_all(all ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
    if (code == CUPTI_SUCCESS) return std::nullopt;
    return CuptiFailure{code, "cuptiActivityFlushAll"};
}

void TimingSession::expect(std::uint32_t correlation, AwaitedLaunch launch) {
    const std::lock_guard lock(expected_mutex_);
    // Graphs are never taken out; the kernels of the older half have ended.
    if (expected_.size() >= most_expected)
        std::erase_if(expected_,
                      [&](const auto& other) { return correlation - other.first > most_expected / 2; });
    expected_[correlation] = {std::move(launch), 0};
}

std::optional<AwaitedLaunch> TimingSession::take_expected(std::uint32_t correlation) {
    const std::lock_guard lock(expected_mutex_);
    const auto found = expected_.find(correlation);
    if (found == expected_.end()) return std::nullopt;
    AwaitedLaunch launch = found->second.launch;
    launch.id += found->second.kernels_ended++;
    // How many kernels of a graph will end is not known.
    if (!launch.is_graph) expected_.erase(found);
    return launch;
}

void TimingSession::forget_expected() {
    const std::lock_guard lock(expected_mutex_);
    expected_.clear();
}

bool TimingSession::is_at_rest() {
    return try_lock_for(mutex_).owns_lock() && try_lock_for(expected_mutex_).owns_lock();
}

}  // namespace roofwalk::agent
