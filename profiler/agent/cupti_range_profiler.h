// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/agent/cupti_library.h"
#include "profiler/wire/record.h"

namespace roofwalk::agent {

/// What to count, as the collector has planned it.
struct CounterSet {
    explicit CounterSet(const wire::CounterPlan& plan);

    char plan = 'A';
    std::uint32_t table = 0;
    std::uint32_t passes = 1;
    std::vector<std::string> metrics;
    std::vector<std::byte> config;
};

struct CounterData {
    wire::Image image;       ///< valid until the next start()
    std::size_t ranges = 0;  ///< kernels that ran
};

/// Counts the kernels of one context, each for itself, which therefore run one by one meanwhile.
class RangeProfiler {
  public:
    /// Null where the device does not let itself be counted: `why` says so.
    [[nodiscard]] static std::unique_ptr<RangeProfiler> enable(const CuptiLibrary& library, void* context,
                                                               CuptiFailure& why);
    ~RangeProfiler();

    /// Counts up to `kernels` kernels from now on.
    [[nodiscard]] std::optional<CuptiFailure> start(const std::shared_ptr<const CounterSet>& set,
                                                    std::size_t kernels);

    /// Waits for the kernels.
    [[nodiscard]] std::optional<CuptiFailure> stop(CounterData& data);

  private:
    struct Functions;
    explicit RangeProfiler(std::unique_ptr<Functions> functions);

    [[nodiscard]] std::optional<CuptiFailure> configure(const CounterSet& set, std::size_t kernels);
    [[nodiscard]] std::optional<CuptiFailure> stop_and_decode(CounterData& data);

    std::unique_ptr<Functions> functions_;
    std::shared_ptr<const CounterSet> set_;  ///< that the profiler is configured for
    std::size_t kernels_ = 0;
    std::vector<std::byte> image_;
};

}  // namespace roofwalk::agent
