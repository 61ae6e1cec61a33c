// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStatusBar>
#include <QString>
#include <cstdint>
#include <vector>

class QDockWidget;
class QLabel;
class QProgressBar;
class QToolButton;

namespace roofwalk {

class Document;
class ElidedLabel;
class Job;

/// The foot of the window: what the session comes to beside a kernel, warnings, work under way with a way to
/// stop it, and what is under the pointer.
class StatusLine : public QStatusBar {
    Q_OBJECT

  public:
    /// What `details` of no kernel say is said here while nobody sees them.
    StatusLine(Document& document, const QDockWidget& details, QWidget* parent = nullptr);

    /// Shows work that does not belong to the document, with a way to stop it.
    void watch(Job& job);

  public slots:
    /// For a while, as long as selection and filter stay: what they ask for is told.
    void tell(const QString& words);
    void show_pointer(double intensity, double performance);
    void clear_pointer();

  signals:
    /// The person wants to read the warnings of the profile.
    void warnings_requested();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void end_telling();
    void show_document();
    void show_summary();
    void show_work();
    void show_share(double share);

    Document& document_;
    const QDockWidget& details_;
    QList<Job*> jobs_;
    ElidedLabel* summary_;
    QToolButton* warnings_;
    struct Message {
        QString words;
        std::vector<std::uint32_t> selected;
        QString filter;
    };
    Message told_;
    QLabel* pointer_;
    QLabel* work_;
    QProgressBar* progress_;
    QToolButton* cancel_;
};

}  // namespace roofwalk
