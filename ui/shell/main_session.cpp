// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does for sessions: opening, saving, the title, and the notes.
#include <QDockWidget>
#include <QFileInfo>
#include <QLocale>
#include <ranges>

#include "ui/panels/notes_panel.h"
#include "ui/shell/actions.h"
#include "ui/shell/lost_work_list.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_line.h"
#include "ui/widgets/file_chooser.h"
#include "ui/widgets/message_bar.h"
#include "ui/workspace/autosave.h"
#include "ui/workspace/session_files.h"

namespace roofwalk {

namespace {

/// For a title: short enough for a title bar and a list of windows, with the end, where the extension stands.
QString title_part(const QString& file_name) {
    constexpr qsizetype longest = 60;
    constexpr qsizetype kept_end = 20;
    QString part = file_name;
    if (part.size() > longest)
        part = part.left(longest - kept_end - 1) + QStringLiteral("…") + part.right(kept_end);
    return part.replace(QStringLiteral("[*]"), QStringLiteral("[*][*]"));  // else Qt takes it for its mark
}

}  // namespace

void MainWindow::make_session_views() {
    notes_dock_ = make_late_dock(
        "dock_notes", tr("Notes"), Qt::RightDockWidgetArea, [this] { return !document_.notes().isEmpty(); },
        [this] { return new NotesPanel(document_, this); });
    session_files_ = new SessionFiles(document_, *chart_, changes_, settings_, chooser_, this);
    autosave_ = new Autosave(*session_files_, settings_.recovery_folder(), this);
}

void MainWindow::connect_session() {
    connect(session_files_, &SessionFiles::failed, this,
            [this](const Error& error) { messages_->show_message(MessageBar::Severity::error, error); });
    connect(session_files_, &SessionFiles::warned, this, [this](const Error& warning) {
        messages_->show_message(MessageBar::Severity::warning, warning);
    });
    connect(session_files_, &SessionFiles::written, this,
            [this](const QString& path) { status_->showMessage(tr("Written: %1").arg(path), 6000); });
    connect(session_files_, &SessionFiles::changed, this, [this] {
        if (!session_files_->path().isEmpty()) recent_.add(session_files_->path());
        show_title();
    });
    connect(session_files_, &SessionFiles::theirs_wanted, this, &MainWindow::open_theirs);
    connect(&document_, &Document::notes_changed, this, [this] { follow_docks(false); });
    connect(actions_->save, &QAction::triggered, this, [this] { session_files_->save(this); });
    connect(actions_->save_as, &QAction::triggered, this, [this] { session_files_->save_as(this); });
    connect_autosave();
}

void MainWindow::connect_autosave() {
    connect(&settings_, &Settings::failed, this,
            [this](const Error& error) { messages_->show_message(MessageBar::Severity::warning, error); });
    connect(autosave_, &Autosave::failed, this,
            [this](const Error& error) { messages_->show_message(MessageBar::Severity::error, error); });
    LostWorkList& list = start_page_->lost_work();
    connect(&list, &LostWorkList::recover_requested, this,
            [this](const QString& copy) { session_files_->recover(copy, this); });
    connect(&list, &LostWorkList::discard_requested, this, [this](const QString& copy, const QString& name) {
        if (chooser_.ask_to_discard(this, name)) autosave_->discard(copy);
        QMetaObject::invokeMethod(this, &MainWindow::show_lost_work, Qt::QueuedConnection);  // of its button
    });
    connect(&document_, &Document::files_changed, this, [this] {
        if (document_.empty()) show_lost_work();
    });
    show_lost_work();
}

void MainWindow::open_theirs() {
    const std::string session = session_files_->path().toStdString();
    const Result<QString> copy = autosave_->put_aside();
    if (!copy) {
        messages_->show_message(MessageBar::Severity::error, copy.error());
        return;
    }
    session_files_->open_theirs();
    messages_->show_message(
        MessageBar::Severity::warning,
        {ErrorCode::cancelled, tr("Your changes of this session are kept aside.").toStdString(), session,
         tr("Go back to them here, or later: the start page offers them until they are discarded.")
             .toStdString()},
        {tr("Back to mine"), [this, path = *copy] { return session_files_->recover(path, this); }});
}

void MainWindow::show_lost_work() {
    start_page_->lost_work().show_work(autosave_->lost_work());
}

void MainWindow::offer_lost_work() {
    const QList<LostWork> works = autosave_->lost_work();
    for (const LostWork& work : works | std::views::reverse) {  // so that the newest stands on top
        if (!work.readable) continue;
        const QString changed = QLocale().toString(work.changed, QLocale::ShortFormat);
        messages_->show_message(
            MessageBar::Severity::warning,
            {ErrorCode::write_failed,
             tr("There is unsaved work from before: %1, %2.").arg(work.name, changed).toStdString(),
             {},
             tr("Recover it in the place of what is open, or later: the start page offers it until it is "
                "discarded.")
                 .toStdString()},
            {tr("Recover"), [this, copy = work.copy] { return session_files_->recover(copy, this); }});
    }
}

void MainWindow::open(const QStringList& paths) {
    if (!isVisible() && !paths.isEmpty()) offer_lost_work();  // whoever sees the start page finds it there
    open(paths, Document::Opening::replace);
}

void MainWindow::open(const QStringList& paths, Document::Opening opening) {
    if (paths.isEmpty()) return;
    settings_.set_last_folder(QFileInfo(paths.first()).absolutePath());
    session_files_->open(paths, opening, this);
}

void MainWindow::close_all() {
    if (session_files_->may_leave(this)) session_files_->close_all();
}

QString MainWindow::title() const {
    const QString program = tr("Roofwalk");
    if (document_.empty()) return program;
    const QString session = title_part(QFileInfo(session_files_->path()).fileName());
    if (!session.isEmpty()) return tr("%1[*] – %2").arg(session, program);
    const QString first = title_part(QFileInfo(document_.files().front().path).fileName());
    const auto more = document_.files().size() - 1;
    if (more == 0) return tr("%1[*] – %2").arg(first, program);
    return tr("%1 and %2 more[*] – %3").arg(first).arg(more).arg(program);
}

void MainWindow::show_title() {
    const QString& session = session_files_->path();
    setWindowTitle(title());
    setWindowModified(session_files_->modified());
    setWindowFilePath(document_.empty()    ? QString()
                      : !session.isEmpty() ? session
                                           : document_.files().front().path);
}

}  // namespace roofwalk
