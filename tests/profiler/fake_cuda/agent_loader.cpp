// SPDX-License-Identifier: GPL-3.0-or-later
// Loads the agent named by CUDA_INJECTION64_PATH as a driver does, without one, and ends with 7.
#include <dlfcn.h>

#include <cstdlib>

int main() {
    const char* const path = std::getenv("CUDA_INJECTION64_PATH");
    void* const agent = path != nullptr ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    auto* const entry =
        agent != nullptr ? reinterpret_cast<int (*)()>(dlsym(agent, "InitializeInjection")) : nullptr;
    return entry != nullptr && entry() == 1 && entry() == 1 ? 7 : 1;
}
