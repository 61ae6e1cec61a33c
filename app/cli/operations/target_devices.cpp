// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/operations/target_devices.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "app/cli/device_name.h"
#include "app/cli/measured_roofs.h"
#include "app/cli/shared_options.h"
#include "core/devices/match_device.h"

namespace roofwalk::cli {

void add_target_options(CLI::App& verb, TargetOptions& options, int most_devices) {
    verb.add_option(
            "--device", options.devices,
            most_devices > 1
                ? "GPU of the built-in table, such as \"H100 SXM\", or a file that describes one; given "
                  "twice, both are shown"
                : "GPU of the built-in table, such as \"H100 SXM\", or a file that describes one")
        ->type_name("NAME|FILE")
        ->each(print_device_list)
        ->check(device_name_check)
        ->expected(1)
        ->multi_option_policy(most_devices > 1 ? CLI::MultiOptionPolicy::TakeAll
                                               : CLI::MultiOptionPolicy::Throw)
        ->allow_extra_args(false);
    verb.add_option("--ceilings", options.ceilings,
                    "ceilings measured on the device, as `ceilings -o` writes them, with its launch floor")
        ->type_name("FILE");
    verb.add_option(
            "--launch-floor", options.launch_floor,
            "what a launch takes at least on the GPU, in microseconds; 0 leaves it out (default: what was "
            "measured on the GPU, else 2)")
        ->check(number_between(0, 1000))
        ->type_name("US");
}

Result<TargetDevices> target_devices(const TargetOptions& options) {
    TargetDevices target;
    Profile boards;
    for (const std::string& name : options.devices) {
        Result<Device> device = named_device(name);
        if (!device) return tl::unexpected(std::move(device).error());
        boards.devices.push_back(*std::move(device));
    }
    if (!boards.devices.empty() && !options.ceilings.empty()) {
        const Result<MeasuredUse> measured = measured_use(boards, options.ceilings, {});
        if (!measured) return tl::unexpected(measured.error());
        target.options.measured = measured_sets(boards, *measured);
    }
    if (options.launch_floor) target.options.launch_floor = Seconds(*options.launch_floor * 1e-6);
    if (!boards.devices.empty()) target.options.memory = memory_of(boards.devices);
    target.floors = launch_floors(boards, target.options);
    target.devices = std::move(boards.devices);
    return target;
}

}  // namespace roofwalk::cli
