// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/listed_reports.h"

#include <algorithm>
#include <utility>

#include "core/workspace/session_sources.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

ListedReports::ListedReports(const std::vector<SessionSource>& listed, const QStringList& files,
                             const std::vector<OpenFile>& open) {
    for (std::size_t i = 0; i < listed.size(); ++i) {
        SessionSource source = listed[i];
        const QString& file = files[static_cast<qsizetype>(i)];
        source.path = file.toStdString();
        if (std::ranges::find(open, file, &OpenFile::path) != open.end())
            known_[file] = std::move(source);
        else
            missing_.push_back({i, std::move(source)});
    }
}

QStringList ListedReports::look_at(const std::vector<OpenFile>& open) {
    QStringList changed;
    for (const OpenFile& file : open) {
        const auto found = std::ranges::find_if(
            missing_, [&](const Missing& missing) { return missing.source.path == file.path.toStdString(); });
        if (found != missing_.end()) {
            known_[file.path] = std::move(found->source);
            missing_.erase(found);
        }
        SessionSource& known = known_[file.path];
        if (!known.hash.empty() && known.hash != file.hash) changed.append(file.path);
        known.hash = file.hash;
    }
    return changed;
}

std::vector<SessionSource> ListedReports::list(const std::vector<OpenFile>& open,
                                               const std::filesystem::path& session_file) const {
    std::vector<SessionSource> sources;
    for (const OpenFile& file : open) {
        const auto known = known_.find(file.path);
        sources.push_back({source_path(to_path(file.path), session_file), file.hash,
                           known != known_.end() ? known->second.further : std::string()});
    }
    for (const Missing& missing : missing_) {
        SessionSource source = missing.source;
        source.path = source_path(source.path, session_file);
        const std::size_t place = std::min(missing.place, sources.size());
        sources.insert(sources.begin() + static_cast<std::ptrdiff_t>(place), std::move(source));
    }
    return sources;
}

}  // namespace roofwalk
