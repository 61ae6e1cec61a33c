// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <filesystem>
#include <map>
#include <vector>

#include "core/workspace/session.h"
#include "ui/workspace/document_loader.h"

namespace roofwalk {

/// One list of reports of a session: what it says of each, and those that could not be read, which stay in
/// it.
class ListedReports {
  public:
    ListedReports() = default;
    /// `files` are the absolute paths of `listed`, `open` what could be read.
    ListedReports(const std::vector<SessionSource>& listed, const QStringList& files,
                  const std::vector<OpenFile>& open);

    [[nodiscard]] bool lacks_some() const { return !missing_.empty(); }
    void forget_missing() { missing_.clear(); }
    /// Takes note of what is open now: a missing report among it is no longer missing. Returns the files
    /// whose content is not what was last seen.
    QStringList look_at(const std::vector<OpenFile>& open);
    /// The list to be written: what is open, and what is missing where it stood.
    [[nodiscard]] std::vector<SessionSource> list(const std::vector<OpenFile>& open,
                                                  const std::filesystem::path& session_file) const;

  private:
    struct Missing {
        std::size_t place = 0;  ///< in the list
        SessionSource source;   ///< with its absolute path
    };

    std::map<QString, SessionSource> known_;  ///< as last seen, by absolute path
    std::vector<Missing> missing_;            ///< by place
};

}  // namespace roofwalk
