// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace roofwalk::test {

/// Counts from now on what operator new hands out: a test program that links counted_memory.cpp allocates all
/// of its C++ memory there.
void count_memory();
/// The most bytes that were held at a time since then, beyond those held at its start.
[[nodiscard]] std::size_t most_memory();

}  // namespace roofwalk::test
