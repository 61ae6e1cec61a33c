// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rule.h"

#include <fmt/format.h>

#include "core/advice/level_words.h"
#include "core/base/enum_array.h"
#include "core/base/text.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

/// Of a reading that has a value.
AdviceEvidence evidence_of(AdviceMetric metric, const Reading& reading, std::optional<double> threshold) {
    return {label_of(metric), counters_text(metric, reading.of_rates), *reading.value,
            std::string(spec_of(metric).unit), threshold};
}

constexpr double bytes_of_sector = 32;

/// What crosses shared memory, of the bytes of L1 that count it too.
double shared_part(const KernelPoint& point, const LevelPoint& l1) {
    const auto& smem = point.at(MemoryLevel::smem);
    if (l1.boundary != Boundary::l1_unified || !smem) return 0;
    return std::min(smem->bytes.value(), l1.bytes.value());
}

/// Bytes across the level that limits a kernel over those that are left when it asks for `over` times fewer
/// sectors, `least` of them.
double fewer_sectors_factor(const AdviceFacts& facts, std::optional<double> over,
                            std::optional<double> least_sectors) {
    const auto level = limiting_level(facts.point);
    if (!level || level == MemoryLevel::smem || !facts.point.at(*level) || !over || !least_sectors ||
        *over <= 1)
        return 1;
    const double bytes = facts.point.at(*level)->bytes.value();
    double least = bytes / *over;
    if (level == MemoryLevel::l1) {
        const double shared = shared_part(facts.point, *facts.point.at(*level));
        least = shared + (bytes - shared) / *over;
    } else {
        // Nearer levels may catch the surplus already.
        const double asked = *least_sectors * bytes_of_sector;
        least = std::max({least, bytes - asked * (*over - 1), std::min(bytes, asked)});
    }
    return least > 0 ? bytes / least : 1;
}

}  // namespace

/// One number that fires is enough; one that is missing leaves the question open until another fires.
bool RuleOutcome::add(AdviceEvidence number, bool fires) {
    number.fires = fires;
    evidence.push_back(std::move(number));
    if (fires) finding = Finding::indicated;
    return fires;
}

bool RuleOutcome::below(AdviceEvidence number) {
    const bool fires = number.value < *number.threshold;
    return add(std::move(number), fires);
}

bool RuleOutcome::at_least(AdviceEvidence number) {
    const bool fires = number.value >= *number.threshold;
    return add(std::move(number), fires);
}

bool RuleOutcome::below(const AdviceFacts& facts, AdviceMetric metric, double limit) {
    const Reading& reading = facts.evidence.at(metric);
    if (!reading.measured) lacks(metric);
    return reading.value && below(evidence_of(metric, reading, limit));
}

bool RuleOutcome::at_least(const AdviceFacts& facts, AdviceMetric metric, double limit) {
    const Reading& reading = facts.evidence.at(metric);
    if (!reading.measured) lacks(metric);
    return reading.value && at_least(evidence_of(metric, reading, limit));
}

void RuleOutcome::waits(const AdviceFacts& facts, std::initializer_list<AdviceMetric> reasons) {
    const auto& issue = facts.evidence.at(AdviceMetric::issue_active).value;
    if (issue && *issue >= facts.limits.issue_active) {
        below(facts, AdviceMetric::issue_active, facts.limits.issue_active);
        return;
    }
    for (const AdviceMetric reason : reasons)
        at_least(facts, reason, facts.limits.stall_share);
    if (finding == Finding::indicated) explain(facts, AdviceMetric::issue_active);
}

void RuleOutcome::explain(const AdviceFacts& facts, AdviceMetric metric) {
    if (const Reading& reading = facts.evidence.at(metric); reading.value)
        evidence.push_back(evidence_of(metric, reading, std::nullopt));
}

void RuleOutcome::lacks(AdviceMetric metric) {
    lacks({label_of(metric), counters_text(metric), ncu_option(metric)});
}

void RuleOutcome::state(AdviceEvidence number) {
    add(std::move(number), true);
}

double per_launch(const KernelPoint& point, Bytes bytes) {
    const std::uint32_t measured = point.known_launches();
    return bytes.value() / (measured > 0 ? measured : 1);
}

bool fewer_hbm_bytes_gain_nothing(const KernelPoint& point) {
    const KernelClass kernel_class = point.verdict.kernel_class;
    if (!share_of_limit(point) || kernel_class == KernelClass::latency_bound ||
        kernel_class == KernelClass::low_use)
        return false;
    return limiting_level(point) != MemoryLevel::hbm;
}

double excessive_sectors_factor(const AdviceFacts& facts) {
    return fewer_sectors_factor(facts, facts.evidence.at(AdviceMetric::sectors_over_ideal).value,
                                facts.evidence.at(AdviceMetric::ideal_sectors).value);
}

double local_sectors_factor(const AdviceFacts& facts) {
    const auto& local = facts.evidence.at(AdviceMetric::local_share).value;
    const auto& over = facts.evidence.at(AdviceMetric::sectors_over_ideal).value;
    const auto& ideal = facts.evidence.at(AdviceMetric::ideal_sectors).value;
    if (!local || !over || !ideal) return 1;
    return fewer_sectors_factor(facts, 1 + *local, *over * *ideal);
}

double bank_conflicts_factor(const AdviceFacts& facts) {
    const auto level = limiting_level(facts.point);
    const auto& over = facts.evidence.at(AdviceMetric::wavefronts_over_ideal).value;
    if (!level || !is_in_sm(*level) || !over || *over <= 1) return 1;
    const auto& l1 = facts.point.at(MemoryLevel::l1);
    if (level == MemoryLevel::smem || !l1) return *over;
    const double shared = shared_part(facts.point, *l1);
    const double least = l1->bytes.value() - shared * (1 - 1 / *over);
    return least > 0 ? l1->bytes.value() / least : 1;
}

std::optional<AdviceWorth> fewer_bytes(const KernelPoint& point, double times, std::string_view when) {
    constexpr double least = 1.01;
    const auto level = limiting_level(point);
    const auto next = next_bound(point);
    const bool stops = next && next->times_shorter < times;
    const double factor = stops ? next->times_shorter : times;
    if (!level || factor < least) return std::nullopt;
    return AdviceWorth{factor,
                       fmt::format("fewer bytes across {}{}{}{}", label_of(*level, point.memory), when,
                                   stops ? fmt::format(", until {} binds", next->name) : "",
                                   limit_of_fewer_bytes(point, factor)),
                       stops && is_inexact(point, *level)};
}

std::string limit_of_fewer_bytes(const KernelPoint& point, double times) {
    const auto saved = room_for_fewer_bytes(point);
    if (!saved || !saved->held_by || saved->held_by->share * times <= 1) return {};
    return fmt::format("; {} of time, {}", format_factor(1 / saved->held_by->share),
                       held_words(point, *saved));
}

void RuleOutcome::lacks(MissingEvidence number) {
    missing.push_back(std::move(number));
    if (finding != Finding::indicated) finding = Finding::not_measured;
}

}  // namespace roofwalk
