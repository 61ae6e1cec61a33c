// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include "core/base/error.h"
#include "core/chart/scene/palette.h"

namespace roofwalk {

/// Which colours the window wears.
enum class Appearance : std::uint8_t { system, light, dark };

/// What is remembered between two runs, in a JSON file. Made once in `app/` and passed by reference; a test
/// gives it a file of its own. What is set is written when the program has nothing else to do, and at the
/// end; what another window wrote meanwhile stays.
class Settings : public QObject {
    Q_OBJECT

  public:
    /// The person's own settings file.
    Settings();
    /// Settings in one file; unsaved work is kept beside it.
    explicit Settings(const QString& file);
    ~Settings() override;

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
    /// As ExportRequest::size.
    [[nodiscard]] QString export_size() const;
    void set_export_size(const QString& size);
    [[nodiscard]] Theme export_theme() const;
    void set_export_theme(Theme theme);

  signals:
    /// The file could not be written; told once until it can be.
    void failed(const roofwalk::Error& error);

  private:
    Settings(const QString& file, const QString& recovery_folder);
    [[nodiscard]] QJsonValue value(const QString& key) const;
    void set(const QString& key, const QJsonValue& value);
    void write();
    void tell(const Result<void>& written);

    QString file_;
    QString recovery_folder_;
    QJsonObject stored_;   ///< as last read or written
    QJsonObject changed_;  ///< not written yet
    QTimer idle_;
    bool told_ = false;  ///< that the file cannot be written
};

}  // namespace roofwalk
