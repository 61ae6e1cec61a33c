// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>
#include <QStringList>
#include <optional>
#include <string>

#include "core/base/notice.h"
#include "core/workspace/workspace_spec.h"
#include "ui/workspace/document.h"
#include "ui/workspace/watched_file.h"

class QUndoStack;
class QWidget;

namespace roofwalk {

class FileChooser;
class RooflineChart;
class Settings;

/// Opens and saves what is on screen as a session file, and knows whether something would be lost. Opening
/// reads files and does nothing else.
class SessionFiles : public QObject {
    Q_OBJECT

  public:
    /// Everything handed in outlives this.
    SessionFiles(Document& document, RooflineChart& chart, QUndoStack& changes, Settings& settings,
                 FileChooser& chooser, QObject* parent);

    /// Sessions of this folder are there to be tried out: nothing done with one counts as a change until it
    /// has other reports than its own, and it is saved elsewhere.
    void set_lessons(const QString& folder) { lessons_ = folder; }
    [[nodiscard]] bool is_lesson() const;
    /// Whether a file is a session, by its content.
    [[nodiscard]] static bool is_session(const QString& path);

    /// Opens files; a session among them takes the place of everything, and the others join its reports. Asks
    /// first where that would lose something, and gives up when something is changed before they are read.
    void open(const QStringList& paths, ReportLoader::Opening opening, QWidget* window);
    /// Opens a copy that was saved by itself; what is in it counts as changed. False when the person wants to
    /// stay.
    bool recover(const QString& copy, QWidget* window);
    /// Where it is saved already, else where the person says. False when it was not saved.
    /// Asks first where somebody else changed the file.
    bool save(QWidget* window);
    bool save_as(QWidget* window);
    /// Opens the file as somebody else left it. What is on screen goes: keep a copy before.
    void open_theirs();
    /// Asks whether to save what would be lost. False when the person wants to stay.
    [[nodiscard]] bool may_leave(QWidget* window);
    /// Closes one file. Before the last one it asks, as before close_all().
    void close(const QString& path, QWidget* window);
    /// Closes the only file, or the one that a person chooses from a menu in the middle of `about`.
    void choose_and_close(QPoint about, QWidget* window);
    /// Closes everything; what was done goes with it when it has a file of its own. Ask may_leave() before.
    void close_all();

    /// The session file, absolute; empty while there is none.
    [[nodiscard]] const QString& path() const { return path_; }
    [[nodiscard]] bool modified() const { return modified_; }
    /// What is on screen, for a copy that may lie anywhere: its sources have absolute paths.
    [[nodiscard]] WorkspaceSpec copy() const;

  signals:
    /// Path or modified().
    void changed();
    /// Something that counts as a change, or modified().
    void touched();
    /// What recover() opened is on screen.
    void recovered(const QString& copy);
    void written(const QString& path);
    /// A person wants open_theirs() instead of saving.
    void theirs_wanted();
    void failed(const roofwalk::Error& error);
    /// Something that a person should know, and that stops nothing.
    void noticed(const roofwalk::Notice& notice);

  private:
    void open_session(const SessionRequest& request, const QStringList& beside);
    void show_opened(const OpenSession& arrived);
    void give_up_opening();
    /// From here on the file is known with this content.
    void follow_file(const std::string& hash);
    /// What others did to the file: reads it again where nothing is unsaved, and tells.
    void look_at_disk();
    void read_again();
    /// What is on screen is in no file: others took the file away, or changed it and it cannot be shown.
    [[nodiscard]] bool only_here() const;
    [[nodiscard]] bool save_over_theirs(QWidget* window);
    void refuse_to_save(const QString& path);
    bool write(const QString& path);
    /// What is on screen as a file at `path` holds it; absolute paths stay for an empty one.
    [[nodiscard]] WorkspaceSpec content_for(const QString& path) const;
    /// What counts as a change. Of a session without a file only what a person made, so that nobody is asked
    /// to save who just looked.
    [[nodiscard]] WorkspaceSpec kept_part() const;
    void begin_without_file();
    void leave_if_empty();
    void follow();

    Document& document_;
    RooflineChart& chart_;
    QUndoStack& changes_;
    Settings& settings_;
    FileChooser& chooser_;
    QString lessons_;
    QString path_;
    QString opening_;                     ///< what was last asked for, for a message
    WatchedFile disk_;                    ///< the file
    std::string told_;                    ///< disk_.hash_seen() when it was last looked at
    std::string unreadable_;              ///< disk_.hash_seen() of what could not be shown
    bool reloads_ = false;                ///< what is being opened is what somebody else left there
    std::optional<WorkspaceSpec> saved_;  ///< kept_part() of what is in the file; absent: of none
    WorkspaceSpec seen_;                  ///< kept_part() when it was last looked at
    int shown_ = 0;                       ///< how many sessions were shown so far
    bool modified_ = false;
};

/// Refuses to write over a report that is open, newer or older: by the file itself, whatever its name.
[[nodiscard]] Result<void> refuse_open_report(const Document& document, const QString& path);

/// For what is no session: refuses to write over sessions too.
[[nodiscard]] Result<void> refuse_open_file(const Document& document, const QString& path);

}  // namespace roofwalk
