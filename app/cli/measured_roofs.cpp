// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/measured_roofs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/input.h"
#include "core/base/text.h"
#include "core/devices/measured_json.h"
#include "profiler/recording/ceiling_store.h"

namespace roofwalk::cli {

namespace {

bool gets_any(const Profile& profile, const MeasuredUse& use) {
    return !measured_sets(profile, use).empty();
}

/// Of those that are kept, the ones that hold; what would be used and does not is said.
MeasuredUse kept_use(const Profile& profile, const MeasuredChoice& choice) {
    MeasuredUse use{{}, choice};
    const auto has_uuid = [](const Device& device) { return !device.uuid.empty(); };
    if (choice.for_model.empty() && (!choice.own_board || std::ranges::none_of(profile.devices, has_uuid)))
        return use;
    CeilingStoreContent offer = stored_ceilings([&](const std::shared_ptr<const MeasuredCeilings>& kept) {
        return gets_any(profile, {{kept}, choice});
    });
    for (const Error& problem : offer.problems)
        say_warning(to_line(problem));
    for (StoredCeilings& kept : offer.kept) {
        const std::string board = "the ceilings measured on " + kept.measured->device.device.uuid;
        std::string reasons;
        for (const std::string& reason : kept.stale)
            reasons += " " + reason;
        if (!reasons.empty()) {
            say_warning(board + " are stale and not used." + reasons +
                        " `roofwalk-cli ceilings` measures them again.");
            continue;
        }
        if (!kept.measured->complete)
            say_warning(board + " are of a run that was cut: other roofs are not measured ones");
        say("Roofs are those measured on " + kept.measured->device.device.uuid + " on " +
            kept.measured->date + "; --ceilings none takes others.");
        use.known.push_back(std::move(kept.measured));
    }
    return use;
}

std::string names_of(const Profile& profile) {
    std::string names;
    for (const Device& device : profile.devices)
        names += (names.empty() ? "" : ", ") + device.name + (device.uuid.empty() ? "" : " " + device.uuid);
    return names;
}

}  // namespace

Result<MeasuredUse> measured_use(const Profile& profile, const std::string& file,
                                 const MeasuredChoice& of_session) {
    if (file == "none") return MeasuredUse{{}, measured_choice_from(file)};
    if (file.empty()) return kept_use(profile, of_session);
    auto measured = open_input(file).and_then([&](const MappedFile& input) {
        return read_measured_ceilings(input.text(), name_for_display(file));
    });
    if (!measured) return tl::unexpected(measured.error());
    if (measured->benchmark_version != current_benchmarks)
        say_warning(
            printable(fmt::format("{} was measured by benchmarks of version {}, and this Roofwalk has {}: "
                                  "measure again to compare with others.",
                                  name_for_display(file), measured->benchmark_version, current_benchmarks)));
    const Device board = measured->device.device;
    MeasuredUse use{{std::make_shared<const MeasuredCeilings>(*std::move(measured))},
                    {.own_board = true, .for_model = board.uuid}};
    if (gets_any(profile, use)) return use;
    return unexpected(ErrorCode::bad_argument,
                      fmt::format("The ceilings are of {} {}, and no device of the reports is that one",
                                  board.name, board.uuid),
                      name_for_display(file), "The reports are of " + names_of(profile) + ".");
}

}  // namespace roofwalk::cli
