// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/autosave.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QUuid>
#include <QtConcurrent>

#include "core/base/file_writer.h"
#include "core/model/source_names.h"
#include "core/workspace/session_json.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/session_files.h"

namespace roofwalk {

namespace {

constexpr qint64 delay = 50;  // of the copy after a change [ms]: several at once are written once
/// Of the time that the text of a copy took: a large one made after each of many changes would hold the
/// window up.
constexpr qint64 rest_after = 9;
constexpr qint64 longest_rest = 150;  // [ms], so that a change is in the copy within 0.2 s
constexpr qint64 longest_lock = 4096;

QString lock_of(const QString& copy) {
    return copy + QStringLiteral(".lock");
}

/// Null while the owner of a copy runs.
std::unique_ptr<QLockFile> locked(const QString& copy) {
    auto lock = std::make_unique<QLockFile>(lock_of(copy));
    lock->setStaleLockTime(0);  // however old it is; a lock whose process is gone is none
    return lock->tryLock(0) ? std::move(lock) : nullptr;
}

/// Of a program that was replaced while it runs too.
QString program_name(const QString& path) {
    QString name = QFileInfo(path).fileName();
    const QString replaced = QStringLiteral(" (deleted)");
    if (name.endsWith(replaced)) name.chop(replaced.size());
    return name;
}

enum class Owner { gone, here, elsewhere };

/// The owner of a copy, by what is written in its lock: taking the lock to find out would hide the copy from
/// another window that looks at the same time.
Owner owner_of(const QString& copy) {
    QFile lock(lock_of(copy));
    if (!lock.open(QIODevice::ReadOnly)) return Owner::gone;
    // Process, program, host name, machine and boot, one a line, as QLockFile writes them.
    const QList<QByteArray> lines = lock.read(longest_lock).split('\n');
    const QByteArray machine = lines.value(3);
    const QByteArray boot = lines.value(4);
    const bool here = machine.isEmpty() ? lines.value(2) == QSysInfo::machineHostName().toUtf8()
                                        : machine == QSysInfo::machineUniqueId();
    if (!here) return Owner::elsewhere;
    if (!boot.isEmpty() && boot != QSysInfo::bootUniqueId()) return Owner::gone;
    const QString running =
        QFile::symLinkTarget(QStringLiteral("/proc/%1/exe").arg(lines.front().toLongLong()));
    const bool runs =
        !running.isEmpty() && program_name(running) == program_name(QString::fromUtf8(lines.value(1)));
    return runs ? Owner::here : Owner::gone;
}

/// Absent when the copy is none that can be read.
std::optional<QString> name_of(const QString& copy) {
    QFile file(copy);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    const Result<WorkspaceSpec> session =
        read_session(file.read(most_read_of_session).toStdString(), copy.toStdString());
    if (!session || session->sources.empty()) return std::nullopt;
    const std::string& path =
        session->autosave_of.empty() ? session->sources.front().path : session->autosave_of;
    return to_qt(file_name_of(path));
}

}  // namespace

Autosave::Autosave(SessionFiles& session, const QString& folder, QObject* parent)
    : QObject(parent), session_(session), folder_(folder) {
    timer_.setSingleShot(true);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &Autosave::write);
    connect(&writing_, &QFutureWatcherBase::finished, this, &Autosave::take_written);
    connect(&session_, &SessionFiles::touched, this, &Autosave::follow);
    connect(&session_, &SessionFiles::recovered, this, &Autosave::adopt);
}

Autosave::~Autosave() {
    forget();  // who ends the program in order has saved, or has said that nothing is to be kept
}

void Autosave::follow() {
    if (!session_.modified())
        forget();
    else if (!timer_.isActive())
        write_in(delay);
}

void Autosave::write_in(qint64 milliseconds) {
    timer_.start(static_cast<int>(std::max(milliseconds, rest_.remainingTime())));
}

