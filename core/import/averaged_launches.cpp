// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/averaged_launches.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/base/text.h"

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
    const LaunchIndex first = shown_once_.front();
    const bool one = shown_once_.size() == 1;
    profile.warnings.push_back(
        {{ErrorCode::not_understood,
          fmt::format(
              "{} of a part of a launch, of none, or of so many that the file has more than {} launches. "
              "One launch is kept of {}, without a time",
              one ? "An average is" : format_count(static_cast<double>(shown_once_.size())) + " averages are",
              format_count(static_cast<double>(most_copies)), one ? "it" : "each"),
          fmt::format("kernel {}, {}", static_cast<std::size_t>(first),
                      profile.kernel_of(profile.at(first)).name),
          std::move(hint)},
         std::move(shown_once_),
         true});
}

}  // namespace roofwalk
