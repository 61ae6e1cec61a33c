// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/model/profile.h"
#include "core/progress.h"
#include "core/session/session.h"

namespace roofwalk {

/// A file that is open, with what was read from it.
struct OpenFile {
    QString path;  ///< absolute
    std::shared_ptr<const Profile> profile;
    std::string hash;  ///< content_hash() of what was read
};

/// What a person has to know of a file that could be read in part only.
[[nodiscard]] std::optional<Error> partial_warning(const OpenFile& file);

/// Which files are to be open.
struct LoadOrder {
    QStringList paths;           ///< to read
    std::vector<OpenFile> kept;  ///< read before; one that is also in `paths` is replaced where it stands
    bool replaces = false;       ///< `kept` stays only when none of `paths` can be read
    /// What is done with the files takes the place of what was done before, when any of `paths` can be read.
    std::shared_ptr<const Session> session = nullptr;
};

/// What reading several files came to.
struct LoadResult {
    std::vector<OpenFile> files;            ///< those that could be read, and those kept from before
    QStringList read;                       ///< those asked for that could be read
    std::vector<Error> failures;            ///< one for each file that could not; one for all after a stop
    std::shared_ptr<const Profile> merged;  ///< of all `files`; null when there are none
};

/// Runs on the pool.
[[nodiscard]] LoadResult load_files(const LoadOrder& order, const Progress& progress);

}  // namespace roofwalk
