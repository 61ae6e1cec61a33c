// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/live_ceiling_benchmark.h"

#include <QDateTime>
#include <utility>

#include "profiler/recording/ceiling_benchmark.h"
#include "profiler/recording/ceiling_store.h"
#include "profiler/recording/prepare_session.h"

namespace roofwalk {

namespace {

CeilingBenchmarkOffer look(std::stop_token stop) {
    CeilingBenchmarkOffer offer;
    if (auto refused = refuse_by_findings(findings_here(), false); !refused) {
        offer.obstacle = std::move(refused.error());
        return offer;
    }
    auto gpus = list_gpus({}, std::move(stop));
    if (gpus)
        offer.gpus = *std::move(gpus);
    else
        offer.obstacle = std::move(gpus.error());
    return offer;
}

Result<MeasuredCeilings> measure(const std::string& uuid, std::stop_token stop,
                                 const OnCeilingBenchmarkProgress& on_progress) {
    CeilingBenchmarkRequest request;
    request.device = uuid;
    request.date = QDateTime::currentDateTimeUtc().date().toString(Qt::ISODate).toStdString();
    return measure_ceilings(
        request, std::move(stop),
        [&](const CeilingBenchmarkProgress& progress, const MeasuredCeilings&) { on_progress(progress); });
}

}  // namespace

CeilingBenchmarkBackend live_ceiling_benchmark() {
    return {[] { return stored_ceilings(); }, look, measure,
            [](const MeasuredCeilings& measured) { return keep_ceilings(measured); }};
}

}  // namespace roofwalk
