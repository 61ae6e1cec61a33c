// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/launch_filter.h"

#include <algorithm>

#include "profiler/agent/name_pattern.h"

namespace roofwalk::agent {

namespace {

bool is_like_one(const KernelName& name, const std::vector<std::string>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return name.is_like(pattern); });
}

}  // namespace

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
