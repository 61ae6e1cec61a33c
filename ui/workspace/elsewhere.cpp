// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/elsewhere.h"

#include <utility>

#include "core/devices/device_ceilings.h"

namespace roofwalk {

std::shared_ptr<const Elsewhere> make_elsewhere(const Device* device, std::shared_ptr<const Profile> profile,
                                                std::shared_ptr<const Analysis> analysis,
                                                const Progress& progress) {
    if (!device) return nullptr;
    const AnalysisOptions& options = analysis->options;
    DeviceRoofs roofs = under_roofs_of({profile.get(), analysis.get()}, *device, progress);
    if (progress.cancelled()) return nullptr;
    return std::make_shared<const Elsewhere>(Elsewhere{
        std::move(profile),
        std::move(analysis),
        {device->name, resolve_ceilings(*device, nullptr, ClockBasis::boost, overrides_of(options, *device))},
        std::move(roofs)});
}

}  // namespace roofwalk
