// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/import/ceiling_benchmark_backend.h"
#include "ui/workspace/job.h"

namespace roofwalk {

class Document;

/// The ceilings that were measured apart from reports: finds those that are kept, measures new ones, takes
/// them in from files, and hands those that hold to the document.
class CeilingBenchmarkJob : public QObject {
    Q_OBJECT

  public:
    CeilingBenchmarkJob(Document& document, CeilingBenchmarkBackend backend, QObject* parent = nullptr);
    ~CeilingBenchmarkJob() override;

    /// Whether this build measures at all.
    [[nodiscard]] bool available() const { return static_cast<bool>(backend_.measure); }
    /// Reads on the pool what is kept.
    void read_kept();
    /// Asks on the pool which devices can be measured; until it is known, offer() is absent.
    void look();
    /// Measures the device with that UUID, and keeps what was found.
    void measure(const std::string& uuid);
    /// Takes in what export_to() or the command wrote, and keeps it.
    void import_from(const QString& path);
    /// Writes a measurement as JSON.
    void export_to(const QString& path, const MeasuredCeilings& measured);

    /// What can be measured; absent until it is known.
    [[nodiscard]] const std::optional<CeilingBenchmarkOffer>& offer() const { return offer_; }
    /// What is kept, and what could not be and is used while the window is open.
    [[nodiscard]] const std::vector<StoredCeilings>& kept() const { return kept_; }
    [[nodiscard]] bool running() const { return running_; }
    [[nodiscard]] const CeilingBenchmarkProgress& progress() const { return progress_; }
    /// How the last measurement or import ended, in sentences; empty before the first.
    [[nodiscard]] const QString& outcome() const { return outcome_; }
    /// What was measured or taken in last; null before the first.
    [[nodiscard]] const std::shared_ptr<const MeasuredCeilings>& newest() const { return newest_; }

  public slots:
    /// Ends the measurement; what was measured is kept.
    void cancel();

  signals:
    /// Anything of the above.
    void changed();
    void failed(const roofwalk::Error& error);

  private:
    /// A measurement, and what became of keeping it.
    struct KeptMeasurement {
        std::shared_ptr<const MeasuredCeilings> measured;
        Result<StoreOutcome> kept;
    };

    [[nodiscard]] static KeptMeasurement keep(const CeilingBenchmarkBackend& backend,
                                              MeasuredCeilings measured);
    void take(Result<KeptMeasurement> taken, const QString& how);
    void take_kept(CeilingStoreContent offer);
    void hand_to_document();

    Document& document_;
    CeilingBenchmarkBackend backend_;
    std::optional<CeilingBenchmarkOffer> offer_;
    std::vector<StoredCeilings> kept_;
    std::vector<std::shared_ptr<const MeasuredCeilings>> not_kept_;  ///< and no later one of the board is
    std::shared_ptr<const MeasuredCeilings> newest_;
    CeilingBenchmarkProgress progress_;
    QString outcome_;
    std::stop_source stop_;
    bool running_ = false;
    Job reading_;
    Job looking_;
    Job importing_;
};

}  // namespace roofwalk
