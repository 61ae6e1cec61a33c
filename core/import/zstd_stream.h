// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/progress.h"

namespace roofwalk {

/// Whether the bytes start like zstd data: a frame, or a skippable frame before one.
[[nodiscard]] bool is_zstd(std::span<const std::byte> bytes);

/// The most bytes that `compressed` bytes may unpack to. Reports shrink about tenfold, so 64 times and a
/// fixed allowance for small files leave ample room, and 4 GiB bound what a hostile file can make us hold.
[[nodiscard]] std::size_t zstd_output_limit(std::size_t compressed);

struct Unpacked {
    std::vector<std::byte> bytes;
    std::optional<Error> damage;  ///< truncated, corrupt or cancelled: `bytes` is what came before
};

/// The most memory [byte] that unpacking takes at any moment when `unpacked` bytes came out: they are moved
/// into half as much room again as they outgrow theirs, beside a chunk and the window of the compressor.
constexpr std::size_t unpacking_memory_bound(std::size_t unpacked) {
    constexpr std::size_t chunk_and_window = std::size_t{192} << 20U;
    return unpacked / 2 * 5 + chunk_and_window;
}

/// Unpacks all frames of zstd data. The output grows with the data that really comes, never by the size a
/// header claims, and a window of more than 128 MiB is refused. Errors: too_large beyond zstd_output_limit();
/// truncated, corrupt or cancelled when nothing came out.
[[nodiscard]] Result<Unpacked> unpack_zstd(std::span<const std::byte> compressed, const std::string& name,
                                           const Progress& progress = {});

}  // namespace roofwalk
