// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>

#include "core/import/recording_backend.h"
#include "ui/workspace/job.h"

namespace roofwalk {

class Document;

/// "./my_program --size 4096", or "process 1234".
[[nodiscard]] QString program_of(const ProfileRequest& request);

/// One recording at a time: starts it, brings what it has so far into the document, and tells how it stands.
class Recorder : public QObject {
    Q_OBJECT

  public:
    Recorder(Document& document, RecordingBackend backend, QObject* parent = nullptr);
    ~Recorder() override;

    /// Whether programs can be recorded with this build at all.
    [[nodiscard]] bool available() const { return static_cast<bool>(backend_.start); }
    /// Asks on the pool what can be recorded here; looked() brings the answer.
    void look();
    /// Loads an agent into a process of its own, on the pool; tried() says how that went.
    void try_injection();
    void start(const ProfileRequest& request);
    [[nodiscard]] bool running() const { return starting_.running() || source_; }
    /// Of the recording under way, or the last one.
    [[nodiscard]] const RecordingStatus& status() const { return status_; }
    [[nodiscard]] const ProfileRequest& request() const { return request_; }
    /// Whether the document still shows this recording: a person may have opened something else.
    [[nodiscard]] bool shown() const;
    /// Where the recording is written, as the document names it before its files are known.
    [[nodiscard]] QString path() const;

  public slots:
    /// What is on its way is kept.
    void stop();
    /// At once.
    void cancel();

  signals:
    void looked(const roofwalk::RecordingOffer& offer);
    void tried(const QString& outcome);
    void started();
    void status_changed();
    /// What the program wrote, as bytes.
    void wrote(const QByteArray& text);
    /// It could not be started.
    void failed(const roofwalk::Error& error);
    void finished();

  private:
    void begin(Result<std::shared_ptr<LiveProfileSource>> source);
    void read_next();
    void take(Result<std::shared_ptr<const Profile>> profile);
    void tick();

    Document& document_;
    RecordingBackend backend_;
    ProfileRequest request_;
    RecordingStatus status_;
    std::shared_ptr<LiveProfileSource> source_;
    std::shared_ptr<const Profile> newest_;  ///< not shown yet
    bool was_shown_ = false;
    bool all_read_ = false;
    Job looking_;
    Job trying_;
    Job starting_;
    Job reading_;
    QTimer poll_;
};

}  // namespace roofwalk
