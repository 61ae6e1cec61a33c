// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>
#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <dlfcn.h>

#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

/// CUPTI and the driver as they are here: a function that is missing is said, and costs what needs it.
inline void* libraries[2] = {nullptr, nullptr};

/// One line of what was found, at once: the next call may be the last.
__attribute__((format(printf, 1, 2))) inline void say(const char* format, ...) {
    va_list words;
    va_start(words, format);
    std::vprintf(format, words);
    va_end(words);
    std::puts("");
    std::fflush(stdout);
}

inline long long now_us() {
    using std::chrono::duration_cast;
    return duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

template <class Function>
struct Entry;

template <class Result, class... Arguments>
struct Entry<Result(Arguments...)> {
    Result (*function)(Arguments...) = nullptr;
    int operator()(Arguments... arguments) const { return function == nullptr ? -1 : function(arguments...); }
};

template <class Function>
Entry<Function> entry(const char* name) {
    for (void* library : libraries)
        if (void* found = library == nullptr ? nullptr : dlsym(library, name))
            return {reinterpret_cast<Function*>(found)};
    say("MISSING %s", name);
    return {};
}

// Twice, since some names are macros of the headers (cuCtxCreate is cuCtxCreate_v4).
#define CALL_AS_IT_IS(name) entry<decltype(name)>(#name)
#define CALL(name) CALL_AS_IT_IS(name)
/// The parameters of a call, which begin with their size.
template <class Parameters>
Parameters sized(std::size_t size) {
    Parameters parameters{};
    parameters.structSize = size;
    return parameters;
}
#define SIZED(type) sized<type>(type##_STRUCT_SIZE)
#define PARAMETERS(type) auto parameters = SIZED(type)
