// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/record/record_page.h"

#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QGroupBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/record/capture_fields.h"
#include "ui/record/program_fields.h"
#include "ui/shell/settings.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

namespace {

constexpr int column_width = 720;

/// A file name of what a command starts with; only what every file system takes.
QString name_of(const ProgramStart& launch) {
    QString name = launch.command.empty()
                       ? QStringLiteral("program")
                       : QFileInfo(QString::fromStdString(launch.command.front())).fileName();
    for (QChar& c : name)
        if (!c.isLetterOrNumber() && c != u'-' && c != u'_' && c != u'.') c = u'_';
    return name.left(60);
}

}  // namespace

RecordPage::RecordPage(Settings& settings, QWidget* parent)
    : QWidget(parent),
      settings_(settings),
      launches_(new QRadioButton(tr("&Start a program"), this)),
      attaches_(new QRadioButton(tr("&Attach to a program that runs"), this)),
      launch_(new LaunchFields(this)),
      programs_(new ProgramList(this)),
      measured_(new CaptureFields(this)),
      filter_(new FilterFields(this)),
      file_(new QLineEdit(this)),
      fault_(new TextLabel({}, this)),
      start_(new QPushButton(tr("Start"), this)) {
    launches_->setObjectName("record_launch");
    launches_->setChecked(true);
    attaches_->setObjectName("record_attach");
    fault_->setObjectName("record_fault");
    name_control(*file_, "record_file", tr("File of the recording"));
    set_tooltip(*file_,
                tr("%p stands for the number of the process (PID), %h for the host. Each process gets a "
                   "file of its own."));
    start_->setObjectName("record_start");
    start_->setAutoDefault(true);
    make_layout();
    launch_->set_history(settings_.recorded_commands());
    connect(launches_, &QRadioButton::toggled, this, &RecordPage::follow);
    connect(measured_, &CaptureFields::changed, this, &RecordPage::follow);
    connect(launch_, &LaunchFields::changed, this, &RecordPage::follow);
    connect(programs_, &ProgramList::changed, this, &RecordPage::follow);
    connect(programs_, &ProgramList::look_again_requested, this, &RecordPage::look_again_requested);
    connect(programs_, &ProgramList::trial_requested, this, &RecordPage::trial_requested);
    connect(programs_, &ProgramList::restart_requested, this, [this](const ProgramStart& launch) {
        launch_->set_launch(launch);
        launches_->setChecked(true);
    });
    connect(start_, &QPushButton::clicked, this, &RecordPage::start);
    show_looking();
}

void RecordPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return emit back_requested();
    QWidget::keyPressEvent(event);
}

void RecordPage::make_layout() {
    auto* title = heading_label(tr("Record a program"), this, 1.6);
    auto* which = new QGroupBox(tr("Which launches"), this);
    auto* which_column = new QVBoxLayout(which);
    which_column->addWidget(filter_);
    auto* file_row = new QFormLayout;
    file_row->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    file_row->addRow(tr("&Recording"), file_);
    file_row->labelForField(file_)->setMinimumWidth(launch_->label_width());
    if (const auto* above = qobject_cast<QFormLayout*>(launch_->layout()))
        file_row->setHorizontalSpacing(above->horizontalSpacing());
    auto* back = new QPushButton(tr("Back"), this);
    back->setObjectName("record_back");
    connect(back, &QPushButton::clicked, this, &RecordPage::back_requested);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(start_);
    buttons->addWidget(back);
    buttons->addStretch(1);

    auto* card = new QWidget(this);
    card->setMaximumWidth(column_width);
    auto* column = new QVBoxLayout(card);
    column->setSpacing(10);
    for (QWidget* part :
         std::initializer_list<QWidget*>{title, launches_, launch_, attaches_, programs_, measured_, which})
        column->addWidget(part);
    column->addLayout(file_row);
    column->addWidget(fault_);
    column->addLayout(buttons);
    column->addStretch(1);
    auto* content = new QWidget(this);
    auto* centred = new QHBoxLayout(content);
    centred->addStretch(1);
    centred->addWidget(card, 6);
    centred->addStretch(1);
    auto* area = new QScrollArea(this);
    area->setAccessibleName(title->text());
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidget(content);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(area);
}

void RecordPage::focus_first() {
    (launches_->isChecked() ? static_cast<QWidget*>(launch_) : programs_)->setFocus();
}

void RecordPage::show_looking() {
    offer_.reset();
    follow();
}

void RecordPage::show_offer(const RecordingOffer& offer) {
    offer_ = offer;
    programs_->show_programs(offer.programs);
    follow();
}

void RecordPage::show_trial(const QString& outcome) {
    programs_->show_trial(outcome);
}

void RecordPage::show_fault(const Error& error) {
    fault_->set_text(to_qt(to_line(error)));
    fault_->show();
}

void RecordPage::follow() {
    launch_->setVisible(launches_->isChecked());
    programs_->setVisible(attaches_->isChecked());
    measured_->follow(offer_, place());
    file_->setPlaceholderText(suggested_file());
    const Result<ProfileRequest> asked = request();
    start_->setEnabled(asked.has_value());
    fault_->set_text(asked ? QString() : to_qt(to_line(asked.error())));
    fault_->setVisible(!asked);
}

RecordedPlace RecordPage::place() const {
    if (!launches_->isChecked()) return RecordedPlace::running_program;
    return launch_->elsewhere() ? RecordedPlace::program_elsewhere : RecordedPlace::program_here;
}

QString RecordPage::suggested_file() const {
    const Result<ProgramStart> launch = launch_->launch();
    const QString name =
        attaches_->isChecked() ? QStringLiteral("attached") : name_of(launch.value_or(ProgramStart()));
    const QString folder = settings_.last_folder().isEmpty() ? QDir::currentPath() : settings_.last_folder();
    return QDir(folder).filePath(
        name + (measured_->with_ncu() ? QStringLiteral("-%p.ncu-rep") : QStringLiteral("-%p.jsonl")));
}

Result<ProfileRequest> RecordPage::request() const {
    if (!offer_) return unexpected(ErrorCode::bad_argument, "Looking at this machine…");
    if (const auto& obstacle = measured_->obstacle()) return tl::unexpected(*obstacle);
    ProfileRequest request;
    if (launches_->isChecked()) {
        Result<ProgramStart> launch = launch_->launch();
        if (!launch) return tl::unexpected(launch.error());
        request.launch = *std::move(launch);
    } else {
        request.attach_to = programs_->process();
        request.inject = programs_->injects();
        if (!request.attach_to)
            return unexpected(ErrorCode::bad_argument, "No program that can be attached to is chosen.");
    }
    request.with_ncu = measured_->with_ncu();
    request.measuring.counters = measured_->counters();
    request.measuring.every_launch = measured_->every_launch();
    request.measuring.replay = measured_->replay();
    request.measuring.filter = filter_->filter();
    const QString file = file_->text().trimmed();
    request.output = (file.isEmpty() ? file_->placeholderText() : file).toStdString();
    return request;
}

void RecordPage::start() {
    const Result<ProfileRequest> asked = request();
    if (!asked) return show_fault(asked.error());
    if (launches_->isChecked()) {
        settings_.add_recorded_command(launch_->command());
        launch_->set_history(settings_.recorded_commands());
    }
    emit start_requested(*asked);
}

}  // namespace roofwalk
