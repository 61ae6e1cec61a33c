// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/watched_file.h"

#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>

#include "core/workspace/content_hash.h"
#include "core/workspace/session_json.h"

namespace roofwalk {

namespace {

constexpr int settling_time = 200;              // ms: other programs write a file in several steps
constexpr std::int64_t second = 1'000'000'000;  // ns

std::int64_t in_ns(const timespec& time) {
    return time.tv_sec * second + time.tv_nsec;
}

/// The folder, or of one that is gone the nearest that is there: where it would come back.
QString folder_there(const QString& path) {
    QDir folder = QFileInfo(path).absoluteDir();
    while (!folder.exists() && !folder.isRoot())
        folder = QFileInfo(folder.path()).absoluteDir();
    return folder.path();
}

}  // namespace

std::optional<std::string> hash_of_file(const QString& path) {
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) return std::nullopt;
    const QByteArray bytes = file.read(most_read_of_session);
    if (file.error() != QFileDevice::NoError) return std::nullopt;
    return content_hash(std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))));
}

WatchedFile::WatchedFile(QObject* parent) : QObject(parent) {
    touch_.setSingleShot(true);
    touch_.setInterval(settling_time);
    connect(&touch_, &QTimer::timeout, this, &WatchedFile::touched);
    const auto touch = [this] { touch_.start(); };
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, touch);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, touch);
    // Nobody tells of what another machine does in a shared folder.
    connect(qGuiApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive && !path_.isEmpty()) touch_.start();
    });
}

void WatchedFile::follow(const QString& path, const std::string& hash) {
    path_ = path;
    hash_ = hash;
    stamp_.reset();
    look_closely();
}

void WatchedFile::forget() {
    path_.clear();
    hash_.clear();
    seen_.clear();
    stamp_.reset();
    state_ = State::known;
    touch_.stop();
    const QStringList watched = watcher_.files() + watcher_.directories();
    if (!watched.isEmpty()) watcher_.removePaths(watched);
}

WatchedFile::State WatchedFile::look() {
    if (path_.isEmpty() || (stamp_ && stamp() == stamp_)) return state_;
    return look_closely();
}

WatchedFile::State WatchedFile::look_closely() {
    if (path_.isEmpty()) return state_;
    watch();
    stamp_ = stamp();  // before it is read: who writes meanwhile is seen the next time
    const std::optional<std::string> seen = hash_of_file(path_);
    const bool there = seen || QFileInfo(path_).isFile();
    seen_ = there ? seen.value_or("unreadable") : std::string();
    if (!there)
        state_ = State::gone;
    else
        state_ = seen_ == hash_ ? State::known : State::other;
    return state_;
}

std::optional<WatchedFile::Stamp> WatchedFile::stamp() const {
    struct stat status {};
    if (stat(QFile::encodeName(path_).constData(), &status) != 0) return std::nullopt;
    return Stamp{status.st_dev, status.st_ino, status.st_size, in_ns(status.st_mtim), in_ns(status.st_ctim)};
}

void WatchedFile::watch() {
    // A file that was replaced is another one to the watcher. Behind a link it lies in another folder.
    watcher_.removePath(path_);
    QStringList wanted{folder_there(path_)};
    if (const QFileInfo file(path_); file.exists()) {
        wanted.append(path_);
        wanted.append(QFileInfo(file.canonicalFilePath()).absolutePath());
    }
    wanted.removeDuplicates();
    const QStringList watched = watcher_.files() + watcher_.directories();
    QStringList others;
    for (const QString& path : watched)
        if (!wanted.contains(path)) others.append(path);
    if (!others.isEmpty()) watcher_.removePaths(others);
    for (const QString& path : watched)
        wanted.removeAll(path);
    if (!wanted.isEmpty()) watcher_.addPaths(wanted);
}

}  // namespace roofwalk
