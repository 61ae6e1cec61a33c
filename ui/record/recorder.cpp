// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/record/recorder.h"

#include <QFileInfo>
#include <algorithm>
#include <chrono>
#include <utility>

#include "ui/record/program_fields.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

using namespace std::chrono_literals;

constexpr auto between_looks = 100ms;

}  // namespace

QString program_of(const ProfileRequest& request) {
    if (request.attach_to) return Recorder::tr("process %1").arg(*request.attach_to);
    const QString program = command_line(request.launch.command);
    return request.launch.through.empty()
               ? program
               : Recorder::tr("%1, through %2").arg(program, command_line(request.launch.through));
}

Recorder::Recorder(Document& document, RecordingBackend backend, QObject* parent)
    : QObject(parent), document_(document), backend_(std::move(backend)) {
    poll_.setInterval(between_looks);
    connect(&poll_, &QTimer::timeout, this, &Recorder::tick);
    for (Job* job : {&starting_, &reading_})
        connect(job, &Job::failed, this, [this](const Error& error) {
            cancel();
            emit failed(error);
        });
}

Recorder::~Recorder() {
    if (source_) source_->cancel();  // else a read that waits for the next profile would hold its thread
}

void Recorder::look() {
    if (!backend_.look) return;
    looking_.start([look = backend_.look](const Progress& progress) { return look(progress.stop); },
                   [this](const RecordingOffer& offer) { emit looked(offer); });
}

void Recorder::try_injection() {
    if (!backend_.try_injection) return;
    trying_.start([attempt = backend_.try_injection](const Progress&) { return attempt(); },
                  [this](const Result<void>& done) {
                      emit tried(done ? tr("It works here: an agent was loaded into a running process.")
                                      : to_qt(to_line(done.error())));
                  });
}

void Recorder::start(const ProfileRequest& request) {
    if (running()) return;
    request_ = request;
    status_ = {};
    newest_.reset();
    was_shown_ = all_read_ = false;
    starting_.start(
        [start = backend_.start, request](const Progress& progress) {
            return start(request, progress.stop).map([](std::unique_ptr<LiveProfileSource> source) {
                return std::shared_ptr<LiveProfileSource>(std::move(source));
            });
        },
        [this](Result<std::shared_ptr<LiveProfileSource>> source) { begin(std::move(source)); });
}

void Recorder::begin(Result<std::shared_ptr<LiveProfileSource>> source) {
    if (!source) {
        emit failed(source.error());
        return;
    }
    source_ = *std::move(source);
    emit started();
    poll_.start();
    read_next();
    tick();
}

void Recorder::read_next() {
    reading_.start([source = source_](const Progress& progress) { return source->read(progress); },
                   [this](Result<std::shared_ptr<const Profile>> profile) { take(std::move(profile)); });
}

void Recorder::take(Result<std::shared_ptr<const Profile>> profile) {
    if (profile)
        newest_ = *std::move(profile);
    else
        all_read_ = true;
    tick();
}

bool Recorder::shown() const {
    return std::ranges::find(document_.files(), path().toStdString(), &OpenFile::path) !=
           document_.files().end();
}

QString Recorder::path() const {
    return QFileInfo(QString::fromStdString(request_.output)).absoluteFilePath();
}

void Recorder::tick() {
    if (!source_) return;
    status_ = source_->status();  // before the output: nothing is written after the end
    if (const std::string text = source_->take_output(); !text.empty())
        emit wrote(QByteArray::fromStdString(text));
    emit status_changed();
    // Not before the last one is drawn: who draws slower than the program launches would see nothing.
    if (newest_ && !document_.loader().job().running()) {
        if (!newest_->launches.empty() && (!was_shown_ || shown())) {
            document_.loader().show_recording({path().toStdString(), newest_, {}});
            was_shown_ = true;
        }
        newest_.reset();
        read_next();
        return;
    }
    if (!status_.over() || !all_read_ || newest_ || document_.loader().job().running()) return;
    poll_.stop();
    source_.reset();
    emit finished();
}

void Recorder::stop() {
    if (source_) source_->stop();
}

void Recorder::cancel() {
    if (source_) return source_->cancel();
    if (!starting_.running()) return;
    starting_.drop();
    status_.phase = RecordingPhase::failed;
    status_.sentence = "The recording was cancelled before it began.";
    emit status_changed();
    emit finished();
}

}  // namespace roofwalk
