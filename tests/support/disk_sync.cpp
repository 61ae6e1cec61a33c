// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/disk_sync.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::function<void(int)> before_sync;

}  // namespace

void roofwalk::test::set_before_sync(std::function<void(int descriptor)> what) {
    before_sync = std::move(what);
}

/// In the place of that of the C library.
extern "C" int fsync(int descriptor) {
    if (before_sync) before_sync(descriptor);
    return static_cast<int>(syscall(SYS_fsync, descriptor));
}
