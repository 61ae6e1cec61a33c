// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "profiler/recording/child_process.h"

namespace roofwalk {

/// What Nsight Compute tells as it records, among what the program writes: lines that hold `==PROF==`,
/// `==WARNING==` or `==ERROR==`, perhaps behind words of the program that have no line end.
class NcuLog {
  public:
    /// The next piece of one of the two streams, cut anywhere.
    void add(ChildStream stream, std::string_view text);

    /// Programs it has connected to.
    [[nodiscard]] std::uint32_t processes() const { return processes_; }
    /// Launches it has measured to the end.
    [[nodiscard]] std::uint64_t launches() const { return launches_; }
    /// Errors and warnings; the same words once.
    [[nodiscard]] const std::vector<Error>& problems() const { return problems_; }
    /// The file it names as its report; empty before that.
    [[nodiscard]] const std::string& report() const { return report_; }

  private:
    void take_line(std::string_view line);
    void add_problem(std::string_view words);

    std::array<std::string, 2> lines_;  ///< of each stream the end of the one that is still coming
    std::uint32_t processes_ = 0;
    std::uint64_t launches_ = 0;
    std::vector<Error> problems_;
    std::string report_;
};

}  // namespace roofwalk
