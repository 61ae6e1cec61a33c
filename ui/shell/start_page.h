// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QListWidget;
class QPushButton;

namespace roofwalk {

class RecoveryList;
class RecentFiles;

/// A profile that comes with the program.
struct Sample {
    QString title;
    QString path;
};

/// What is shown while nothing is open: ways to open something.
class StartPage : public QWidget {
    Q_OBJECT

  public:
    StartPage(RecentFiles& recent, const QList<Sample>& samples, QWidget* parent = nullptr);

    /// Whether a file is held over the window at the moment.
    void set_drop_target(bool active);
    /// Why nothing can be recorded; empty when it can.
    void set_record_obstacle(const QString& why);
    /// Unsaved work of earlier runs.
    [[nodiscard]] RecoveryList& recovery_list() { return *recovery_list_; }

  signals:
    void open_requested();
    void record_requested();
    void file_requested(const QString& path);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] QWidget* make_recent();
    void list_recent();
    [[nodiscard]] QWidget* make_samples(const QList<Sample>& samples);

    RecentFiles& recent_;
    RecoveryList* recovery_list_;
    QPushButton* record_;
    QWidget* recent_section_;
    QListWidget* recent_list_;
    QWidget* column_;
    bool drop_target_ = false;
};

}  // namespace roofwalk
