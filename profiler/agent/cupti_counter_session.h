// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "profiler/agent/cupti_library.h"
#include "profiler/agent/launch_policy.h"
#include "profiler/wire/record.h"

namespace roofwalk::agent {

/// What CUPTI says of a device and its counters.
struct CounterSupport {
    std::string chip;  ///< "GH100"; empty when CUPTI does not know it
    std::vector<std::byte> availability;
    std::optional<CuptiFailure> failure;  ///< why there are no counters
};

/// `context` is one of the device.
[[nodiscard]] CounterSupport counter_support(const CuptiLibrary& library, std::uint32_t device,
                                             void* context);

struct CounterData {
    wire::Image image;       ///< valid until the next start()
    std::size_t ranges = 0;  ///< kernels that ran
};

/// CUPTI's range profiler of one context: counts its kernels each for itself, which therefore run one by one
/// meanwhile. It counts what it is first configured for. Given another configuration, CUPTI 13.0 answers
/// without error, gives no value for new metrics, and adds what ran meanwhile to those of patched
/// instructions: a set needs a profiler of its own, which costs about 0.14 s (H100, driver 580).
class RangeProfiler {
  public:
    /// Null where the device does not let itself be counted: `why` says so.
    [[nodiscard]] static std::unique_ptr<RangeProfiler> enable(const CuptiLibrary& library, void* context,
                                                               CuptiFailure& why);
    ~RangeProfiler();

    [[nodiscard]] bool is_configured_for(const std::shared_ptr<const CounterSet>& set,
                                         std::size_t kernels) const {
        return set_ == set && kernels_ == kernels;
    }

    /// Counts up to `kernels` kernels from now on; of the same set each time.
    [[nodiscard]] std::optional<CuptiFailure> start(const std::shared_ptr<const CounterSet>& set,
                                                    std::size_t kernels);

    /// Waits for the kernels.
    [[nodiscard]] std::optional<CuptiFailure> stop(CounterData& data);
    [[nodiscard]] bool has_all(const CounterData& data) const { return data.ranges == kernels_; }

  private:
    struct Functions;
    explicit RangeProfiler(std::unique_ptr<Functions> functions);

    [[nodiscard]] std::optional<CuptiFailure> make_image(const CounterSet& set, std::size_t kernels);

    std::unique_ptr<Functions> functions_;
    std::shared_ptr<const CounterSet> set_;  ///< that the profiler is configured for
    std::size_t kernels_ = 0;
    std::vector<std::byte> image_;
};

/// Counts launches, one of the process at a time: kernels that other threads launch meanwhile would be
/// counted with it. Each device has a range profiler for one of its contexts at a time, while launches there
/// are counted: other programs can have its counters otherwise.
class CounterSession {
  public:
    /// A launch that is being counted.
    struct Running {
        std::string kernel;
        std::uint64_t since_ns = 0;
    };

    /// Waits until nobody has the turn, then takes it; false when that lasts too long.
    [[nodiscard]] bool take_turn();
    void end_turn();
    /// Waits until nobody has the turn, or too long: whoever has it may be waiting for the launch that asks.
    void wait_for_turn();
    /// For who is about to do without CUPTI: waits until no other thread has the turn, or too long.
    void wait_for_others();
    /// Whether no thread, not even the calling one, holds what the end of the program needs.
    [[nodiscard]] bool is_at_rest();
    /// Whether another launch has slipped in since take_turn().
    [[nodiscard]] bool is_disturbed();

    /// For whoever has the turn, as the next two: the launch is waited for from now on, and what was launched
    /// before it ends first. False where the driver fails.
    [[nodiscard]] bool begin(void* context, const ObservedLaunch& launch);
    /// Counts the kernels of `launch` from now on.
    [[nodiscard]] std::optional<CuptiFailure> start(const CuptiLibrary& library, void* context,
                                                    const ObservedLaunch& launch);
    /// Waits for the kernels, of which some may not have run. What fails is begun anew with the next launch.
    [[nodiscard]] std::optional<CuptiFailure> stop(CounterData& data, bool may_lack = false);
    /// From start() to stop() [ns], of the last launch.
    [[nodiscard]] std::uint64_t took_ns() const { return took_ns_; }

    [[nodiscard]] std::optional<Running> running() const;

    /// Whether a launch has the turn, and uses them.
    [[nodiscard]] bool is_in_use() const;
    /// Lets go of the counters where no launch has been counted for a while; whether there were such.
    bool release_idle();
    /// Lets go of the counters of one context when nobody has the turn, or gives up after too long.
    void release(void* context);
    /// The same of all; false where it gave up.
    [[nodiscard]] bool release_all();

  private:
    static constexpr std::chrono::seconds turn_timeout{1};
    static constexpr std::uint64_t idle_ns = 2'000'000'000;

    /// Of one context.
    struct ContextProfiler {
        void* context = nullptr;
        std::unique_ptr<RangeProfiler> profiler;
        std::uint64_t used_ns = 0;  ///< last
    };

    /// Absent where the turn is not to be had; else how many went.
    std::optional<std::size_t> release_if(const std::function<bool(const ContextProfiler&)>& goes);

    mutable std::mutex mutex_;  ///< of the next five
    std::condition_variable turn_ended_;
    bool turn_taken_ = false;
    std::thread::id turn_of_;
    bool disturbed_ = false;
    std::optional<Running> running_;

    std::map<std::uint32_t, ContextProfiler> enabled_;  ///< by device; of whoever has the turn, as the next
    std::uint32_t device_ = 0;                          ///< of the launch that is being counted
    std::uint64_t started_ns_ = 0;
    std::uint64_t took_ns_ = 0;
};

}  // namespace roofwalk::agent
