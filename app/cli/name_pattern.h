// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/roofline/analysis.h"

namespace roofwalk::cli {

/// A POSIX extended regular expression, as `grep -E` takes it, searched for anywhere in a kernel name: as
/// tables show it, without result type and parameters, so that "gemm$" finds "void gemm(float*)", or whole.
/// (std::regex recurses once per character and can exhaust the stack on the names some templates have.)
class NamePattern {
  public:
    [[nodiscard]] static Result<NamePattern> compile(const std::string& expression);

    /// By point.
    [[nodiscard]] std::vector<bool> matching(std::span<const KernelPoint> points) const;

  private:
    struct Compiled;
    explicit NamePattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
    [[nodiscard]] bool finds(const std::string& text) const;
    std::shared_ptr<const Compiled> compiled_;
};

}  // namespace roofwalk::cli
