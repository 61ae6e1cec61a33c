// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUndoStack>
#include <algorithm>

#include "core/session/session_json.h"
#include "core/session/session_sources.h"
#include "ui/chart/roofline_chart.h"
#include "ui/export/export_bytes.h"
#include "ui/file_chooser.h"
#include "ui/qt_text.h"
#include "ui/session/session_of.h"
#include "ui/settings.h"

namespace roofwalk {

namespace {

constexpr qint64 start_looked_at = 64LL << 10U;
constexpr qint64 more_than_the_largest = (64LL << 20U) + 1;  // read_session() tells

QString from_path(const std::filesystem::path& path) {
    return QFile::decodeName(QByteArray::fromStdString(path.string()));
}

std::string_view view_of(const QByteArray& bytes) {
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

Result<Session> read_file(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(Error{
            ErrorCode::file_not_readable,
            SessionFiles::tr("The session could not be read: %1.").arg(file.errorString()).toStdString(),
            path.toStdString(), SessionFiles::tr("What is on screen stays.").toStdString()});
    return read_session(view_of(file.read(more_than_the_largest)), path.toStdString());
}

/// The files of a session, absolute.
Result<QStringList> files_of(const Session& session, const QString& path) {
    return source_files(session, to_path(path)).map([](const std::vector<std::filesystem::path>& files) {
        QStringList paths;
        for (const std::filesystem::path& file : files)
            paths.append(from_path(file));
        return paths;
    });
}

}  // namespace

SessionFiles::SessionFiles(Document& document, RooflineChart& chart, QUndoStack& changes, Settings& settings,
                           FileChooser& chooser, QObject* parent)
    : QObject(parent),
      document_(document),
      chart_(chart),
      changes_(changes),
      settings_(settings),
      chooser_(chooser) {
    begin_without_file();
    connect(&document_, &Document::session_opened, this,
            [this](const std::shared_ptr<const Session>& session) { show_opened(*session); });
    connect(&document_, &Document::opened, this, &SessionFiles::tell_of_changed_files);
    connect(&document_.loading(), &Job::running_changed, this, &SessionFiles::tell_of_nothing_read,
            Qt::QueuedConnection);
    for (const auto signal :
         {&Document::options_changed, &Document::filter_changed, &Document::notes_changed})
        connect(&document_, signal, this, &SessionFiles::follow);
    connect(&document_, &Document::files_changed, this, [this] {
        if (document_.empty() && !path_.isEmpty()) close_all();
        follow();
    });
}

bool SessionFiles::is_session(const QString& path) {
    QFile file(path);
    return QFileInfo(path).isFile() && file.open(QIODevice::ReadOnly) &&
           looks_like_session(view_of(file.read(start_looked_at)));
}

void SessionFiles::open(const QStringList& paths, Document::Opening opening, QWidget* window) {
    QStringList sessions;
    QStringList reports;
    for (const QString& path : paths)
        (is_session(path) ? sessions : reports).append(QFileInfo(path).absoluteFilePath());
    if (sessions.isEmpty() && opening == Document::Opening::add) return document_.open(reports, opening);
    if (sessions.size() > 1) {
        emit failed({ErrorCode::bad_argument, tr("Only one session can be open at a time.").toStdString(),
                     sessions.join(QStringLiteral(", ")).toStdString(),
                     tr("Open one of them.").toStdString()});
        return;
    }
    const bool leaves = !path_.isEmpty() || !sessions.isEmpty();
    if (leaves && !may_leave(window)) return;
    if (!sessions.isEmpty()) return open_session(sessions.front(), reports, false);
    opening_.clear();
    recovers_ = false;
    if (leaves)
        document_.open_session(reports, std::make_shared<const Session>());
    else
        document_.open(reports, opening);
}

void SessionFiles::open_session(const QString& path, const QStringList& beside, bool recovers) {
    const Result<Session> session = read_file(path);
    if (!session) return emit failed(session.error());
    const Result<QStringList> files = files_of(*session, path);
    if (!files) return emit failed(files.error());
    if (files->isEmpty() && beside.isEmpty())
        return emit failed({ErrorCode::bad_schema, tr("The session names no report.").toStdString(),
                            path.toStdString(),
                            tr("Open the session and a report of it together.").toStdString()});
    opening_ = path;  // not before: another session may be on its way
    recovers_ = recovers;
    document_.open_session(*files + beside, std::make_shared<const Session>(*session));
}

void SessionFiles::recover(const QString& copy, QWidget* window) {
    if (!may_leave(window)) return;
    open_session(copy, {}, true);
}

void SessionFiles::show_opened(const Session& session) {
    begin_without_file();
    path_ = std::exchange(opening_, {});
    opened_ = session;
    const QStringList files = files_of(session, path_).value_or(QStringList());
    for (std::size_t i = 0; i < session.sources.size(); ++i) {
        SessionSource source = session.sources[i];
        const QString& file = files[static_cast<qsizetype>(i)];
        const bool read =
            std::ranges::find(document_.files(), file, &OpenFile::path) != document_.files().end();
        source.path = file.toStdString();
        if (read)
            known_[file] = std::move(source);
        else
            missing_.push_back(std::move(source));
    }
    if (!missing_.empty())
        emit warned(
            {ErrorCode::file_not_found,
             tr("Not every report of the session could be read; the rest of it is shown.").toStdString(),
             path_.toStdString(),
             tr("The session keeps naming them: put them back and open it again.").toStdString()});
    if (session.view.axes) chart_.look_at(session.view.axes->x, session.view.axes->y);
    if (std::exchange(recovers_, false)) {
        const QString copy = std::exchange(path_, to_qt(session.autosave_of));
        opened_.autosave_of.clear();
        kept_.clear();
        emit recovered(copy);
    } else {
        kept_ = kept_text();
    }
    follow();
    emit changed();
}

void SessionFiles::tell_of_changed_files(const QStringList& paths) {
    for (const OpenFile& file : document_.files()) {
        if (!paths.contains(file.path)) continue;
        SessionSource& known = known_[file.path];
        if (!known.hash.empty() && known.hash != file.hash)
            emit warned(changed_source(file.path.toStdString()));
        known.hash = file.hash;
    }
}

void SessionFiles::tell_of_nothing_read() {
    if (opening_.isEmpty() || document_.loading().running()) return;
    emit failed({ErrorCode::file_not_found,
                 tr("Nothing was opened: no report of the session could be read.").toStdString(),
                 std::exchange(opening_, {}).toStdString(),
                 tr("The session stays as it is. Put its reports where it names them, or open it together "
                    "with one of them.")
                     .toStdString()});
}

bool SessionFiles::may_leave(QWidget* window) {
    if (!modified_) return true;
    const QString name = path_.isEmpty() ? tr("this session") : QFileInfo(path_).fileName();
    switch (chooser_.ask_to_keep(window, name)) {
        case FileChooser::Keep::save:
            return save(window);
        case FileChooser::Keep::discard:
            return true;
        case FileChooser::Keep::stay:
            break;
    }
    return false;
}

void SessionFiles::close_all() {
    if (path_.isEmpty()) return document_.close_all();
    begin_without_file();
    document_.begin_anew();
    follow();
    emit changed();
}

void SessionFiles::begin_without_file() {
    path_.clear();
    opened_ = {};
    known_.clear();
    missing_.clear();
    kept_ = to_json(Session());
    changes_.clear();
}

Session SessionFiles::current(const QString& as_seen_from) const {
    Session session = session_of(document_, opened_);
    const std::filesystem::path seen_from = to_path(as_seen_from);
    for (const OpenFile& file : document_.files()) {
        const auto known = known_.find(file.path);
        session.sources.push_back({source_path(to_path(file.path), seen_from), file.hash,
                                   known != known_.end() ? known->second.further : std::string()});
    }
    for (SessionSource source : missing_) {
        source.path = source_path(source.path, seen_from);
        session.sources.push_back(std::move(source));
    }
    return session;
}

std::string SessionFiles::kept_text() const {
    Session session = current(path_);
    if (!path_.isEmpty()) return to_json(session);
    session.view = {};
    session.sources.clear();
    return to_json(session);
}

bool SessionFiles::save(QWidget* window) {
    if (document_.empty()) return false;
    const QFileInfo file(path_);
    return path_.isEmpty() || (file.exists() && !file.isWritable()) ? save_as(window) : write(path_);
}

bool SessionFiles::save_as(QWidget* window) {
    if (document_.empty()) return false;
    const QFileInfo first(document_.files().front().path);
    const QString suggested =
        path_.isEmpty() ? QDir(settings_.last_folder()).filePath(first.completeBaseName() + ".roofwalk")
                        : path_;
    const QString path = chooser_.file_to_save(window, suggested, tr("Roofwalk sessions (*.roofwalk)"));
    return !path.isEmpty() && write(QFileInfo(path).absoluteFilePath());
}

bool SessionFiles::write(const QString& path) {
    const auto is_it = [&](const OpenFile& file) { return QFileInfo(file.path) == QFileInfo(path); };
    if (std::ranges::any_of(document_.files(), is_it)) {
        emit failed({ErrorCode::bad_argument,
                     tr("The session was not saved: this is a report that is open.").toStdString(),
                     path.toStdString(), tr("Choose another name.").toStdString()});
        return false;
    }
    Session session = current(path);
    add_gaze(session.view, document_, chart_);
    const Result<void> done = write_file(path, QByteArray::fromStdString(to_json(session)));
    if (!done) {
        emit failed(done.error());
        return false;
    }
    path_ = path;
    opened_ = std::move(session);
    kept_ = kept_text();
    follow();
    emit changed();
    emit written(path);
    return true;
}

Session SessionFiles::copy() const {
    Session session = current({});
    add_gaze(session.view, document_, chart_);
    session.autosave_of = path_.toStdString();
    return session;
}

void SessionFiles::follow() {
    std::string text = document_.empty() ? kept_ : kept_text();
    const bool modified = text != kept_;
    if (text == seen_ && modified == modified_) return;
    seen_ = std::move(text);
    if (std::exchange(modified_, modified) != modified) emit changed();
    emit touched();
}

}  // namespace roofwalk
