// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/profile.h"
#include "core/operations/op_binding.h"

namespace roofwalk {

/// A report that is open, with what was read from it.
struct OpenFile {
    std::string path;  ///< absolute, UTF-8
    std::shared_ptr<const Profile> profile;
    std::string hash;  ///< content_hash() of what was read; empty: not known
    /// Of a session of its own; absent: as what is open is bound, by its rules.
    std::optional<Bindings> bindings = {};

    /// For people: the last part of its path.
    [[nodiscard]] std::string name() const { return path.substr(path.rfind('/') + 1); }
    friend bool operator==(const OpenFile&, const OpenFile&) = default;
};

/// Whether a name may stand for a pipe, a device or stdin: of who types it.
enum class StreamInput : bool { refused, read };

/// An error says only where in the file: who asked names that.
[[nodiscard]] Result<OpenFile> read_open_file(const std::string& path, const Progress& progress = {},
                                              StreamInput streams = StreamInput::refused);

/// What was read, and what ran on no GPU that it names ran on that one: name_unnamed_devices(). Figures that
/// cannot be on it are refused; `name` stands for the report. The same where every GPU has a name.
[[nodiscard]] std::shared_ptr<const Profile> named_profile(std::shared_ptr<const Profile> profile,
                                                           const Device& ran_on, const std::string& name);
[[nodiscard]] std::vector<const Profile*> profiles_of(std::span<const OpenFile> files);
/// A GPU that one of them leaves unnamed, as it describes it; null when each is named.
[[nodiscard]] const Device* unnamed_device(std::span<const OpenFile> files);

}  // namespace roofwalk
