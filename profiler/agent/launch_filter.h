// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/wire/record.h"

namespace roofwalk::agent {

/// The ways in which a person may write the name of a kernel.
struct KernelName {
    std::string mangled;    ///< "_ZN2ns5saxpyIfEEvPT_"
    std::string demangled;  ///< "void ns::saxpy<float>(float*)"
    std::string base;       ///< "saxpy"

    [[nodiscard]] static KernelName of(std::string_view mangled);

    /// Whether `pattern`, with * for any letters, is one of them.
    [[nodiscard]] bool is_like(std::string_view pattern) const;
};

/// Whether all of `text` is like `pattern`, where * stands for any letters, also none.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);

/// Which launches a person wants recorded.
class LaunchFilter {
  public:
    explicit LaunchFilter(const wire::Orders& orders);

    /// Whether the filter lets kernels of this name through, wherever they are launched.
    [[nodiscard]] bool wants(std::string_view mangled);

    /// Whether kernels of this name are to be left alone: they may wait for others, and must not run alone.
    [[nodiscard]] bool leaves_alone(std::string_view mangled);

    /// Whether launches count wherever they are made.
    [[nodiscard]] bool is_everywhere() const { return ranges_.empty(); }

    /// Whether launches inside of a range of this name count.
    [[nodiscard]] bool counts_inside(std::string_view range) const;

    /// Whether take() says yes to every launch.
    [[nodiscard]] bool takes_all() const { return skip_ == 0 && !left_; }

    /// One more launch that got through the above: whether it is neither skipped nor beyond the count.
    [[nodiscard]] bool take();

  private:
    std::vector<std::string> kernels_;
    std::vector<std::string> except_;
    std::vector<std::string> ranges_;
    std::uint64_t skip_ = 0;
    std::optional<std::uint64_t> left_;

    struct Verdict {
        bool wanted = true;
        bool left_alone = false;
    };
    [[nodiscard]] const Verdict& verdict_on(std::string_view mangled);

    std::map<std::string, Verdict, std::less<>> known_;  ///< by mangled name
};

}  // namespace roofwalk::agent
