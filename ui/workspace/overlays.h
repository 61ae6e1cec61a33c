// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workspace/compared.h"
#include "ui/workspace/elsewhere.h"
#include "ui/workspace/what_if.h"

namespace roofwalk {

/// What is shown beside the kernels as they were measured.
struct Overlays {
    std::shared_ptr<const WhatIf> what_if;
    std::shared_ptr<const Compared> compared;    ///< null without an older report
    std::shared_ptr<const Elsewhere> elsewhere;  ///< null without another GPU
};

}  // namespace roofwalk
