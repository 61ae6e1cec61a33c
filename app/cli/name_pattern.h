// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/error.h"

namespace roofwalk::cli {

/// A POSIX extended regular expression, as `grep -E` takes it, searched for anywhere in a kernel name.
/// (std::regex recurses once per character and can exhaust the stack on the names some templates have.)
class NamePattern {
  public:
    [[nodiscard]] static Result<NamePattern> compile(const std::string& expression);

    [[nodiscard]] bool matches(const std::string& name) const;

  private:
    struct Compiled;
    explicit NamePattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
    std::shared_ptr<const Compiled> compiled_;
};

}  // namespace roofwalk::cli
