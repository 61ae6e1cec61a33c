// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/launch_filter.h"

#include <algorithm>

#include "profiler/wire/demangled.h"

namespace roofwalk::agent {

namespace {

/// `name` up to the bracket that opens its arguments, those of templates left out.
std::string base_of(std::string_view name) {
    std::string base;
    int depth = 0;
    for (const char letter : name) {
        if (letter == '<' || letter == '[' || letter == '{') ++depth;
        if (depth == 0) {
            if (letter == '(' && !base.empty()) break;
            const bool starts_anew = letter == ' ' || letter == ':' || letter == '*' || letter == '&';
            if (starts_anew)
                base.clear();
            else
                base += letter;
        }
        if (letter == '>' || letter == ']' || letter == '}') --depth;
    }
    return base;
}

bool is_like_one(const KernelName& name, const std::vector<std::string>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return name.is_like(pattern); });
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
    std::size_t at = 0;
    std::size_t in_text = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    while (in_text < text.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            resume = in_text;
        } else if (at < pattern.size() && pattern[at] == text[in_text]) {
            ++at;
            ++in_text;
        } else if (star != std::string_view::npos) {
            at = star + 1;
            in_text = ++resume;
        } else {
            return false;
        }
    }
    while (at < pattern.size() && pattern[at] == '*')
        ++at;
    return at == pattern.size();
}

KernelName KernelName::of(std::string_view mangled) {
    KernelName name;
    name.mangled = mangled;
    name.demangled = wire::demangled(name.mangled);
    std::string_view rest = name.demangled;
    constexpr std::string_view anonymous = "(anonymous namespace)::";
    if (const auto at = rest.rfind(anonymous); at != std::string_view::npos && rest.find('(') == at)
        rest.remove_prefix(at + anonymous.size());
    name.base = base_of(rest);
    if (name.base.empty()) name.base = name.demangled;
    return name;
}

bool KernelName::is_like(std::string_view pattern) const {
    return matches(pattern, base) || matches(pattern, demangled) || matches(pattern, mangled);
}

LaunchFilter::LaunchFilter(const wire::Orders& orders)
    : kernels_(orders.kernels.begin(), orders.kernels.end()),
      except_(orders.except.begin(), orders.except.end()),
      ranges_(orders.nvtx_ranges.begin(), orders.nvtx_ranges.end()),
      skip_(orders.skip),
      left_(orders.count) {}

const LaunchFilter::Verdict& LaunchFilter::verdict_on(std::string_view mangled) {
    const auto found = known_.find(mangled);
    if (found != known_.end()) return found->second;
    const KernelName name = KernelName::of(mangled);
    const bool left_alone = is_like_one(name, except_);
    const bool wanted = !left_alone && (kernels_.empty() || is_like_one(name, kernels_));
    return known_.emplace(mangled, Verdict{wanted, left_alone}).first->second;
}

bool LaunchFilter::wants(std::string_view mangled) {
    return verdict_on(mangled).wanted;
}

bool LaunchFilter::leaves_alone(std::string_view mangled) {
    return verdict_on(mangled).left_alone;
}

bool LaunchFilter::counts_inside(std::string_view range) const {
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [&](const std::string& pattern) { return matches(pattern, range); });
}

bool LaunchFilter::take() {
    if (skip_ > 0) {
        --skip_;
        return false;
    }
    if (!left_) return true;
    if (*left_ == 0) return false;
    --*left_;
    return true;
}

}  // namespace roofwalk::agent
