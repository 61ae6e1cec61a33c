// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/measured_roofs.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/console.h"
#include "app/cli/input_text.h"
#include "core/ceilings/apply_measured.h"
#include "core/ceilings/measured_json.h"
#include "profiler/measure/board_here.h"
#include "profiler/measure/ceiling_cache.h"

namespace roofwalk::cli {

namespace {

/// Why kept ceilings of a board are not used, as far as this machine knows; empty: they are.
std::string why_not(const MeasuredCeilings& kept) {
    const MeasuredDevice now = board_here(kept.device.device.uuid).value_or(MeasuredDevice{});
    std::string reasons;
    for (const std::string& reason : why_stale(kept, now))
        reasons += " " + reason;
    return reasons;
}

void add_kept(Profile& profile) {
    const auto has_uuid = [](const Device& device) { return !device.uuid.empty(); };
    if (std::ranges::none_of(profile.devices, has_uuid)) return;
    const auto cache = CeilingCache::of_user();
    if (!cache) return;
    const CeilingCache::Kept kept = cache->read();
    for (const Error& problem : kept.problems)
        say_warning(printable(to_line(problem)));
    for (const MeasuredCeilings& measured : kept.measured) {
        if (std::ranges::find(profile.devices, measured.device.device.uuid, &Device::uuid) ==
            profile.devices.end())
            continue;
        if (const std::string reasons = why_not(measured); !reasons.empty())
            say_warning(printable("the ceilings measured on " + measured.device.device.uuid +
                                  " are stale and not used." + reasons +
                                  " `roofwalk-cli ceilings` measures them again."));
        else if (add_measured(profile, {&measured, 1}) > 0 && !measured.complete)
            say_warning(printable("the ceilings measured on " + measured.device.device.uuid +
                                  " are of a run that was cut: other roofs are not measured ones"));
    }
}

std::string names_of(const Profile& profile) {
    std::string names;
    for (const Device& device : profile.devices)
        names += (names.empty() ? "" : ", ") + device.name + (device.uuid.empty() ? "" : " " + device.uuid);
    return names;
}

}  // namespace

Result<void> add_measured_roofs(Profile& profile, const std::string& file) {
    if (file == "none") return {};
    if (file.empty()) {
        add_kept(profile);
        return {};
    }
    const auto measured = InputText::read(file).and_then(
        [&](const InputText& input) { return read_measured_ceilings(input.text(), said_name(file)); });
    if (!measured) return tl::unexpected(measured.error());
    if (add_measured_on_request(profile, *measured) > 0) return {};
    const Device& board = measured->device.device;
    return tl::unexpected(
        Error{ErrorCode::bad_argument,
              fmt::format("The ceilings are of {} {}, and no device of the reports is that one", board.name,
                          board.uuid),
              said_name(file), "The reports are of " + names_of(profile) + "."});
}

}  // namespace roofwalk::cli
