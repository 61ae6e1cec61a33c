// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"

namespace roofwalk {

/// The most bytes that `compressed` bytes may unpack to: 200 times as many and 64 MiB, up to 4 GiB. Reports
/// of real programs shrink 38, 43 and 56 times under `zstd -19`, the last with 41 kernels, and thousands of
/// alike launches shrink more.
[[nodiscard]] std::size_t unpacked_limit(std::size_t compressed);

struct UnpackedFile {
    std::vector<std::byte> bytes;
    std::optional<Error> damage;  ///< truncated, corrupt or cancelled: `bytes` is what came before
};

/// Whether what begins like this is worth unpacking whole.
using MayBeRead = std::function<bool(std::span<const std::byte> start)>;

/// Whether the bytes start like zstd data: a frame, or a skippable frame before one.
[[nodiscard]] bool is_zstd(std::span<const std::byte> bytes);
/// Unpacks all frames of zstd data. The output grows with the data that really comes, never by the size a
/// header claims, and a window of more than 128 MiB is refused. At any moment it is within
/// unpacked_limit() of what was read, without skippable frames: padding behind or between the data allows
/// no more. After the first MiB `may_be_read` is asked, and where it says no, that MiB is the result. Errors:
/// too_large beyond the limit; truncated, corrupt or cancelled when nothing came out.
[[nodiscard]] Result<UnpackedFile> unpack_zstd(std::span<const std::byte> compressed,
                                               const Progress& progress = {},
                                               const MayBeRead& may_be_read = {});

/// Whether the bytes start like gzip data.
[[nodiscard]] bool is_gzip(std::span<const std::byte> bytes);
/// Unpacks all members of gzip data as unpack_zstd() does frames, within the same limits. Once an eighth of
/// the size came out that the end of the file claims, memory for all of it is taken.
[[nodiscard]] Result<UnpackedFile> unpack_gzip(std::span<const std::byte> compressed,
                                               const Progress& progress = {},
                                               const MayBeRead& may_be_read = {});

/// Whether the bytes start like text in UTF-16, in which PowerShell writes: with the byte order mark, or
/// with two letters of ASCII.
[[nodiscard]] bool is_utf16(std::span<const std::byte> bytes);
/// The same text in UTF-8.
[[nodiscard]] std::vector<std::byte> utf8_of_utf16(std::span<const std::byte> bytes);

/// Whether a text has in its first 64 KiB the colours of a terminal, the name of a section with the blank
/// (U+00A0) of a page from which ncu's text was copied, or lines that begin with the tag of a process as
/// mpirun writes it ("[1,0]<stdout>:"), with a time as CI services do ("2025-01-31T12:00:00.0Z ") or as
/// loggers do ("[2025-01-31 12:00:00] INFO: ").
[[nodiscard]] bool is_terminal_text(std::string_view text);
/// The same text without them, the lines of each process together.
[[nodiscard]] std::vector<std::byte> without_terminal_marks(std::string_view text);

}  // namespace roofwalk
