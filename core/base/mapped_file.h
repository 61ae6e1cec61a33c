// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"

namespace roofwalk {

/// Bytes as characters.
[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT
}

/// Without a byte order mark of UTF-8.
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view text);

/// Whether a name stands for what can be read once and from the start only: "-" (stdin), a pipe, a device.
[[nodiscard]] bool is_stream(const std::string& name);
/// "standard input", or the name as it is.
[[nodiscard]] std::string name_for_display(const std::string& name);

/// A regular file as bytes, read-only, for as long as this object lives. Files up to a limit are copied into
/// memory, so that another program that cuts the file short does no harm; larger ones are mapped, and must
/// not be cut short meanwhile: the system ends a program that touches a mapped page without a file behind it.
class MappedFile {
  public:
    /// Bytes up to which a file is copied.
    static constexpr std::size_t copied_up_to = std::size_t{256} << 20U;

    /// Errors: file_not_found, file_not_readable (permission, a directory, a pipe), file_empty.
    [[nodiscard]] static Result<MappedFile> open(const std::filesystem::path& file,
                                                 std::size_t copy_limit = copied_up_to);

    /// The same of a stream too, which is read whole: of more than 2 GiB it is too_large.
    [[nodiscard]] static Result<MappedFile> open_or_stream(const std::string& name,
                                                           std::size_t copy_limit = copied_up_to);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
    [[nodiscard]] std::string_view text() const { return as_text(bytes_); }

  private:
    MappedFile(std::shared_ptr<const std::byte[]> copy, std::span<const std::byte> bytes)
        : copy_(std::move(copy)), bytes_(bytes) {}

    std::shared_ptr<const std::byte[]> copy_;  ///< null when mapped
    std::span<const std::byte> bytes_;
};

}  // namespace roofwalk
