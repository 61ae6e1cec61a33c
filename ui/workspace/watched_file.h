// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <optional>
#include <string>

namespace roofwalk {

/// Hash of the content of a file (content_hash()); absent when it is none or cannot be read.
[[nodiscard]] std::optional<std::string> hash_of_file(const QString& path);

/// A file whose content is known here, and what others do to it. It is the content that counts: who writes
/// the same again, restores it or copies it over has changed nothing.
class WatchedFile : public QObject {
    Q_OBJECT

  public:
    enum class State : std::uint8_t { known, other, gone };

    explicit WatchedFile(QObject* parent = nullptr);

    /// `hash` is content_hash() of what was read from it or written to it; empty: not known, so that whatever
    /// is there is another content.
    void follow(const QString& path, const std::string& hash);
    void forget();

    /// What is there now. Reads the file when it was touched since it was last looked at.
    State look();
    /// The same, and reads it in any case: not every change shows in size and times.
    State look_closely();
    /// Says touched() again after a while.
    void look_later() { touch_.start(); }
    /// As last looked at.
    [[nodiscard]] State state() const { return state_; }
    /// Of the known content; empty: not known.
    [[nodiscard]] const std::string& hash() const { return hash_; }
    /// Of the content that was last seen, whose value is no hash where it could not be read; empty where
    /// there was none.
    [[nodiscard]] const std::string& hash_seen() const { return seen_; }

  signals:
    /// Something happened to the file, to its folder, or while the program was in the background; look()
    /// tells what.
    void touched();

  private:
    /// What changes when a file is replaced or written to.
    struct Stamp {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::int64_t size = 0;      ///< [byte]
        std::int64_t modified = 0;  ///< [ns]
        std::int64_t changed = 0;   ///< [ns]; nobody can set it back

        friend bool operator==(const Stamp&, const Stamp&) = default;
    };

    /// Absent when there is no such file, or none that can be seen.
    [[nodiscard]] std::optional<Stamp> stamp() const;
    void watch();

    QString path_;
    std::string hash_;
    std::string seen_;
    std::optional<Stamp> stamp_;  ///< when it was last read
    State state_ = State::known;
    QFileSystemWatcher watcher_;
    QTimer touch_;
};

}  // namespace roofwalk
