// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QList>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "core/error.h"

class QLockFile;

namespace roofwalk {

class SessionFiles;

/// Unsaved work of a run that did not end well.
struct LostWork {
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
    [[nodiscard]] QList<LostWork> lost_work() const;
    /// Deletes such a copy, and a lock of another machine with it.
    void discard(const QString& copy);

  signals:
    void failed(const roofwalk::Error& error);

  private:
    void follow();
    void write();
    void forget();
    /// The copy was opened: from now on it is that of this run.
    void adopt(const QString& copy);

    SessionFiles& session_;
    QString folder_;
    QString copy_;
    std::unique_ptr<QLockFile> lock_;
    QTimer timer_;
    QElapsedTimer written_;  ///< since the copy was written last
    qint64 rest_ = 0;        ///< for which none is written after that [ms]
    bool told_ = false;      ///< that the copy cannot be written
};

}  // namespace roofwalk
