// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/document_loader.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/mapped_file.h"
#include "core/import/open_profile.h"
#include "core/workspace/content_hash.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

std::shared_ptr<const Profile> merge(const std::vector<OpenFile>& files) {
    if (files.empty()) return nullptr;
    if (files.size() == 1) return files.front().profile;
    std::vector<const Profile*> parts;
    parts.reserve(files.size());
    for (const OpenFile& file : files)
        parts.push_back(file.profile.get());
    return std::make_shared<const Profile>(merge_profiles(parts));
}

void put(std::vector<OpenFile>& files, OpenFile file) {
    const auto same = std::ranges::find(files, file.path, &OpenFile::path);
    if (same == files.end())
        files.push_back(std::move(file));
    else
        *same = std::move(file);
}

Result<OpenFile> read_file(const QString& path, const Progress& progress) {
    return MappedFile::open(to_path(path)).and_then([&](const MappedFile& file) {
        return read_profile(file.bytes(), path.toStdString(), progress).map([&](Profile profile) {
            return OpenFile{path, std::make_shared<const Profile>(std::move(profile)),
                            content_hash(file.bytes())};
        });
    });
}

Error stopped_before(const QStringList& paths) {
    return {ErrorCode::cancelled,
            QCoreApplication::translate("DocumentLoader", "Reading was stopped; these files were not read.")
                .toStdString(),
            paths.join(QStringLiteral(", ")).toStdString(),
            QCoreApplication::translate("DocumentLoader", "Add them to what is open to see them too.")
                .toStdString()};
}

Error left_with_session(const QStringList& paths) {
    return {ErrorCode::file_not_readable,
            QCoreApplication::translate("DocumentLoader",
                                        "These files were to be opened with the session; they were not read.")
                .toStdString(),
            paths.join(QStringLiteral(", ")).toStdString(),
            QCoreApplication::translate("DocumentLoader", "Open them without it.").toStdString()};
}

}  // namespace

std::optional<Error> partial_warning(const OpenFile& file) {
    if (std::ranges::none_of(file.profile->sources, &SourceInfo::partial)) return std::nullopt;
    return Error{ErrorCode::truncated,
                 QCoreApplication::translate("DocumentLoader",
                                             "Only a part of this file could be read; that part is shown.")
                     .toStdString(),
                 file.path.toStdString(),
                 QCoreApplication::translate("DocumentLoader", "The warnings of the profile name the place.")
                     .toStdString()};
}

ReadFiles read_files(const QStringList& paths, const Progress& progress) {
    ReadFiles result;
    const auto count = static_cast<double>(paths.size());
    for (qsizetype i = 0; i < paths.size(); ++i) {
        if (i > 0 && progress.cancelled()) {
            result.failures.push_back(stopped_before(paths.mid(i)));
            break;
        }
        const auto before = static_cast<double>(i);
        const Progress part{[&](double share) { progress.at((before + share) / count); }, progress.stop};
        Result<OpenFile> file = read_file(paths[i], part);
        if (file)
            result.files.push_back(std::move(*file));
        else
            result.failures.push_back(std::move(file.error()));
    }
    return result;
}

LoadResult load_files(const LoadOrder& order, const Progress& progress) {
    LoadResult result;
    QStringList paths = order.paths;
    std::shared_ptr<const OpenSession> session;
    if (order.session) {
        Result<OpenSession> read = read_open_session(*order.session, !paths.isEmpty());
        if (!read) {
            result.failures.push_back(std::move(read.error()));
            if (!paths.isEmpty()) result.failures.push_back(left_with_session(paths));
            result.files = order.kept;
            result.merged = merge(result.files);
            return result;
        }
        session = std::make_shared<const OpenSession>(std::move(*read));
        paths = session->sources + paths;
        paths.removeDuplicates();
    }
    ReadFiles fresh = read_files(paths, progress);
    result.failures = std::move(fresh.failures);
    if (!order.replaces || (fresh.files.empty() && !order.recording)) result.files = order.kept;
    if (session && fresh.files.empty() && !session->order.file.isEmpty())
        result.failures.push_back(no_report_of(*session));
    if (session && !fresh.files.empty()) {
        QStringList baselines = session->baselines;
        baselines.removeDuplicates();
        ReadFiles older;
        if (progress.cancelled() && !baselines.isEmpty())
            older.failures.push_back(stopped_before(baselines));
        else
            older = read_files(baselines, {{}, progress.stop});
        result.baselines = std::move(older.files);
        std::ranges::move(older.failures, std::back_inserter(result.failures));
        result.session = std::move(session);
    }
    if (order.recording) put(result.files, *order.recording);
    for (OpenFile& file : fresh.files) {
        result.read.append(file.path);
        put(result.files, std::move(file));
    }
    result.merged = merge(result.files);
    return result;
}

}  // namespace roofwalk
