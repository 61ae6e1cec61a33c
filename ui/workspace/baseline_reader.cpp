// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/baseline_reader.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

std::vector<std::string> oldest_first(QStringList paths) {
    for (QString& path : paths)
        path = QFileInfo(path).absoluteFilePath();
    paths.removeDuplicates();
    std::ranges::stable_sort(paths, {}, [](const QString& path) { return QFileInfo(path).lastModified(); });
    std::vector<std::string> oldest;
    for (const QString& path : paths)
        oldest.push_back(path.toStdString());
    return oldest;
}

}  // namespace

BaselineReader::BaselineReader(Document& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&job_, &Job::failed, this, &BaselineReader::failed);
    // What is read was to be compared with what was open then.
    connect(&document_, &Document::session_opened, &job_, &Job::drop);
    connect(&document_, &Document::files_changed, &job_, [this] {
        if (document_.empty()) job_.drop();
    });
}

void BaselineReader::read(const QStringList& paths) {
    if (paths.isEmpty()) return;
    job_.start(
        [oldest = oldest_first(paths)](const Progress& progress) { return read_files(oldest, progress); },
        [this](ReadFiles result) {
            for (const Error& error : result.failures)
                emit failed(error);
            for (const OpenFile& file : result.files)
                if (const auto partial = partial_notice(file)) emit noticed(*partial);
            if (result.files.empty()) return;
            document_.set_baselines(std::move(result.files));
            emit done();
        });
}

}  // namespace roofwalk
