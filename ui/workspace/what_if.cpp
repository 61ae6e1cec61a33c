// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/what_if.h"

#include "core/scenario/moved_analysis.h"

namespace roofwalk {

std::shared_ptr<const WhatIf> make_what_if(const Scenario& scenario, const Profile& profile,
                                           const Analysis& analysis, const Progress& progress) {
    if (progress.cancelled()) return nullptr;
    const Progress stop{{}, progress.stop};
    auto made =
        std::make_shared<WhatIf>(WhatIf{scenario, effect_of(scenario, profile, analysis, stop), nullptr});
    if (!made->effect.kernels.empty() && !progress.cancelled())
        made->moved = std::make_shared<const Analysis>(moved_analysis(analysis, made->effect, stop));
    if (progress.cancelled()) return nullptr;
    return made;
}

}  // namespace roofwalk
