// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/name_pattern.h"

#include <regex.h>

#include <array>

namespace roofwalk::cli {

struct NamePattern::Compiled {
    regex_t expression{};
    int status = 0;

    explicit Compiled(const std::string& text)
        : status(regcomp(&expression, text.c_str(), REG_EXTENDED | REG_NOSUB)) {}
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
    ~Compiled() {
        if (status == 0) regfree(&expression);
    }
};

Result<NamePattern> NamePattern::compile(const std::string& expression) {
    auto compiled = std::make_shared<const Compiled>(expression);
    if (compiled->status == 0) return NamePattern(std::move(compiled));
    std::array<char, 256> reason{};
    regerror(compiled->status, &compiled->expression, reason.data(), reason.size());
    return tl::unexpected(Error{ErrorCode::bad_argument, "The regular expression cannot be used", expression,
                                std::string(reason.data()) + "."});
}

bool NamePattern::matches(const std::string& name) const {
    return regexec(&compiled_->expression, name.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace roofwalk::cli
