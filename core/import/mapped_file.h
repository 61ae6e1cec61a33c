// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "core/error.h"

namespace roofwalk {

/// A regular file seen as bytes, read-only, for as long as this object lives. The file must not be cut short
/// by others meanwhile.
class MappedFile {
  public:
    /// Errors: file_not_found, file_not_readable (permission, a directory, a pipe), file_empty.
    [[nodiscard]] static Result<MappedFile> open(const std::filesystem::path& file);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  private:
    explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::span<const std::byte> bytes_;
};

}  // namespace roofwalk
