// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/import/live_profile_source.h"

class QPushButton;

namespace roofwalk {

class ProgramOutput;
class TextLabel;

/// How a recording stands: a sentence, the time, the launches, what the program writes, and ways to end it.
class RecordingPanel : public QWidget {
    Q_OBJECT

  public:
    explicit RecordingPanel(QWidget* parent = nullptr);

    void begin(const QString& program);
    void show_status(const RecordingStatus& status);
    void add_output(const QByteArray& text);

  signals:
    void stop_requested();
    void cancel_requested();

  private:
    TextLabel* program_;
    TextLabel* sentence_;
    TextLabel* counts_;
    TextLabel* files_;
    TextLabel* problems_;
    QPushButton* stop_;
    QPushButton* cancel_;
    ProgramOutput* output_;
};

/// "12.4 s · 2 processes · 18,204 launches seen, 312 recorded, 17,892 not sampled". Counts that are 0 and
/// say nothing are left out.
[[nodiscard]] QString recording_counts(const RecordingStatus& status);

}  // namespace roofwalk
