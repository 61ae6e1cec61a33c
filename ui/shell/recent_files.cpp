// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recent_files.h"

#include <QFileInfo>
#include <QMenu>

#include "ui/shell/settings.h"
#include "ui/widgets/plain_text.h"

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

void RecentFiles::list_in(QMenu& menu) {
    const auto list = [this, &menu] {
        menu.clear();
        menu.setEnabled(!paths().isEmpty());
        for (const QString& path : paths())
            connect(menu.addAction(menu_text(path)), &QAction::triggered, this,
                    [this, path] { emit requested(path); });
        if (paths().isEmpty()) return;
        menu.addSeparator();
        connect(menu.addAction(tr("Clear this list")), &QAction::triggered, this, &RecentFiles::clear);
    };
    connect(this, &RecentFiles::changed, &menu, list);
    list();
}

void RecentFiles::store(const QStringList& paths) {
    settings_.set_recent_files(paths);
    emit changed();
}

}  // namespace roofwalk
