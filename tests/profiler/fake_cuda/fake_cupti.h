// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cupti_result.h>

#include "tests/profiler/fake_cuda/fake_interface.h"

namespace roofwalk::fake {

/// What the variable FAKE_CUPTI_FAIL wants of this call: "function:code" fails it always, "function:code:n"
/// from its n-th call on; several stand behind commas.
[[nodiscard]] CUptiResult wanted_failure(const char* function);

/// A kernel has run: the profiler that counts its context keeps it.
void count_kernel(const Kernel& kernel);

/// True where the driver's false twin is in this process and the process has not forked since.
[[nodiscard]] bool has_driver();

[[nodiscard]] bool find_context(CUcontext context, ContextFacts& facts);
void synchronize();

}  // namespace roofwalk::fake

/// Returns from a function of CUPTI where a test wants it to fail.
#define ROOFWALK_FAKE_CALL()                                                                            \
    if (const CUptiResult failure = roofwalk::fake::wanted_failure(__func__); failure != CUPTI_SUCCESS) \
    return failure
