// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace roofwalk::agent {

/// One T for each thread, made when it is first asked for. Programs launch kernels even while they end, when
/// the objects of the main thread are gone already: it then gets a new one.
template <class T>
class PerThread {
  public:
    [[nodiscard]] static T& get() {
        if (value == nullptr) {
            value = new T;
            cleaner.is_needed = true;
        }
        return *value;
    }

  private:
    struct Cleaner {
        bool is_needed = false;
        ~Cleaner() { delete std::exchange(value, nullptr); }
    };

    static inline thread_local T* value = nullptr;
    static inline thread_local Cleaner cleaner;
};

}  // namespace roofwalk::agent
