// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/profile.h"
#include "ui/workspace/open_session.h"

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
    bool replaces = false;       ///< `kept` stays only when nothing can be read
    /// Its reports are read before `paths`, and what it says of them takes the place of what was done before,
    /// when any of the reports can be read.
    std::optional<SessionOrder> session = std::nullopt;

    /// What a recording has brought so far: taken as it is, in the place of what stood at its path.
    std::optional<OpenFile> recording = std::nullopt;

    /// Whether a file is to be read.
    [[nodiscard]] bool reads() const { return !paths.isEmpty() || (session && !session->file.isEmpty()); }
};

/// What reading several files came to.
struct ReadFiles {
    std::vector<OpenFile> files;  ///< those that could be read
    std::vector<Error> failures;  ///< one for each file that could not; one for all after a stop
};

/// Runs on the pool.
[[nodiscard]] ReadFiles read_files(const QStringList& paths, const Progress& progress);

/// What an order came to.
struct LoadResult {
    std::vector<OpenFile> files;            ///< those that could be read, and those kept from before
    QStringList read;                       ///< those asked for that could be read
    std::vector<Error> failures;            ///< as of ReadFiles; also what is wrong with the session
    std::shared_ptr<const Profile> merged;  ///< of all `files`; null when there are none
    std::shared_ptr<const OpenSession> session = nullptr;  ///< null without one, and when no report was read
    std::vector<OpenFile> baselines = {};                  ///< of the session: those that could be read
};

/// Runs on the pool.
[[nodiscard]] LoadResult load_files(const LoadOrder& order, const Progress& progress);

}  // namespace roofwalk
