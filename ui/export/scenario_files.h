// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <string>

#include "core/base/notice.h"

class QUndoStack;
class QWidget;

namespace roofwalk {

class Document;
class FileChooser;
class Settings;

/// Reads and writes the scenario of a document, through the desktop's dialogs.
class ScenarioFiles : public QObject {
    Q_OBJECT

  public:
    ScenarioFiles(Document& document, QUndoStack& changes, Settings& settings, FileChooser& chooser,
                  QObject* parent);

    /// Puts the scenario of a file in the place of the one that is there, which undo brings back.
    void ask_and_open(QWidget* window);
    void ask_and_save(QWidget* window);

  signals:
    void written(const QString& path);
    void failed(const roofwalk::Error& error);
    void noticed(const roofwalk::Notice& notice);

  private:
    void open(const QString& path);
    void save(const QString& path);
    /// From here on the file is known with this content.
    void know(const QString& path, const std::string& text);
    /// It was read or written here, and has another content by now.
    [[nodiscard]] bool changed_by_others(const QString& path) const;

    Document& document_;
    QUndoStack& changes_;
    Settings& settings_;
    FileChooser& chooser_;
    /// content_hash() of what was read or written here, by the canonical path.
    std::map<QString, std::string> known_;
};

}  // namespace roofwalk
