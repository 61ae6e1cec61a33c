// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace roofwalk {

/// "xxh3-128:" and 32 hexadecimal digits, those that `xxhsum -H2` prints for the same bytes. Tells that a
/// file changed; it is no seal against who means to deceive.
[[nodiscard]] std::string content_hash(std::span<const std::byte> bytes);

}  // namespace roofwalk
