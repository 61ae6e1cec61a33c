// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/profile.h"

namespace roofwalk {

/// Something that yields profiles: a file that is read once, or a program that runs and yields again and
/// again. The window knows this interface only; what stands behind it is handed in by `app/`.
class ProfileSource {
  public:
    ProfileSource() = default;
    ProfileSource(const ProfileSource&) = delete;
    ProfileSource& operator=(const ProfileSource&) = delete;
    virtual ~ProfileSource() = default;

    /// Called on a worker thread. Returns the newest profile; blocks until there is one.
    [[nodiscard]] virtual Result<std::shared_ptr<const Profile>> read(const Progress& progress) = 0;
};

}  // namespace roofwalk
