// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/mapped_file.h"

namespace roofwalk::cli {

/// Whether a name stands for what can be read once and from the start only: "-" (stdin), a pipe, a device.
[[nodiscard]] bool is_stream(const std::string& file);
/// "standard input", or the name as it is.
[[nodiscard]] std::string said_name(const std::string& file);

/// The content of a file or of a stream. Of a stream at most 2 GiB are read: more is too_large.
class InputText {
  public:
    [[nodiscard]] static Result<InputText> read(const std::string& file);

    [[nodiscard]] std::string_view text() const;

  private:
    std::string streamed_;
    std::optional<MappedFile> file_;
};

}  // namespace roofwalk::cli
