// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/open_session.h"

#include <QCoreApplication>
#include <QFile>
#include <utility>

#include "core/workspace/content_hash.h"
#include "core/workspace/session_json.h"
#include "core/workspace/session_sources.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

std::string tr(const char* text) {
    return QCoreApplication::translate("OpenSession", text).toStdString();
}

/// Of a session without reports so far.
Result<OpenSession> read_file(const SessionOrder& order) {
    const QString& path = order.file;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(
            Error{ErrorCode::file_not_readable,
                  QCoreApplication::translate("OpenSession", "The session could not be read: %1.")
                      .arg(file.errorString())
                      .toStdString(),
                  path.toStdString(), tr("What is on screen stays.")});
    const QByteArray bytes = file.read(most_read_of_session);
    const std::string_view text(bytes.data(), static_cast<std::size_t>(bytes.size()));
    Result<WorkspaceSpec> session = read_session(text, path.toStdString());
    if (!session) return tl::unexpected(std::move(session.error()));
    return OpenSession{order, *std::move(session), content_hash(std::as_bytes(std::span(text))), {}, {}};
}

QStringList to_qt_paths(const std::vector<std::filesystem::path>& files) {
    QStringList paths;
    for (const std::filesystem::path& file : files)
        paths.append(QFile::decodeName(QByteArray::fromStdString(file.string())));
    return paths;
}

}  // namespace

Result<OpenSession> read_open_session(const SessionOrder& order, bool reports_beside) {
    if (order.file.isEmpty()) return OpenSession{order, {}, {}, {}, {}};
    Result<OpenSession> opened = read_file(order);
    if (!opened) return opened;
    const auto sources = source_files(opened->session, to_path(order.file));
    if (!sources) return tl::unexpected(sources.error());
    const auto baselines = baseline_files(opened->session, to_path(order.file));
    if (!baselines) return tl::unexpected(baselines.error());
    if (sources->empty() && !reports_beside)
        return tl::unexpected(Error{ErrorCode::bad_schema, tr("The session names no report."),
                                    order.file.toStdString(),
                                    tr("Open the session and a report of it together.")});
    opened->sources = to_qt_paths(*sources);
    opened->baselines = to_qt_paths(*baselines);
    return opened;
}

Error no_report_of(const OpenSession& session) {
    return {
        ErrorCode::file_not_found, tr("Nothing was opened: no report of the session could be read."),
        session.order.file.toStdString(),
        tr("The session stays as it is. Put its reports where it names them, or open it together with one "
           "of them.")};
}

}  // namespace roofwalk
