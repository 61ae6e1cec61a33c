// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QSize>
#include <QString>
#include <QStringList>

#include "core/chart/palette.h"

namespace roofwalk {

/// Which colours the window wears.
enum class Appearance : std::uint8_t { system, light, dark };

/// What is remembered between two runs. Made once in `app/` and passed by reference; a test gives it a file
/// of its own.
class Settings {
  public:
    /// The person's own settings file.
    Settings();
    /// Settings in one INI file; unsaved work is kept beside it.
    explicit Settings(const QString& file);

    [[nodiscard]] QStringList recent_files() const;
    void set_recent_files(const QStringList& paths);

    [[nodiscard]] QString last_folder() const;
    void set_last_folder(const QString& folder);

    [[nodiscard]] Appearance appearance() const;
    void set_appearance(Appearance appearance);

    [[nodiscard]] QByteArray window_geometry() const;
    [[nodiscard]] QByteArray window_state() const;
    void set_window(const QByteArray& geometry, const QByteArray& state);

    /// Where unsaved work is kept for after a crash; may not exist yet.
    [[nodiscard]] QString recovery_folder() const { return recovery_folder_; }

    /// Programs that were recorded, with their arguments; the last one first.
    [[nodiscard]] QStringList recorded_commands() const;
    void add_recorded_command(const QString& command);

    /// Suffix of the format exported last ("svg").
    [[nodiscard]] QString export_format() const;
    void set_export_format(const QString& suffix);
    [[nodiscard]] QSize export_size() const;
    void set_export_size(QSize size);
    [[nodiscard]] Theme export_theme() const;
    void set_export_theme(Theme theme);

  private:
    QSettings store_;
    QString recovery_folder_;
};

}  // namespace roofwalk
