// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "core/error.h"
#include "core/model/profile.h"
#include "core/progress.h"

namespace roofwalk {

/// A file that is open, with what was read from it.
struct OpenFile {
    QString path;  ///< absolute
    std::shared_ptr<const Profile> profile;
};

/// What reading several files came to.
struct LoadResult {
    std::vector<OpenFile> files;            ///< those that could be read, and those kept from before
    std::vector<Error> failures;            ///< one for each file that could not; one for all after a stop
    std::shared_ptr<const Profile> merged;  ///< of all `files`; null when there are none
    bool any_read = false;                  ///< at least one of the files asked for could be read
};

/// Reads `paths` and joins them with `kept`; a path that is also in `kept` replaces it there. Runs on the
/// pool.
[[nodiscard]] LoadResult load_files(const QStringList& paths, std::vector<OpenFile> kept,
                                    const Progress& progress);

}  // namespace roofwalk
