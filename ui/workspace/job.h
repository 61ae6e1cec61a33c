// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QTimer>
#include <QtConcurrent>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/base/progress.h"

namespace roofwalk {

/// Work for one purpose on the thread pool. The newest start wins: an older one is asked to stop and its
/// result is dropped. Values go in and come out; the work sees nothing of this thread.
class Job : public QObject {
    Q_OBJECT

  public:
    explicit Job(QObject* parent = nullptr);
    ~Job() override;

    /// Runs `work(const Progress&)` on the pool, then `done(result)` on this thread, unless a newer start, a
    /// drop or the end of this object came between. Work that runs out of memory ends in failed() instead.
    template <class Work, class Done>
    void start(Work work, Done done);
    /// Stops what runs and forgets its result.
    void drop();

    [[nodiscard]] bool running() const { return running_; }

  public slots:
    /// Asks the work to end early; what it has by then still arrives.
    void cancel();

  signals:
    void running_changed(bool running);
    /// Share done, 0 to 1; not emitted before the work reports one.
    void progressed(double share);
    /// The work ended without a result.
    void failed(const roofwalk::Error& error);

  private:
    [[nodiscard]] Progress begin();
    [[nodiscard]] bool finish(std::uint64_t ticket);
    void set_running(bool running);
    [[nodiscard]] static Error out_of_memory();

    std::uint64_t newest_ = 0;
    bool running_ = false;
    std::stop_source stop_;
    std::shared_ptr<std::atomic<double>> share_;
    QTimer poll_;
};

template <class Work, class Done>
void Job::start(Work work, Done done) {
    using T = std::invoke_result_t<Work, const Progress&>;
    Progress progress = begin();
    auto* watcher = new QFutureWatcher<Result<T>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this,
            [this, watcher, ticket = newest_, done = std::move(done)]() mutable {
                watcher->deleteLater();
                if (!finish(ticket)) return;
                Result<T> result = watcher->future().takeResult();
                if (result)
                    done(std::move(*result));
                else
                    emit failed(result.error());
            });
    watcher->setFuture(
        QtConcurrent::run([work = std::move(work), progress = std::move(progress)]() mutable -> Result<T> {
            try {
                return work(progress);
            } catch (const std::bad_alloc&) {
                return tl::unexpected(out_of_memory());
            } catch (const std::length_error&) {  // a container asked for more than there can be
                return tl::unexpected(out_of_memory());
            }
        }));
}

}  // namespace roofwalk
