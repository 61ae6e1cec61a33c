// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace roofwalk::test {

/// What happens whenever this process syncs a file or a folder, before it does so: with its descriptor, on
/// the thread that syncs. So a test has a slow disk, looks at a file that has no name yet, or does what
/// another program would do in that moment. Set it while nothing is written.
void set_before_sync(std::function<void(int descriptor)> what);

}  // namespace roofwalk::test
