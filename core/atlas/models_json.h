// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace roofwalk {

/// A document of `resources/models`, built into the program.
struct ModelText {
    std::string_view id;    ///< name of the file without its suffix: "llama-2-7b"
    std::string_view json;  ///< read_model()
};
/// By name.
[[nodiscard]] std::span<const ModelText> models_json();

}  // namespace roofwalk
