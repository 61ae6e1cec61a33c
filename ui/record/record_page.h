// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/import/recording_backend.h"

class QLineEdit;
class QPushButton;
class QRadioButton;

namespace roofwalk {

class FilterFields;
class LaunchFields;
class CaptureFields;
enum class RecordedPlace;
class ProgramList;
class Settings;
class TextLabel;

/// Asks what is to be recorded: a program to start or one that runs, what is measured, which launches, and
/// where it is written. What cannot be chosen here says why beside it.
class RecordPage : public QWidget {
    Q_OBJECT

  public:
    explicit RecordPage(Settings& settings, QWidget* parent = nullptr);

    /// What can be recorded, as it was found just now.
    void show_offer(const RecordingOffer& offer);
    /// While the answer is on its way.
    void show_looking();
    /// How loading an agent into a process of our own went.
    void show_trial(const QString& outcome);
    /// Why it did not start; the form stays as it was.
    void show_fault(const Error& error);
    /// What the form asks for; an error names what is missing.
    [[nodiscard]] Result<ProfileRequest> request() const;
    void focus_first();

  signals:
    void start_requested(const roofwalk::ProfileRequest& request);
    void look_again_requested();
    void trial_requested();
    void back_requested();

  protected:
    /// Escape leads back.
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void make_layout();
    void follow();
    void start();
    [[nodiscard]] RecordedPlace place() const;
    [[nodiscard]] QString suggested_file() const;

    Settings& settings_;
    std::optional<RecordingOffer> offer_;
    QRadioButton* launches_;
    QRadioButton* attaches_;
    LaunchFields* launch_;
    ProgramList* programs_;
    CaptureFields* measured_;
    FilterFields* filter_;
    QLineEdit* file_;
    TextLabel* fault_;
    QPushButton* start_;
};

}  // namespace roofwalk
