// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/roofline/analysis.h"

namespace re2 {
class RE2;
}

namespace roofwalk::cli {

/// A regular expression as RE2 takes it, as rules do, searched for anywhere in a kernel name: as tables show
/// it, without result type and parameters, so that "gemm$" finds "void gemm(float*)", or whole. Takes time in
/// proportion to the name.
class NamePattern {
  public:
    [[nodiscard]] static Result<NamePattern> compile(const std::string& expression);

    /// By point.
    [[nodiscard]] std::vector<bool> matching(std::span<const KernelPoint> points) const;
    /// In any other name, as it is.
    [[nodiscard]] bool finds(std::string_view text) const;

    /// `label` with $0 as all that is found in a kernel name and $1 to $9 as the groups of the expression; a
    /// $ before anything else stays.
    [[nodiscard]] std::string filled(const std::string& label, const std::string& kernel) const;

  private:
    explicit NamePattern(std::shared_ptr<const re2::RE2> pattern);
    std::shared_ptr<const re2::RE2> pattern_;
};

}  // namespace roofwalk::cli
