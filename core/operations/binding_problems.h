// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"

namespace roofwalk {

/// Bindings that could not be used, each cause told once however many names it meets.
class BindingProblems {
  public:
    /// `cause` is what failed: "Rule 2", "Kernel \"f\" is bound by hand". `error` is why, for `example`.
    void add(const std::string& cause, const Error& error, std::string_view example);
    void add(Error problem);

    [[nodiscard]] std::vector<Error> take();

  private:
    static constexpr std::size_t most_problems = 100;

    std::vector<Error> problems_;
    std::unordered_map<std::string, std::size_t> place_of_cause_;
    std::vector<std::uint32_t> further_;  ///< by problem: how many more like it
    std::size_t dropped_ = 0;
};

}  // namespace roofwalk
