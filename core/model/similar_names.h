// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roofwalk {

/// Which names of a list begin alike, so that their short forms need not read the same: instances of one
/// template may differ only in their last arguments. The names live as long as this.
class SimilarNames {
  public:
    SimilarNames() = default;
    explicit SimilarNames(std::vector<std::string_view> names);

    /// The other name with the longest common start; empty where there is none, or `name` is not listed.
    [[nodiscard]] std::string_view to(std::string_view name) const;
    /// shorten_kernel_name() with the name that is similar. The short forms of listed names are made
    /// once: not for several threads at a time.
    [[nodiscard]] std::string shortened(std::string_view name, std::size_t max_chars) const;

  private:
    struct SimilarName {
        std::string_view similar;
        mutable std::unordered_map<std::size_t, std::string> shortened;  ///< by room
    };
    std::unordered_map<std::string_view, SimilarName> listed_;
};

}  // namespace roofwalk
