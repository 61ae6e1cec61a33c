// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class QMenu;

namespace roofwalk {

class Settings;

/// The files opened last, newest first, kept in the settings.
class RecentFiles : public QObject {
    Q_OBJECT

  public:
    explicit RecentFiles(Settings& settings, QObject* parent = nullptr);

    static constexpr qsizetype capacity = 10;

    /// Absolute paths. A file that is gone stays listed: it may be on a drive that comes back.
    [[nodiscard]] QStringList paths() const;
    void add(const QString& path);
    void clear() { store({}); }
    /// A menu of them, which follows.
    void list_in(QMenu& menu);

  signals:
    void changed();
    /// A person chose one in a menu.
    void requested(const QString& path);

  private:
    void store(const QStringList& paths);

    Settings& settings_;
};

}  // namespace roofwalk
