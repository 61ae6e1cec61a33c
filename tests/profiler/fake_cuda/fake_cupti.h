// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cupti_result.h>

#include <atomic>
#include <cstdlib>

#include "tests/profiler/fake_cuda/fake_interface.h"

namespace roofwalk::fake {

/// What the variable FAKE_CUPTI_FAIL wants of this call: "function:code" fails it always, "function:code:n"
/// from its n-th call on; several stand behind commas. A negative code is the signal by which it ends the
/// process.
[[nodiscard]] CUptiResult wanted_failure(const char* function);

/// A kernel has run: the profiler that counts its context keeps it.
void count_kernel(const Kernel& kernel);
bool is_counting(CUcontext context);

/// True where the driver's false twin is in this process and the process has not forked since.
[[nodiscard]] bool has_driver();

/// Whether libnvperf_host.so is found by its name, as the real one looks for it, and is that of the folder of
/// this library: the real one may not survive another.
[[nodiscard]] bool has_helper();

[[nodiscard]] bool find_context(CUcontext context, ContextFacts& facts);
void synchronize(CUcontext context);
[[nodiscard]] bool is_busy(CUcontext context);

/// An object that is made where it is first used, and gone once the end of the program has come to it: the
/// real library may hold such, and who uses it then ends the program.
template <class Owner>
void use_object_of(Owner) {
    static std::atomic<bool> gone = false;
    struct Object {
        ~Object() { gone = true; }
    };
    static const Object object;
    if (gone) std::abort();
}

}  // namespace roofwalk::fake

/// Returns from a function of CUPTI where a test wants it to fail.
#define ROOFWALK_FAKE_CALL()                                                                            \
    if (const CUptiResult failure = roofwalk::fake::wanted_failure(__func__); failure != CUPTI_SUCCESS) \
    return failure
