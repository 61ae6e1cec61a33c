// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

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
    std::optional<std::uint64_t> graph_node;
};

/// Times of kernels, which CUPTI keeps in buffers while they run as ever. One for a process.
class KernelTimes {
  public:
    using Heard = std::function<void(const KernelActivity&)>;

    /// Lives until the process ends. `heard` is called from threads of CUPTI and from flush().
    KernelTimes(const CuptiLibrary& library, Heard heard);
    ~KernelTimes();

    [[nodiscard]] std::optional<CuptiFailure> enable();
    void disable();

    /// Hands over what has ended; with `all`, also buffers with kernels that still run.
    [[nodiscard]] std::optional<CuptiFailure> flush(bool all);

  private:
    struct Functions;
    struct Buffers;
    std::unique_ptr<Functions> functions_;
    Heard heard_;
    bool registered_ = false;
    std::int64_t clock_offset_ns_ = 0;  ///< from CUPTI's clock to that of the system
};

}  // namespace roofwalk::agent
