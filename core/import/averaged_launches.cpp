// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/averaged_launches.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace roofwalk {

namespace {

constexpr std::size_t most_copies = 1'000'000;

}  // namespace

void AveragedLaunches::add(std::vector<Launch>& launches, Launch average, double count, StringPool& texts) {
    if (count < 1 || count != std::trunc(count) || count - 1 > static_cast<double>(most_copies - copies_)) {
        average.duration.reset();
        shown_once_.push_back(static_cast<LaunchIndex>(launches.size()));
        launches.push_back(std::move(average));
        return;
    }
    if (average.duration && count > 1) {
        average.duration_source =
            texts.intern(fmt::format("{}, average of {:.0f}", texts.view(average.duration_source), count));
        if (average.duration_origin == TimeOrigin::measured) average.duration_origin = TimeOrigin::alike;
    }
    copies_ += static_cast<std::size_t>(count) - 1;
    launches.insert(launches.end(), static_cast<std::size_t>(count), average);
}

void AveragedLaunches::warn(Profile& profile, std::string hint) {
    if (shown_once_.empty()) return;
    profile.warnings.push_back(
        {{ErrorCode::not_understood,
          fmt::format(
              "{} averages are of a part of a launch, of none, or of so many that the file has more than "
              "{} launches. One launch is kept of each, without a time",
              shown_once_.size(), most_copies),
          fmt::format("kernel {}", static_cast<std::size_t>(shown_once_.front())), std::move(hint)},
         std::move(shown_once_),
         true});
}

}  // namespace roofwalk
