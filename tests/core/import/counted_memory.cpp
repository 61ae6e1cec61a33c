// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/import/counted_memory.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

std::size_t held = 0;
std::size_t most = 0;
std::size_t at_start = 0;

/// Null where there is no memory.
void* counted_or_null(std::size_t size) noexcept {
    void* memory = std::malloc(size == 0 ? 1 : size);  // NOLINT: this is operator new
    if (memory == nullptr) return nullptr;
    held += malloc_usable_size(memory);
    if (held > most) most = held;
    return memory;
}

void* counted(std::size_t size) {
    void* memory = counted_or_null(size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void release(void* memory) {
    if (memory == nullptr) return;
    held -= malloc_usable_size(memory);
    std::free(memory);  // NOLINT: this is operator delete
}

}  // namespace

void* operator new(std::size_t size) {
    return counted(size);
}
void* operator new[](std::size_t size) {
    return counted(size);
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
    return counted_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
    return counted_or_null(size);
}
void operator delete(void* memory) noexcept {
    release(memory);
}
void operator delete[](void* memory) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
    release(memory);
}
void operator delete[](void* memory, std::size_t /*size*/) noexcept {
    release(memory);
}

namespace roofwalk::test {

void count_memory() {
    at_start = held;
    most = held;
}

std::size_t most_memory() {
    return most - at_start;
}

}  // namespace roofwalk::test
