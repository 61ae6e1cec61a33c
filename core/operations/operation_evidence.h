// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/model/launch.h"

namespace roofwalk {

/// An operation and the numbers of a launch that speak for it.
struct OperationEvidence {
    std::string operation;
    std::string why;
};

/// Only where numbers agree that chance would not make agree; a name alone is no evidence.
[[nodiscard]] std::optional<OperationEvidence> evidence_of(const std::string& kernel, const Launch& launch);

}  // namespace roofwalk
