// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <mutex>

#include "core/import/recording_backend.h"

namespace roofwalk::test {

/// A recording that does what a test says.
class FakeRecording : public LiveProfileSource {
  public:
    /// What a test holds on to while the window owns the source.
    struct Script {
        std::mutex mutex;
        std::condition_variable_any news;
        std::shared_ptr<const Profile> profile;
        RecordingStatus status;
        std::string output;
        int stops = 0;
        int cancels = 0;

        void bring(Profile next) {
            {
                const std::scoped_lock lock(mutex);
                status.counts.recorded = next.launches.size();
                profile = std::make_shared<const Profile>(std::move(next));
            }
            news.notify_all();
        }
        void write(const std::string& text) {
            const std::scoped_lock lock(mutex);
            output += text;
        }
        void stand(RecordingPhase phase, const std::string& sentence) {
            {
                const std::scoped_lock lock(mutex);
                status.phase = phase;
                status.sentence = sentence;
            }
            news.notify_all();
        }
        void name_file(const std::string& file) {
            const std::scoped_lock lock(mutex);
            status.files = {file};
        }
    };

    explicit FakeRecording(std::shared_ptr<Script> script) : script_(std::move(script)) {}

    Result<std::shared_ptr<const Profile>> read(const Progress&) override {
        std::unique_lock lock(script_->mutex);
        script_->news.wait(lock, [this] { return script_->profile || script_->status.over(); });
        if (script_->profile) return std::exchange(script_->profile, nullptr);
        return tl::unexpected(Error{ErrorCode::cancelled, "The recording is over.", {}, {}});
    }
    RecordingStatus status() const override {
        const std::scoped_lock lock(script_->mutex);
        return script_->status;
    }
    std::string take_output() override {
        const std::scoped_lock lock(script_->mutex);
        return std::exchange(script_->output, {});
    }
    void stop() override { end(script_->stops); }
    void cancel() override { end(script_->cancels); }

  private:
    void end(int& asked) {
        {
            const std::scoped_lock lock(script_->mutex);
            ++asked;
            script_->status.phase = RecordingPhase::ended;
        }
        script_->news.notify_all();
    }

    std::shared_ptr<Script> script_;
};

/// Hands the script out, and keeps what was asked for.
struct FakeBackend {
    std::shared_ptr<FakeRecording::Script> script = std::make_shared<FakeRecording::Script>();
    std::shared_ptr<RecordingOffer> offer = std::make_shared<RecordingOffer>();
    std::shared_ptr<ProfileRequest> asked = std::make_shared<ProfileRequest>();
    std::shared_ptr<std::optional<Error>> refusal = std::make_shared<std::optional<Error>>();
    std::shared_ptr<Result<void>> trial = std::make_shared<Result<void>>();

    [[nodiscard]] RecordingBackend backend() const {
        return {[offer = offer](const std::stop_token&) { return *offer; },
                [script = script, asked = asked, refusal = refusal](
                    const ProfileRequest& request,
                    const std::stop_token&) -> Result<std::unique_ptr<LiveProfileSource>> {
                    *asked = request;
                    if (*refusal) return tl::unexpected(**refusal);
                    return std::make_unique<FakeRecording>(script);
                },
                [trial = trial] { return *trial; }};
    }
};

}  // namespace roofwalk::test
