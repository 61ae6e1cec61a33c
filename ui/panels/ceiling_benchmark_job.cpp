// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/ceiling_benchmark_job.h"

#include <QFutureWatcher>
#include <QtConcurrent>
#include <utility>

#include "core/base/file_writer.h"
#include "core/base/mapped_file.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"

namespace roofwalk {

CeilingBenchmarkJob::CeilingBenchmarkJob(Document& document, CeilingBenchmarkBackend backend, QObject* parent)
    : QObject(parent), document_(document), backend_(std::move(backend)), stop_(std::nostopstate) {
    for (Job* job : {&reading_, &looking_, &importing_})
        connect(job, &Job::failed, this, &CeilingBenchmarkJob::failed);
}

CeilingBenchmarkJob::~CeilingBenchmarkJob() {
    stop_.request_stop();
}

void CeilingBenchmarkJob::read_kept() {
    if (!backend_.kept) return;
    reading_.start([kept = backend_.kept](const Progress&) { return kept(); },
                   [this](CeilingStoreContent offer) { take_kept(std::move(offer)); });
}

void CeilingBenchmarkJob::take_kept(CeilingStoreContent offer) {
    kept_ = std::move(offer.kept);
    for (const auto& measured : not_kept_)
        kept_.push_back({measured, why_stale(*measured, {})});
    hand_to_document();
    for (const Error& problem : offer.problems)
        emit failed(problem);
}

void CeilingBenchmarkJob::hand_to_document() {
    MeasuredUse use{{}, document_.measured_use().choice};
    for (const StoredCeilings& kept : kept_)
        if (kept.stale.empty()) use.known.push_back(kept.measured);
    document_.set_measured_use(use);
    emit changed();
}

void CeilingBenchmarkJob::look() {
    if (!backend_.look) return;
    offer_.reset();
    looking_.start([look = backend_.look](const Progress& progress) { return look(progress.stop); },
                   [this](CeilingBenchmarkOffer offer) {
                       offer_ = std::move(offer);
                       emit changed();
                   });
    emit changed();
}

CeilingBenchmarkJob::KeptMeasurement CeilingBenchmarkJob::keep(const CeilingBenchmarkBackend& backend,
                                                               MeasuredCeilings measured) {
    Result<StoreOutcome> kept = StoreOutcome{};
    if (backend.keep) kept = backend.keep(measured);
    return {std::make_shared<const MeasuredCeilings>(std::move(measured)), std::move(kept)};
}

void CeilingBenchmarkJob::measure(const std::string& uuid) {
    if (running_ || !available()) return;
    running_ = true;
    progress_ = {};
    outcome_.clear();
    stop_ = std::stop_source();
    auto* watcher = new QFutureWatcher<Result<KeptMeasurement>>(this);
    connect(watcher, &QFutureWatcherBase::progressTextChanged, this, [this, watcher](const QString& id) {
        progress_ = {static_cast<std::uint32_t>(watcher->progressValue() - 1),
                     static_cast<std::uint32_t>(watcher->progressMaximum() - 1), id.toStdString()};
        emit changed();
    });
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        watcher->deleteLater();
        running_ = false;
        take(watcher->future().takeResult(), stop_.stop_requested() ? tr("Cancelled.") : tr("Measured."));
    });
    watcher->setFuture(QtConcurrent::run(
        [backend = backend_, uuid, stop = stop_.get_token()](QPromise<Result<KeptMeasurement>>& promise) {
            // A value of 0 is no news to a promise: it counts from 1.
            const auto on_progress = [&promise](const CeilingBenchmarkProgress& progress) {
                promise.setProgressRange(0, static_cast<int>(progress.count) + 1);
                promise.setProgressValueAndText(static_cast<int>(progress.done) + 1,
                                                QString::fromStdString(progress.id));
            };
            promise.addResult(backend.measure(uuid, stop, on_progress).map([&](MeasuredCeilings measured) {
                return keep(backend, std::move(measured));
            }));
        }));
    emit changed();
}

void CeilingBenchmarkJob::import_from(const QString& path) {
    importing_.start(
        [backend = backend_, path](const Progress&) {
            return MappedFile::open(to_path(path))
                .and_then([&](const MappedFile& file) {
                    return read_measured_ceilings(file.text(), path.toStdString());
                })
                .map([&](MeasuredCeilings measured) { return keep(backend, std::move(measured)); });
        },
        [this](Result<KeptMeasurement> taken) { take(std::move(taken), tr("Taken in.")); });
}

void CeilingBenchmarkJob::take(Result<KeptMeasurement> taken, const QString& how) {
    if (!taken) {
        outcome_ = to_qt(taken.error().what + (taken.error().hint.empty() ? "" : ". " + taken.error().hint));
        emit changed();
        return;
    }
    newest_ = taken->measured;
    outcome_ = how;
    if (!newest_->complete) outcome_ += ' ' + tr("%n result(s) until then.", "", int(newest_->rates.size()));
    for (const Error& problem : newest_->problems)
        outcome_ += ' ' + to_qt(problem.what) + '.';
    if (taken->kept && !taken->kept->sentence.empty()) {
        outcome_ += ' ' + to_qt(taken->kept->sentence);
        if (taken->kept->holds)
            std::erase_if(not_kept_, [&](const std::shared_ptr<const MeasuredCeilings>& older) {
                return older->device.device.uuid == newest_->device.device.uuid;
            });
        read_kept();
    } else {
        if (!taken->kept) emit failed(taken->kept.error());
        not_kept_.push_back(newest_);
        kept_.push_back({newest_, why_stale(*newest_, {})});
        outcome_ += ' ' + tr("It holds while this window is open.");
    }
    hand_to_document();
}

void CeilingBenchmarkJob::export_to(const QString& path, const MeasuredCeilings& measured) {
    const auto written = write_file(to_path(path), measured_ceilings_json(measured));
    if (!written) emit failed(written.error());
    outcome_ = written ? tr("Written: %1").arg(path) : QString();
    emit changed();
}

void CeilingBenchmarkJob::cancel() {
    stop_.request_stop();
}

}  // namespace roofwalk
