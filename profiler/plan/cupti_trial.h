// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "profiler/plan/cupti_host.h"

namespace roofwalk {

/// The libcupti that plans counters here.
struct CuptiChoice {
    std::filesystem::path library;     ///< empty: none does
    std::uint32_t version = 0;         ///< CUPTI_API_VERSION; 0: not asked
    std::vector<std::string> chips;    ///< that it counts on
    std::vector<Error> passed_over{};  ///< those before it that do not plan here, and why
};

/// Texts, of any bytes.
using CuptiAnswer = std::vector<std::string>;

/// CUPTI takes a fifth of a second where nothing else runs.
inline constexpr std::chrono::milliseconds cupti_patience{30'000};

/// The CUPTI of a file in a process of its own, begun by the first question: of some releases it ends without
/// a driver. It never gets a new one.
class CuptiProcess {
  public:
    /// Answers in that process.
    using Service = std::function<Result<CuptiAnswer>(const CuptiHost&, const CuptiAnswer& question)>;

    /// `remedy` is what to do where it does not work and says no better.
    CuptiProcess(std::filesystem::path library, Service service,
                 std::chrono::milliseconds limit = cupti_patience, std::string remedy = {});
    CuptiProcess(const CuptiProcess&) = delete;
    CuptiProcess& operator=(const CuptiProcess&) = delete;
    ~CuptiProcess();

    /// An error where it takes longer than the limit, soon after `stop`, and ever after the process has
    /// ended.
    [[nodiscard]] Result<CuptiAnswer> ask(const CuptiAnswer& question, const std::stop_token& stop = {});

    [[nodiscard]] const std::optional<Error>& gone() const { return gone_; }  ///< why it answers no more

  private:
    [[nodiscard]] Result<void> start();
    int end(bool at_once);

    std::filesystem::path library_;
    Service service_;
    std::chrono::milliseconds limit_;
    std::string remedy_;
    pid_t child_ = -1;
    Descriptor socket_;
    std::optional<Error> gone_;
};

/// One question to a CuptiProcess.
[[nodiscard]] Result<CuptiAnswer> ask_cupti(
    const std::filesystem::path& library,
    const std::function<Result<CuptiAnswer>(const CuptiHost&)>& question,
    std::chrono::milliseconds limit = cupti_patience, const std::stop_token& stop = {},
    std::string remedy = {});

/// Whether this file is of a CUPTI that works with newer drivers alone. `driver_cuda` as cuDriverGetVersion()
/// writes it; absent: there is none, and CUPTI only plans.
[[nodiscard]] bool needs_newer_driver(const std::filesystem::path& library, std::optional<int> driver_cuda);

struct CuptiSearch {
    std::optional<int> driver_cuda{};  ///< as needs_newer_driver() wants it
    std::stop_token stop{};
    std::chrono::milliseconds limit = cupti_patience;
};

/// The first of `libraries` that works with the driver and plans for a chip, each tried by ask_cupti(). All
/// together take `limit` at most, each half of what is left of it: one that hangs leaves time for the next.
[[nodiscard]] CuptiChoice choose_cupti(const std::vector<std::filesystem::path>& libraries,
                                       const CuptiSearch& search = {});

/// Why `choice` is empty, with the remedy.
[[nodiscard]] Error why_no_cupti(const CuptiChoice& choice);

/// "13.0" of CUPTI_API_VERSION 130001, "12.9" of 28: the release of CUDA.
[[nodiscard]] std::string words_for_cupti(std::uint32_t version);

}  // namespace roofwalk
