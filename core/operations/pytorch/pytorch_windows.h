// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/pytorch/pytorch_inputs.h"

namespace roofwalk::pytorch {

/// Elements of windows become one each; a maximum says as a 64-bit number which it was.
[[nodiscard]] Known pooling(const PytorchCall& op, const Family& family);

[[nodiscard]] Known convolution(const PytorchCall& op, const Family& family);

}  // namespace roofwalk::pytorch
