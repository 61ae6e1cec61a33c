// SPDX-License-Identifier: GPL-3.0-or-later
// An agent whose file takes long to load.
#include <unistd.h>

namespace {

[[gnu::constructor]] void take_long() {
    usleep(1'500'000);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int RoofwalkAgentListen(const char* /*cupti*/) {
    return 1;
}
