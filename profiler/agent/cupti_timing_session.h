// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profiler/agent/cupti_library.h"
#include "profiler/wire/record.h"

namespace roofwalk::agent {

/// One kernel that has run.
struct KernelActivity {
    std::string_view name;
    std::uint32_t correlation = 0;  ///< of the call that launched it
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    wire::Extent grid;
    wire::Extent block;
    std::uint32_t registers = 0;
    std::uint32_t static_shared = 0;   ///< [byte]
    std::uint32_t dynamic_shared = 0;  ///< [byte]
    std::uint64_t start_ns = 0;        ///< since 1970; 0 when CUPTI could not tell
    std::uint64_t end_ns = 0;
};

/// A launch whose kernels CUPTI will tell of.
struct AwaitedLaunch {
    std::uint64_t id = 0;
    bool is_graph = false;
    std::vector<std::string> nvtx;
};

/// Times of kernels, which CUPTI keeps in buffers while they run as ever. One for a process, for whose life
/// it lasts.
class TimingSession {
  public:
    /// Called from threads of CUPTI and from those that flush.
    struct Listener {
        std::function<void(const KernelActivity&)> kernel_ended;
        std::function<void()> buffer_completed;  ///< before what is in it is read
    };

    explicit TimingSession(Listener listener);
    ~TimingSession();

    /// From now on kernels are timed. For threads that launch; does nothing while another thread is at it,
    /// and after it has failed until stop().
    [[nodiscard]] std::optional<CuptiFailure> start(const CuptiLibrary& library);
    /// What was launched before is still told of, as it ends.
    void stop_launches();
    /// Hands over all that there is, also what still runs, and ends.
    void stop();
    /// Hands over what has ended.
    [[nodiscard]] std::optional<CuptiFailure> flush();

    [[nodiscard]] bool is_on() const { return phase_ == Phase::on; }
    [[nodiscard]] bool has_failed() const { return phase_ == Phase::failed; }

    void expect(std::uint32_t correlation, AwaitedLaunch launch);
    /// The launch of a kernel that has ended, with the id of that kernel; absent when it was not expected.
    [[nodiscard]] std::optional<AwaitedLaunch> take_expected(std::uint32_t correlation);
    void forget_expected();

    /// Whether no thread is in the midst of it, after a moment of waiting.
    [[nodiscard]] bool is_at_rest();

  private:
    struct Functions;
    struct Buffers;
    enum class Phase {
        off,
        on,
        draining,  ///< nothing more is timed; kernels that were are told of
        failed,
    };

    [[nodiscard]] std::optional<CuptiFailure> enable(const CuptiLibrary& library);
    [[nodiscard]] std::optional<CuptiFailure> flush_buffers(bool all);
    void disable();

    Listener listener_;
    std::mutex mutex_;  ///< of the next five, and held while CUPTI is called
    std::unique_ptr<Functions> functions_;
    std::atomic<Phase> phase_ = Phase::off;
    bool registered_ = false;
    std::int64_t clock_offset_ns_ = 0;  ///< from CUPTI's clock to that of the system
    int flushes_failed_ = 0;            ///< in a row

    struct ExpectedLaunch {
        AwaitedLaunch launch;
        std::uint64_t kernels_ended = 0;
    };
    std::mutex expected_mutex_;  ///< may be taken inside of mutex_, and nothing inside of it
    std::unordered_map<std::uint32_t, ExpectedLaunch> expected_;  ///< by correlation
};

}  // namespace roofwalk::agent
