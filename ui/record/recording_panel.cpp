// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/record/recording_panel.h"

#include <QPushButton>
#include <QVBoxLayout>

#include "core/base/text.h"
#include "ui/record/program_output.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

namespace {

QString count_of(std::uint64_t count) {
    return to_qt(format_count(static_cast<double>(count)));
}

}  // namespace

QString recording_counts(const RecordingStatus& status) {
    QStringList parts;
    parts.append(RecordingPanel::tr("%1 s").arg(status.elapsed.value(), 0, 'f', 1));
    if (status.processes > 1)
        parts.append(RecordingPanel::tr("%1 processes").arg(count_of(status.processes)));
    const RecordingCounts& counts = status.counts;
    QStringList launches{RecordingPanel::tr("%1 launches seen").arg(count_of(counts.seen)),
                         RecordingPanel::tr("%1 recorded").arg(count_of(counts.recorded))};
    if (counts.sampled_out > 0)
        launches.append(RecordingPanel::tr("%1 not sampled").arg(count_of(counts.sampled_out)));
    if (counts.filtered > 0)
        launches.append(RecordingPanel::tr("%1 left out by the filter").arg(count_of(counts.filtered)));
    if (counts.dropped > 0) launches.append(RecordingPanel::tr("%1 dropped").arg(count_of(counts.dropped)));
    parts.append(launches.join(QStringLiteral(", ")));
    return parts.join(QStringLiteral(" · "));
}

RecordingPanel::RecordingPanel(QWidget* parent)
    : QWidget(parent),
      program_(empty_label("recording_program", this)),
      sentence_(empty_label("recording_sentence", this)),
      counts_(empty_label("recording_counts", this)),
      files_(empty_label("recording_files", this)),
      problems_(empty_label("recording_problems", this)) {
    setObjectName("recording_panel");
    make_heading(*program_);
    stop_ = new QPushButton(tr("Stop"), this);
    stop_->setObjectName("recording_stop");
    set_tooltip(*stop_, tr("End the program; what is on its way is kept"));
    cancel_ = new QPushButton(tr("Cancel"), this);
    cancel_->setObjectName("recording_cancel");
    set_tooltip(*cancel_, tr("End at once; what has arrived is kept"));
    output_ = new ProgramOutput(this);
    for (TextLabel* label : {files_, problems_})
        label->setForegroundRole(QPalette::PlaceholderText);
    problems_->setForegroundRole(QPalette::WindowText);

    auto* top = new QHBoxLayout;
    top->addWidget(program_, 1);
    top->addWidget(stop_);
    top->addWidget(cancel_);
    auto* column = new QVBoxLayout(this);
    column->addLayout(top);
    for (TextLabel* label : {sentence_, counts_, problems_, files_})
        column->addWidget(label);
    column->addWidget(output_, 1);
    connect(stop_, &QPushButton::clicked, this, &RecordingPanel::stop_requested);
    connect(cancel_, &QPushButton::clicked, this, &RecordingPanel::cancel_requested);
    show_status({});
}

void RecordingPanel::begin(const QString& program) {
    program_->set_text(program);
    output_->begin_anew();
}

void RecordingPanel::show_status(const RecordingStatus& status) {
    const QString hint = to_qt(status.hint);
    sentence_->show_text(hint.isEmpty() ? to_qt(status.sentence)
                                        : QStringLiteral("%1 %2").arg(to_qt(status.sentence), hint));
    counts_->set_text(recording_counts(status));
    QStringList problems;
    for (const Error& problem : status.problems)
        problems.append(to_qt(to_line(problem)));
    problems_->show_text(problems.join(u'\n'));
    const QStringList files = to_qt(status.files);
    files_->show_text(files.isEmpty() ? QString()
                                      : tr("Written to %1").arg(files.join(QStringLiteral(", "))));
    const bool can_stop = status.phase == RecordingPhase::waiting || status.phase == RecordingPhase::running;
    stop_->setEnabled(can_stop);
    cancel_->setEnabled(!status.over());
}

void RecordingPanel::add_output(const QByteArray& text) {
    output_->add(text);
}

}  // namespace roofwalk
