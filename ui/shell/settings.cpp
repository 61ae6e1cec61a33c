// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QStandardPaths>
#include <filesystem>
#include <optional>

#include "core/base/enum_array.h"
#include "core/base/file_writer.h"
#include "core/chart/layout/page.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

constexpr EnumArray<Appearance, std::string_view, 3> appearance_names{"system", "light", "dark"};
constexpr EnumArray<Theme, std::string_view, 3> theme_names{"light", "dark", "print"};
constexpr qint64 most_read = 16LL << 20U;

constexpr QLatin1String recent_files_key("recent_files");
constexpr QLatin1String last_folder_key("last_folder");
constexpr QLatin1String appearance_key("appearance");
constexpr QLatin1String geometry_key("window/geometry");
constexpr QLatin1String state_key("window/state");
constexpr QLatin1String commands_key("record/commands");
constexpr QLatin1String export_format_key("export/format");
constexpr QLatin1String export_size_key("export/size");
constexpr QLatin1String export_theme_key("export/theme");

QByteArray to_bytes(const QJsonValue& value) {
    return QByteArray::fromBase64(value.toString().toLatin1());
}

QJsonValue from_bytes(const QByteArray& bytes) {
    return QString::fromLatin1(bytes.toBase64());
}

/// Absent when something is there that cannot be read.
std::optional<QJsonObject> read_json(const QString& path) {
    QFile file(path);
    if (!file.exists()) return QJsonObject();
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    const QByteArray text = file.read(most_read + 1);
    if (text.isEmpty() && file.error() == QFileDevice::NoError) return QJsonObject();
    const QJsonDocument document = QJsonDocument::fromJson(text);
    if (text.size() > most_read || !document.isObject()) return std::nullopt;
    return document.object();
}

/// Keeps what cannot be read: a person may have written it. 0 or errno.
int put_aside(const QString& path) {
    const QString kept = path + QStringLiteral(".bad");
    std::error_code code;
    std::filesystem::rename(to_path(path), to_path(kept), code);
    if (!code)
        qWarning("The settings in %s cannot be read: they begin anew, and the file is kept as %s.",
                 qUtf8Printable(path), qUtf8Printable(kept));
    return code.value();
}

QString own_file() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/roofwalk/roofwalk.json");
}

}  // namespace

Settings::Settings()
    : Settings(own_file(), QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                               QStringLiteral("/unsaved")) {}

Settings::Settings(const QString& file)
    : Settings(file, QFileInfo(file).path() + QStringLiteral("/unsaved")) {}

Settings::Settings(const QString& file, const QString& recovery_folder)
    : file_(file), recovery_folder_(recovery_folder), stored_(read_json(file).value_or(QJsonObject())) {
    idle_.setSingleShot(true);
    connect(&idle_, &QTimer::timeout, this, &Settings::write);
}

Settings::~Settings() {
    write();
}

QJsonValue Settings::value(const QString& key) const {
    return changed_.contains(key) ? changed_.value(key) : stored_.value(key);
}

void Settings::set(const QString& key, const QJsonValue& value) {
    if (this->value(key) == value) return;
    changed_.insert(key, value);
    idle_.start(0);
}

void Settings::write() {
    if (changed_.isEmpty()) return;
    const QFileInfo here(file_);
    const std::string failure = "The settings were not saved";
    const std::optional<QJsonObject> there = read_json(file_);
    if (const int code = there ? 0 : put_aside(file_); code != 0)
        return tell(tl::unexpected(write_error(failure, to_path(file_), code)));
    QJsonObject values = there.value_or(QJsonObject());
    values.insert(QStringLiteral("format"), QStringLiteral("roofwalk-settings"));
    for (auto change = changed_.constBegin(); change != changed_.constEnd(); ++change)
        values.insert(change.key(), change.value());
    if (!here.dir().exists() && QDir().mkpath(here.path()))
        QFile::setPermissions(here.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    // Names of files and programs are nobody else's business.
    const Result<void> written =
        write_file(to_path(file_), QJsonDocument(values).toJson().toStdString(), failure, mode_for_its_owner);
    tell(written);
    if (!written) return;
    stored_ = values;
    changed_ = {};
}

void Settings::tell(const Result<void>& written) {
    if (written)
        told_ = false;
    else if (!std::exchange(told_, true))
        emit failed(written.error());
}

QStringList Settings::recent_files() const {
    return value(recent_files_key).toVariant().toStringList();
}

void Settings::set_recent_files(const QStringList& paths) {
    set(recent_files_key, QJsonArray::fromStringList(paths));
}

QString Settings::last_folder() const {
    return value(last_folder_key).toString();
}

void Settings::set_last_folder(const QString& folder) {
    set(last_folder_key, folder);
}

Appearance Settings::appearance() const {
    return from_id(appearance_names, value(appearance_key).toString().toStdString())
        .value_or(Appearance::system);
}

void Settings::set_appearance(Appearance appearance) {
    set(appearance_key, to_qt(appearance_names[appearance]));
}

QByteArray Settings::window_geometry() const {
    return to_bytes(value(geometry_key));
}

QByteArray Settings::window_state() const {
    return to_bytes(value(state_key));
}

void Settings::set_window(const QByteArray& geometry, const QByteArray& state) {
    set(geometry_key, from_bytes(geometry));
    set(state_key, from_bytes(state));
}

QStringList Settings::recorded_commands() const {
    return value(commands_key).toVariant().toStringList();
}

void Settings::add_recorded_command(const QString& command) {
    constexpr qsizetype most = 20;
    QStringList commands = recorded_commands();
    commands.removeAll(command);
    commands.prepend(command);
    set(commands_key, QJsonArray::fromStringList(commands.mid(0, most)));
}

QString Settings::export_format() const {
    return value(export_format_key).toString(QStringLiteral("svg"));
}

void Settings::set_export_format(const QString& suffix) {
    set(export_format_key, suffix);
}

QString Settings::export_size() const {
    const QString kept = value(export_size_key).toString();
    return page_named(kept.toStdString()) ? kept : to_qt(figure_uses.front().id);
}

void Settings::set_export_size(const QString& size) {
    set(export_size_key, size);
}

Theme Settings::export_theme() const {
    return from_id(theme_names, value(export_theme_key).toString().toStdString()).value_or(Theme::print);
}

void Settings::set_export_theme(Theme theme) {
    set(export_theme_key, to_qt(theme_names[theme]));
}

}  // namespace roofwalk
