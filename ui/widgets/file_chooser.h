// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>

#include "core/base/error.h"

class QWidget;

namespace roofwalk {

/// Refuses (write_failed) where no file of that path can be written, and leaves no trace.
[[nodiscard]] Result<void> refuse_unwritable(const QString& path);

/// Asks a person about files. The program asks through the desktop's dialogs; a test answers by itself.
class FileChooser {
  public:
    /// What becomes of changes that are not saved.
    enum class Keep : std::uint8_t { save, discard, stay };
    /// What becomes of a file that somebody else changed since it was read or written here.
    enum class Conflict : std::uint8_t { save_over, save_as, open_theirs, stay };
    /// What files are asked for: instead of what is open, beside it, or to compare it with.
    enum class Purpose : std::uint8_t { open, add, compare };

    FileChooser() = default;
    FileChooser(const FileChooser&) = delete;
    FileChooser& operator=(const FileChooser&) = delete;
    virtual ~FileChooser() = default;

    /// Files to read; empty when the person changed their mind.
    [[nodiscard]] virtual QStringList files_to_open(QWidget* parent, const QString& folder,
                                                    Purpose purpose) = 0;
    /// One file to read; empty when the person changed their mind.
    [[nodiscard]] virtual QString file_to_open(QWidget* parent, const QString& folder,
                                               const QString& filter) = 0;
    /// A file to write; empty when the person changed their mind. `suggested` is a whole path.
    [[nodiscard]] virtual QString file_to_save(QWidget* parent, const QString& title,
                                               const QString& suggested, const QString& filter) = 0;
    /// Before what is called `name` goes from the screen.
    [[nodiscard]] virtual Keep ask_to_keep(QWidget* parent, const QString& name) = 0;
    /// Before the file called `name` is written over that somebody else changed.
    [[nodiscard]] virtual Conflict ask_about_conflict(QWidget* parent, const QString& name) = 0;
    /// Before a program that is being recorded is ended.
    [[nodiscard]] virtual bool ask_to_stop(QWidget* parent, const QString& program) = 0;
    /// Before the only copy of unsaved work goes.
    [[nodiscard]] virtual bool ask_to_discard(QWidget* parent, const QString& name) = 0;
};

class DesktopFileChooser : public FileChooser {
  public:
    [[nodiscard]] QStringList files_to_open(QWidget* parent, const QString& folder, Purpose purpose) override;
    [[nodiscard]] QString file_to_open(QWidget* parent, const QString& folder,
                                       const QString& filter) override;
    [[nodiscard]] QString file_to_save(QWidget* parent, const QString& title, const QString& suggested,
                                       const QString& filter) override;
    [[nodiscard]] Keep ask_to_keep(QWidget* parent, const QString& name) override;
    [[nodiscard]] Conflict ask_about_conflict(QWidget* parent, const QString& name) override;
    [[nodiscard]] bool ask_to_stop(QWidget* parent, const QString& program) override;
    [[nodiscard]] bool ask_to_discard(QWidget* parent, const QString& name) override;
};

}  // namespace roofwalk