void Autosave::write() {
    if (is_writing_) {
        writes_again_ = true;
        return;
    }
    QElapsedTimer making;
    making.start();
    const Result<std::string> text = copy_text();
    rest_.setRemainingTime(std::min(rest_after * making.elapsed(), longest_rest), Qt::PreciseTimer);
    if (!text) return tell(tl::unexpected(text.error()));
    // Not on this thread: a disk may take its time to sync.
    is_writing_ = true;
    writing_.setFuture(QtConcurrent::run(&writer_, [path = to_path(copy_), text = *text] {
        QElapsedTimer took;
        took.start();
        Result<void> done = write_file(path, text, "Unsaved changes are not kept for after a crash");
        return Written{std::move(done), took.elapsed()};
    }));
}

void Autosave::take_written() {
    if (writing_.isCanceled()) return;  // end_writing() has put none in its place
    is_writing_ = false;
    const Written written = writing_.result();
    // A slow disk is left alone for as long as it was busy, so that others have half of its time.
    if (rest_.remainingTime() < written.took) rest_.setRemainingTime(written.took, Qt::PreciseTimer);
    tell(written.done);
    if (std::exchange(writes_again_, false) || timer_.isActive()) write_in(timer_.remainingTime());
}

void Autosave::tell(const Result<void>& done) {
    if (done)
        told_ = false;
    else if (!std::exchange(told_, true))
        emit failed(done.error());
}

Result<std::string> Autosave::copy_text() {
    if (copy_.isEmpty()) {
        QDir(folder_).mkpath(QStringLiteral("."));
        QFile::setPermissions(folder_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        copy_ = QDir(folder_).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces) +
                                       QStringLiteral(".roofwalk"));
    }
    if (!lock_) lock_ = locked(copy_);  // another try with each change
    return to_session_file(session_.copy(), copy_.toStdString());
}

void Autosave::end_writing() {
    timer_.stop();
    writes_again_ = false;
    is_writing_ = false;
    writing_.waitForFinished();
    writing_.setFuture({});  // what it would tell is of no use any more
}

Result<QString> Autosave::put_aside() {
    end_writing();
    const Result<void> done = copy_text().and_then([this](const std::string& text) {
        return write_file(to_path(copy_), text, "Your changes could not be kept aside");
    });
    if (!done) {
        follow();  // else what was changed last would be in no copy
        return tl::unexpected(done.error());
    }
    lock_.reset();
    return std::exchange(copy_, QString());
}

void Autosave::forget() {
    end_writing();
    if (copy_.isEmpty()) return;
    QFile::remove(copy_);
    copy_.clear();
    lock_.reset();
}

void Autosave::adopt(const QString& copy) {
    // A copy is removed when it is no longer needed: never a file of a person's own.
    if (QFileInfo(copy).absolutePath() != QFileInfo(folder_).absoluteFilePath()) return;
    auto lock = locked(copy);
    if (!lock) return;  // another window took it meanwhile; this one makes a copy of its own
    forget();
    copy_ = copy;
    lock_ = std::move(lock);
}

QList<RecoverableSession> Autosave::lost_work() const {
    QList<RecoverableSession> found;
    const QFileInfoList copies =
        QDir(folder_).entryInfoList({QStringLiteral("*.roofwalk")}, QDir::Files, QDir::Time);
    for (const QFileInfo& copy : copies) {
        const Owner owner = owner_of(copy.filePath());
        if (copy.filePath() == copy_ || owner == Owner::here) continue;
        const std::optional<QString> name = name_of(copy.filePath());
        found.append({copy.filePath(), name.value_or(copy.fileName()), copy.lastModified(), name.has_value(),
                      owner == Owner::elsewhere});
    }
    return found;
}

void Autosave::discard(const QString& copy) {
    const auto lock = locked(copy);
    const bool of_elsewhere = !lock && owner_of(copy) == Owner::elsewhere;
    if ((!lock && !of_elsewhere) || !QFile::remove(copy))  // a window here took it meanwhile, or the disk
        return emit failed(Error{ErrorCode::write_failed, "The unsaved work could not be discarded",
                                 copy.toStdString(),
                                 "Its folder cannot be written, or another window has the work open."});
    if (of_elsewhere) QFile::remove(lock_of(copy));
}

}  // namespace roofwalk
