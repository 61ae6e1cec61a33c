// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/name_pattern.h"

#include <regex.h>

#include <array>
#include <string_view>
#include <unordered_map>

#include "core/model/kernel_name.h"

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

std::vector<bool> NamePattern::matching(std::span<const KernelPoint> points) const {
    std::unordered_map<std::string_view, bool> known;  // launches of one kernel share its name
    std::vector<bool> list;
    for (const KernelPoint& point : points) {
        const auto [name, fresh] = known.try_emplace(point.name);
        if (fresh)
            name->second = finds(point.name) || finds(shorten_kernel_name(point.name, point.name.size()));
        list.push_back(name->second);
    }
    return list;
}

bool NamePattern::finds(const std::string& text) const {
    return regexec(&compiled_->expression, text.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace roofwalk::cli
