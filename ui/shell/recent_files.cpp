// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recent_files.h"

#include <QFileInfo>

#include "ui/shell/settings.h"

namespace roofwalk {

RecentFiles::RecentFiles(Settings& settings, QObject* parent) : QObject(parent), settings_(settings) {}

QStringList RecentFiles::paths() const {
    return settings_.recent_files();
}

void RecentFiles::add(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList list = paths();
    list.removeAll(absolute);
    list.prepend(absolute);
    store(list.mid(0, capacity));
}

void RecentFiles::clear() {
    store({});
}

void RecentFiles::store(const QStringList& paths) {
    settings_.set_recent_files(paths);
    emit changed();
}

}  // namespace roofwalk
