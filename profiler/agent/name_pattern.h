// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

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

}  // namespace roofwalk::agent
