// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace roofwalk::test {

/// One zstd frame that names the size of its content.
[[nodiscard]] std::string pack_zstd(std::string_view text);
/// One zstd frame written piece by piece, without the size of its content.
[[nodiscard]] std::string pack_zstd_stream(std::string_view text);
/// A frame that holds data for other programs.
[[nodiscard]] std::string zstd_skippable_frame(std::string_view content);

}  // namespace roofwalk::test
