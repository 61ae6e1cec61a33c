// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <regex.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/wire/record.h"

namespace roofwalk::agent {

/// Extended regular expressions of POSIX. One that the C library does not take is found nowhere.
class NamePatterns {
  public:
    explicit NamePatterns(const wire::TextList& expressions);

    [[nodiscard]] bool empty() const { return patterns_.empty(); }
    /// Whether one of them is found anywhere in `text`.
    [[nodiscard]] bool find_in(const std::string& text) const;
    /// The same of the demangled name of a kernel, as in "void ns::saxpy<float>(float*)", or of "saxpy"
    /// alone.
    [[nodiscard]] bool find_in_kernel(std::string_view mangled) const;

  private:
    std::vector<std::shared_ptr<const regex_t>> patterns_;
};

/// "saxpy" of "void ns::saxpy<float>(float*)"; all of it where that is no name of a function.
[[nodiscard]] std::string base_name(std::string_view demangled);

/// Which launches a person wants recorded.
class CompiledLaunchFilter {
  public:
    explicit CompiledLaunchFilter(const wire::Orders& orders);

    /// Whether the filter lets kernels of this name through, wherever they are launched.
    [[nodiscard]] bool wants(std::string_view mangled);

    /// Whether kernels of this name are to be left alone: they may wait for others, and must not run alone.
    [[nodiscard]] bool leaves_alone(std::string_view mangled);

    /// Whether launches count wherever they are made.
    [[nodiscard]] bool is_everywhere() const { return ranges_.empty(); }

    /// Whether launches inside of a range of this name count.
    [[nodiscard]] bool counts_inside(const std::string& range) const;

    /// Whether take() says yes to every launch.
    [[nodiscard]] bool takes_all() const { return skip_ == 0 && !left_; }

    /// One more launch that got through the above: whether it is neither skipped nor beyond the count.
    [[nodiscard]] bool take();

  private:
    NamePatterns kernels_;
    NamePatterns except_;
    NamePatterns ranges_;
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
