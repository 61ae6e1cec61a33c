// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QDeadlineTimer>
#include <QFutureWatcher>
#include <QList>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <memory>
#include <string>

#include "core/base/error.h"

class QLockFile;

namespace roofwalk {

class SessionFiles;

/// Unsaved work of a run that did not end well, or that was put aside.
struct RecoverableSession {
    QString copy;  ///< the file that holds it
    QString name;  ///< of the session, or of its first report; of the file when it cannot be read
    QDateTime changed;
    bool readable = true;
    bool elsewhere = false;  ///< its lock is of another machine: nobody can tell here whether it is in use
};

/// Keeps a copy of changes that are not saved, in a folder of its own and never in the place of the person's
/// file. The copy goes when they are saved or given up; after a crash it stays. A lock beside it tells that
/// its owner still runs.
class Autosave : public QObject {
    Q_OBJECT

  public:
    Autosave(SessionFiles& session, const QString& folder, QObject* parent);
    ~Autosave() override;

    /// Copies that nobody holds, the newest first.
    [[nodiscard]] QList<RecoverableSession> lost_work() const;
    /// Deletes such a copy, and a lock of another machine with it; `failed` where it stays.
    void discard(const QString& copy);

    /// Writes the copy now and lets go of it: it stays among the lost work until it is recovered or
    /// discarded.
    [[nodiscard]] Result<QString> put_aside();

  signals:
    void failed(const roofwalk::Error& error);

  private:
    /// What became of a copy.
    struct Written {
        Result<void> done;
        qint64 took = 0;  ///< [ms]
    };

    void follow();
    /// After the rest, if that is longer.
    void write_in(qint64 milliseconds);
    /// Begins to write the copy, or does when the last one is written.
    void write();
    void take_written();
    void tell(const Result<void>& done);
    /// What the copy is to hold. Names and locks it where it is a new one.
    [[nodiscard]] Result<std::string> copy_text();
    void end_writing();
    void forget();
    /// The copy was opened: from now on it is that of this run.
    void adopt(const QString& copy);

    SessionFiles& session_;
    QString folder_;
    QString copy_;
    std::unique_ptr<QLockFile> lock_;
    QTimer timer_{this};
    QDeadlineTimer rest_;  ///< until then no copy is made, for what the last one cost
    QThreadPool writer_;   ///< of its own, so that long work on the other pool holds up no copy
    QFutureWatcher<Written> writing_;
    bool is_writing_ = false;    ///< until take_written()
    bool writes_again_ = false;  ///< something changed meanwhile
    bool told_ = false;          ///< that the copy cannot be written
};

}  // namespace roofwalk
