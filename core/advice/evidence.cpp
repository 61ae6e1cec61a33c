// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/evidence.h"

#include <algorithm>
#include <limits>

namespace roofwalk {

namespace {

constexpr std::uint16_t no_slot = std::numeric_limits<std::uint16_t>::max();

}  // namespace

/// One metric over the launches.
struct EvidenceReader::Total {
    double value = 0;
    bool complete = false;
    std::size_t launches = 0;
};

EvidenceReader::EvidenceReader(const Profile& profile) : profile_(profile) {
    for (const AdviceMetric measure : enumerators<AdviceMetric>) {
        const AdviceMetricSpec& spec = spec_of(measure);
        numerator_[measure] = slot(spec.numerator, spec.fold);
        denominator_[measure] = spec.denominator.empty() ? no_slot : slot(spec.denominator, spec.fold);
    }
}

/// The slot of a metric; of one that no launch has, a slot that stays empty.
std::uint16_t EvidenceReader::slot(std::string_view metric, Fold fold) {
    const auto text = static_cast<std::size_t>(profile_.texts.find(metric));
    if (text >= slot_of_.size()) slot_of_.resize(text + 1, no_slot);
    const bool known = text != static_cast<std::size_t>(TextId::none);
    if (known && slot_of_[text] != no_slot) return slot_of_[text];
    const auto next = static_cast<std::uint16_t>(folds_.size());
    folds_.push_back(fold);
    if (known) slot_of_[text] = next;
    return next;
}

std::vector<EvidenceReader::Total> EvidenceReader::totals_of(std::span<const LaunchIndex> launches) const {
    std::vector<Total> totals(folds_.size());
    std::size_t measured = 0;
    std::size_t timed = 0;
    double time = 0;
    const auto weight_of = [](const Launch& launch) { return launch.duration.value_or(Seconds()).value(); };
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile_.at(index);
        if (launch.failed) continue;
        ++measured;
        timed += launch.duration.has_value() ? 1U : 0U;
        time += weight_of(launch);
    }
    // One launch is its own mean, whether its time is known or not.
    const bool weights_known = measured == 1 || (timed == measured && time > 0);
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile_.at(index);
        if (launch.failed) continue;
        const double weight = measured == 1 ? 1 : weights_known ? weight_of(launch) / time : 0;
        for (const MetricSample& sample : launch.metrics) {
            const auto text = static_cast<std::size_t>(sample.name);
            if (text >= slot_of_.size() || slot_of_[text] == no_slot) continue;
            Total& total = totals[slot_of_[text]];
            total.value += sample.value * (folds_[slot_of_[text]] == Fold::summed ? 1 : weight);
            ++total.launches;
        }
    }
    for (std::size_t i = 0; i < totals.size(); ++i)
        totals[i].complete =
            measured > 0 && totals[i].launches == measured && (folds_[i] == Fold::summed || weights_known);
    return totals;
}

Reading EvidenceReader::read(AdviceMetric measure, std::span<const Total> totals) const {
    const Total& numerator = totals[numerator_[measure]];
    if (!numerator.complete) return {};
    const double value = numerator.value * spec_of(measure).scale;
    if (denominator_[measure] == no_slot) return {true, value};
    const Total& denominator = totals[denominator_[measure]];
    if (!denominator.complete) return {};
    if (denominator.value <= 0) return {true, std::nullopt};
    return {true, value / denominator.value};
}

Evidence EvidenceReader::of(std::span<const LaunchIndex> launches) const {
    const std::vector<Total> totals = totals_of(launches);
    Evidence evidence;
    for (const AdviceMetric measure : enumerators<AdviceMetric>)
        evidence.readings[measure] = read(measure, totals);
    // The profiler writes 0 for the mean over no access at all.
    for (const AdviceMetric measure :
         {AdviceMetric::load_bytes_per_sector, AdviceMetric::store_bytes_per_sector}) {
        Reading& reading = evidence.readings[measure];
        if (reading.value && *reading.value <= 0) reading.value.reset();
    }
    return evidence;
}

}  // namespace roofwalk
