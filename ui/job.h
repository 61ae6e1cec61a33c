// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QTimer>
#include <QtConcurrent>
#include <atomic>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "core/progress.h"

namespace roofwalk {

/// Work for one purpose on the thread pool. The newest start wins: an older one is asked to stop and its
/// result is dropped. Values go in and come out; the work sees nothing of this thread.
class Job : public QObject {
    Q_OBJECT

  public:
    explicit Job(QObject* parent = nullptr);
    ~Job() override;

    /// Runs `work(const Progress&)` on the pool, then `done(result)` on this thread, unless a newer start, a
    /// drop or the end of this object came between.
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

  private:
    [[nodiscard]] Progress begin();
    [[nodiscard]] bool finish(std::uint64_t ticket);
    void set_running(bool running);

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
    auto* watcher = new QFutureWatcher<T>(this);
    connect(watcher, &QFutureWatcherBase::finished, this,
            [this, watcher, ticket = newest_, done = std::move(done)]() mutable {
                watcher->deleteLater();
                if (finish(ticket)) done(watcher->future().takeResult());
            });
    watcher->setFuture(QtConcurrent::run(
        [work = std::move(work), progress = std::move(progress)]() mutable -> T { return work(progress); }));
}

}  // namespace roofwalk
