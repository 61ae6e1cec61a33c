// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <array>

namespace roofwalk {

namespace {

constexpr std::array appearance_names{"system", "light", "dark"};
constexpr std::array theme_names{"light", "dark", "print"};

/// The value whose name is stored under `key`; `fallback` when there is none we know.
template <class Enum, std::size_t N>
Enum named_value(const QSettings& store, const char* key, const std::array<const char*, N>& names,
                 Enum fallback) {
    const QString stored = store.value(key).toString();
    for (std::size_t i = 0; i < N; ++i)
        if (stored == QLatin1String(names[i])) return static_cast<Enum>(i);
    return fallback;
}

}  // namespace

Settings::Settings()
    : recovery_folder_(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                       QStringLiteral("/unsaved")) {}

Settings::Settings(const QString& file)
    : store_(file, QSettings::IniFormat),
      recovery_folder_(QFileInfo(file).path() + QStringLiteral("/unsaved")) {}

QStringList Settings::recent_files() const {
    return store_.value("recent_files").toStringList();
}

void Settings::set_recent_files(const QStringList& paths) {
    store_.setValue("recent_files", paths);
}

QString Settings::last_folder() const {
    return store_.value("last_folder").toString();
}

void Settings::set_last_folder(const QString& folder) {
    store_.setValue("last_folder", folder);
}

Appearance Settings::appearance() const {
    return named_value(store_, "appearance", appearance_names, Appearance::system);
}

void Settings::set_appearance(Appearance appearance) {
    store_.setValue("appearance", appearance_names.at(static_cast<std::size_t>(appearance)));
}

QByteArray Settings::window_geometry() const {
    return store_.value("window/geometry").toByteArray();
}

QByteArray Settings::window_state() const {
    return store_.value("window/state").toByteArray();
}

void Settings::set_window(const QByteArray& geometry, const QByteArray& state) {
    store_.setValue("window/geometry", geometry);
    store_.setValue("window/state", state);
}

QStringList Settings::recorded_commands() const {
    return store_.value("record/commands").toStringList();
}

void Settings::add_recorded_command(const QString& command) {
    constexpr qsizetype most = 20;
    QStringList commands = recorded_commands();
    commands.removeAll(command);
    commands.prepend(command);
    store_.setValue("record/commands", commands.mid(0, most));
}

QString Settings::export_format() const {
    return store_.value("export/format", "svg").toString();
}

void Settings::set_export_format(const QString& suffix) {
    store_.setValue("export/format", suffix);
}

QSize Settings::export_size() const {
    const QSize size = store_.value("export/size").toSize();
    return size.isEmpty() ? QSize(900, 600) : size;
}

void Settings::set_export_size(QSize size) {
    store_.setValue("export/size", size);
}

Theme Settings::export_theme() const {
    return named_value(store_, "export/theme", theme_names, Theme::print);
}

void Settings::set_export_theme(Theme theme) {
    store_.setValue("export/theme", theme_names.at(static_cast<std::size_t>(theme)));
}

}  // namespace roofwalk
