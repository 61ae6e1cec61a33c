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

/// The most bytes that `compressed` bytes may unpack to: 200 times as many and 64 MiB, up to 4 GiB. Reports
/// of real programs shrink 38, 43 and 56 times under `zstd -19`, the last with 41 kernels, and thousands of
/// alike launches shrink more.
[[nodiscard]] std::size_t zstd_output_limit(std::size_t compressed);

struct Unpacked {
    std::vector<std::byte> bytes;
    std::optional<Error> damage;  ///< truncated, corrupt or cancelled: `bytes` is what came before
};

/// Unpacks all frames of zstd data. The output grows with the data that really comes, never by the size a
/// header claims, and a window of more than 128 MiB is refused. Errors: too_large beyond zstd_output_limit();
/// truncated, corrupt or cancelled when nothing came out.
[[nodiscard]] Result<Unpacked> unpack_zstd(std::span<const std::byte> compressed, const std::string& name,
                                           const Progress& progress = {});

}  // namespace roofwalk
