// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/session_files.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QUndoStack>
#include <algorithm>
#include <span>

#include "core/base/file_writer.h"
#include "core/workspace/content_hash.h"
#include "core/workspace/session_json.h"
#include "core/workspace/session_sources.h"
#include "ui/chart/roofline_chart.h"
#include "ui/shell/settings.h"
#include "ui/widgets/choice_menu.h"
#include "ui/widgets/file_chooser.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

/// In a dialog, in a menu or in a drag: what these work with must not be exchanged under them.
bool in_the_middle_of_something() {
    return QApplication::activeModalWidget() != nullptr || QApplication::activePopupWidget() != nullptr ||
           QApplication::mouseButtons() != Qt::NoButton;
}

bool lacks_some(const std::vector<SessionSource>& listed, const std::vector<OpenFile>& open) {
    return std::ranges::any_of(listed, [&](const SessionSource& source) {
        return std::ranges::find(open, source.path, &OpenFile::path) == open.end();
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
    connect(&document_.loader(), &ReportLoader::session_opened, this,
            [this](const std::shared_ptr<const OpenSession>& session) { show_opened(*session); });
    connect(&document_.loader(), &ReportLoader::report_changed, this,
            [this](const QString& path) { emit noticed(changed_source(path.toStdString())); });
    connect(&document_.loader(), &ReportLoader::opened, this, &SessionFiles::follow);
    for (const auto signal : {&Document::options_changed, &Document::filter_changed, &Document::notes_changed,
                              &Document::advice_thresholds_changed, &Document::files_changed})
        connect(&document_, signal, this, &SessionFiles::follow);
    connect(&disk_, &WatchedFile::touched, this, &SessionFiles::look_at_disk);
    // Queued: by then what was read is on screen, or is known not to come.
    connect(
        &document_.loader().job(), &Job::running_changed, this, [this] { look_at_disk(); },
        Qt::QueuedConnection);
}

bool SessionFiles::is_session(const QString& path) {
    return is_session_file(to_path(path));
}

void SessionFiles::open(const QStringList& paths, ReportLoader::Opening opening, QWidget* window) {
    QStringList sessions;
    QStringList reports;
    for (const QString& path : paths)
        (is_session(path) ? sessions : reports).append(QFileInfo(path).absoluteFilePath());
    if (sessions.isEmpty() && opening == ReportLoader::Opening::add)
        return document_.loader().open(reports, opening);
    if (sessions.size() > 1) {
        emit failed({ErrorCode::bad_argument, "Only one session can be open at a time.",
                     sessions.join(QStringLiteral(", ")).toStdString(), "Open one of them."});
        return;
    }
    const bool leaves = !path_.isEmpty() || !sessions.isEmpty();
    if (!leaves) return document_.loader().open(reports, opening);
    if (may_leave(window)) open_session({sessions.value(0).toStdString(), false}, reports);
}

bool SessionFiles::recover(const QString& copy, QWidget* window) {
    if (!may_leave(window)) return false;
    open_session({QFileInfo(copy).absoluteFilePath().toStdString(), true}, {});
    return true;
}

void SessionFiles::open_session(const SessionRequest& request, const QStringList& beside) {
    follow();  // from here on a change is one that the session would overwrite
    opening_ = request.file.empty() ? beside.join(QStringLiteral(", ")) : to_qt(request.file);
    document_.loader().open_session(request, beside);
}

void SessionFiles::show_opened(const OpenSession& arrived) {
    begin_without_file();
    path_ = to_qt(arrived.request.file);
    if (lacks_some(document_.spec().sources, document_.files()) ||
        lacks_some(document_.spec().baselines, document_.baselines()))
        emit noticed(
            {Severity::warning, "Not every report of the session could be read; the rest of it is shown.",
             path_.toStdString(), "The session keeps naming them: put them back and open it again."});
    const std::optional<ChartView>& axes = arrived.spec.view.axes;
    if (axes) chart_.look_at(axes->x, axes->y);
    if (arrived.request.recovers) {
        const QString copy = std::exchange(path_, to_qt(arrived.spec.autosave_of));
        if (!path_.isEmpty()) disk_.follow(path_, arrived.spec.autosave_of_hash);
        saved_.reset();
        emit recovered(copy);
    } else {
        if (!path_.isEmpty()) follow_file(arrived.hash);
        saved_ = kept_part();
    }
    follow();
    if (std::exchange(reloads_, false))
        emit noticed({Severity::information, "The session was changed by somebody else, and was read again.",
                      path_.toStdString(), "What is on screen is what it holds now."});
    emit changed();
}

void SessionFiles::follow_file(const std::string& hash) {
    disk_.follow(path_, hash);
    told_ = hash;
}

void SessionFiles::open_theirs() {
    told_ = disk_.hash_seen();
    open_session({path_.toStdString(), false}, {});
}

void SessionFiles::read_again() {
    reloads_ = true;
    open_session({path_.toStdString(), false}, {});
}

bool SessionFiles::only_here() const {
    return disk_.state() == WatchedFile::State::gone ||
           (disk_.state() == WatchedFile::State::other && disk_.hash_seen() == unreadable_);
}

bool SessionFiles::is_lesson() const {
    return !lessons_.isEmpty() && QFileInfo(path_).absolutePath() == lessons_;
}

void SessionFiles::look_at_disk() {
    if (path_.isEmpty() || document_.empty() || document_.loader().session_arrives()) return;
    if (in_the_middle_of_something()) return disk_.look_later();
    if (std::exchange(reloads_, false)) unreadable_ = told_;  // else show_opened() would have been told
    const WatchedFile::State now = disk_.look();
    const bool is_news = std::exchange(told_, disk_.hash_seen()) != disk_.hash_seen();
    if (now == WatchedFile::State::gone && is_news) {
        emit noticed({Severity::warning, "The session was deleted or moved away by somebody else.",
                      path_.toStdString(),
                      "What is on screen counts as unsaved: save it to have it in a file."});
    } else if (now == WatchedFile::State::other && seen_ == saved_ && told_ != unreadable_) {
        return read_again();
    } else if (now == WatchedFile::State::other && is_news) {
        emit noticed({Severity::warning,
                      "The session was changed by somebody else while it had unsaved changes here.",
                      path_.toStdString(), "You are asked before one is saved over the other."});
    }
    follow();
}

bool SessionFiles::may_leave(QWidget* window) {
    if (!path_.isEmpty() && !document_.empty()) {
        disk_.look();
        follow();
    }
    if (!modified_) return true;
    const QString name = path_.isEmpty() ? tr("this session") : QFileInfo(path_).fileName();
    const int asked_of = shown_;
    const FileChooser::Keep answer = chooser_.ask_to_keep(window, name);
    if (asked_of != shown_) return may_leave(window);  // another session arrived meanwhile
    switch (answer) {
        case FileChooser::Keep::save:
            return save(window);
        case FileChooser::Keep::discard:
            return true;
        case FileChooser::Keep::stay:
            break;
    }
    return false;
}

void SessionFiles::close(const QString& path, QWidget* window) {
    if (document_.loader().is_last(path) && !may_leave(window)) return;
    document_.loader().close(path);
    leave_if_empty();
}

void SessionFiles::choose_and_close(QPoint about, QWidget* window) {
    const std::vector<OpenFile>& files = document_.files();
    if (files.size() == 1) return may_leave(window) ? close_all() : void();
    auto* menu = new TippedMenu(tr("Close which file?"), "close_menu", window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    add_menu_title(*menu, menu->title());
    for (const OpenFile& file : files) {
        const QString path = to_qt(file.path);
        QAction* action = menu->addAction(menu_text(QFileInfo(path).fileName()));
        set_tooltip(*action, path);
        connect(action, &QAction::triggered, this, [this, path, window] { close(path, window); });
    }
    menu->popup(about);
    menu->setActiveAction(menu->actions().at(1));
}

void SessionFiles::close_all() {
    document_.loader().close_all();
    leave_if_empty();
}

void SessionFiles::leave_if_empty() {
    if (!document_.empty() || path_.isEmpty()) return;
    begin_without_file();
    document_.set_spec({});
    follow();
    emit changed();
}

void SessionFiles::begin_without_file() {
    ++shown_;
    path_.clear();
    disk_.forget();
    told_.clear();
    unreadable_.clear();
    saved_ = WorkspaceSpec();
    changes_.clear();
}

WorkspaceSpec SessionFiles::content_for(const QString& path) const {
    WorkspaceSpec spec = document_.spec();
    for (std::vector<SessionSource>* list : {&spec.sources, &spec.baselines})
        for (SessionSource& source : *list)
            source.path = source_path(source.path, to_path(path));
    if (!document_.empty())
        spec.view.selection = selection_of(document_.focus(), document_.result().measured());
    spec.view.axes = chart_.part_seen();
    return spec;
}

WorkspaceSpec SessionFiles::kept_part() const {
    WorkspaceSpec spec = document_.spec();
    if (!path_.isEmpty()) return spec;
    spec.view = {};
    spec.clear_reports();
    return spec;
}

bool SessionFiles::save(QWidget* window) {
    if (document_.empty()) return false;
    const QFileInfo file(path_);
    if (path_.isEmpty() || is_lesson() || (file.exists() && !file.isWritable()) ||
        !file.absoluteDir().exists())
        return save_as(window);
    if (disk_.look_closely() != WatchedFile::State::other) return write(path_);
    if (modified_) return save_over_theirs(window);
    look_at_disk();  // nothing to be saved over theirs
    return true;
}

bool SessionFiles::save_over_theirs(QWidget* window) {
    const int asked_of = shown_;
    const FileChooser::Conflict answer = chooser_.ask_about_conflict(window, QFileInfo(path_).fileName());
    if (asked_of != shown_) {
        refuse_to_save(path_);
        return false;
    }
    switch (answer) {
        case FileChooser::Conflict::save_over:
            return write(path_);
        case FileChooser::Conflict::save_as:
            return save_as(window);
        case FileChooser::Conflict::open_theirs:
            emit theirs_wanted();
            return false;
        case FileChooser::Conflict::stay:
            break;
    }
    return false;
}

void SessionFiles::refuse_to_save(const QString& path) {
    emit failed({ErrorCode::cancelled, "Nothing was saved: another session was opened meanwhile.",
                 path.toStdString(), "Save it now if this is the one to save."});
}

bool SessionFiles::save_as(QWidget* window) {
    if (document_.empty()) return false;
    const QFileInfo first(to_qt(document_.files().front().path));
    const QFileInfo here(path_);
    const QString name = path_.isEmpty() ? first.completeBaseName() + ".roofwalk" : here.fileName();
    const bool has_folder = !path_.isEmpty() && !is_lesson() && here.absoluteDir().exists();
    const QString suggested = has_folder ? path_ : QDir(settings_.last_folder()).filePath(name);
    const int asked_of = shown_;
    const QString path = chooser_.file_to_save(window, tr("Save the session"), suggested,
                                               tr("Roofwalk sessions (*.roofwalk)"));
    if (asked_of != shown_) {
        refuse_to_save(path);
        return false;
    }
    if (path.isEmpty()) return false;
    // The dialog asks before it replaces a file, and does not know that this one is another by now.
    const bool same = !path_.isEmpty() && QFileInfo(path) == QFileInfo(path_);
    if (same && disk_.look_closely() == WatchedFile::State::other) return save_over_theirs(window);
    return write(QFileInfo(path).absoluteFilePath());
}

bool SessionFiles::write(const QString& path) {
    if (const Result<void> free = refuse_open_report(document_, path); !free) {
        emit failed(free.error());
        return false;
    }
    const Result<std::string> text = to_session_file(content_for(path), path.toStdString());
    const Result<void> done = text.and_then([&](const std::string& content) {
        return write_file(to_path(path), content, "The session was not saved");
    });
    if (!done) {
        emit failed(done.error());
        return false;
    }
    path_ = path;
    follow_file(content_hash(std::as_bytes(std::span(*text))));
    saved_ = kept_part();
    follow();
    emit changed();
    emit written(path);
    return true;
}

WorkspaceSpec SessionFiles::copy() const {
    WorkspaceSpec spec = content_for({});
    spec.autosave_of = path_.toStdString();
    spec.autosave_of_hash = disk_.hash();
    return spec;
}

void SessionFiles::follow() {
    WorkspaceSpec now = document_.empty() ? saved_.value_or(WorkspaceSpec()) : kept_part();
    const bool tried_out =
        is_lesson() && saved_ && now.sources == saved_->sources && now.baselines == saved_->baselines;
    const bool modified = !document_.empty() && !tried_out && (now != saved_ || only_here());
    if (now == seen_ && modified == modified_) return;
    if (document_.loader().session_arrives() && !document_.empty() && now != seen_) give_up_opening();
    seen_ = std::move(now);
    if (std::exchange(modified_, modified) != modified) emit changed();
    emit touched();
}

void SessionFiles::give_up_opening() {
    reloads_ = false;
    document_.loader().job().drop();
    emit failed(
        {ErrorCode::cancelled,
         "Nothing was opened: what is on screen was changed meanwhile, and that would have been lost.",
         opening_.toStdString(), "Save the changes or take them back, and open it again."});
}

Result<void> refuse_open_report(const Document& document, const QString& path) {
    std::vector<std::filesystem::path> open;
    for (const auto* files : {&document.files(), &document.baselines()})
        for (const OpenFile& file : *files)
            open.emplace_back(file.path);
    return refuse_to_replace(to_path(path), open).map_error([](Error error) {
        error.what = "Nothing was written: this is a report that is open.";
        return error;
    });
}

Result<void> refuse_open_file(const Document& document, const QString& path) {
    if (SessionFiles::is_session(path))
        return unexpected(ErrorCode::bad_argument, "Nothing was written: this file is a session.",
                          path.toStdString(), "Choose another name.");
    return refuse_open_report(document, path);
}

}  // namespace roofwalk
