// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/zstd_stream.h"

namespace roofwalk {

/// Whether the bytes start like gzip data.
[[nodiscard]] bool is_gzip(std::span<const std::byte> bytes);

/// Unpacks all members of gzip data as unpack_zstd() does frames, within the same limits. Once an eighth of
/// the size came out that the end of the file claims, memory for all of it is taken.
[[nodiscard]] Result<UnpackedFile> unpack_gzip(std::span<const std::byte> compressed, const std::string& name,
                                               const Progress& progress = {},
                                               const MayBeRead& may_be_read = {});

}  // namespace roofwalk
