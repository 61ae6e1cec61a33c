// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/live_measuring.h"

#include <QDateTime>
#include <utility>

#include "profiler/recording/kept_ceilings.h"
#include "profiler/recording/measuring.h"
#include "profiler/recording/prepare_session.h"

namespace roofwalk {

namespace {

MeasuringOffer look(std::stop_token stop) {
    MeasuringOffer offer;
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
                                 const OnMeasuringProgress& on_progress) {
    MeasureRequest request;
    request.device = uuid;
    request.date = QDateTime::currentDateTimeUtc().date().toString(Qt::ISODate).toStdString();
    return measure_ceilings(
        request, std::move(stop),
        [&](const MeasuringProgress& progress, const MeasuredCeilings&) { on_progress(progress); });
}

}  // namespace

MeasuringBackend live_measuring() {
    return {[] { return kept_ceilings(); }, look, measure,
            [](const MeasuredCeilings& measured) { return keep_ceilings(measured); }};
}

}  // namespace roofwalk
