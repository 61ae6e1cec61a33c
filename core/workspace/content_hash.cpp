// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/content_hash.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace roofwalk {

std::string content_hash(std::span<const std::byte> bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return fmt::format("xxh3-128:{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace roofwalk
