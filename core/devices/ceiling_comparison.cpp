// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/ceiling_comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/devices/device_ceilings.h"
#include "core/devices/known_devices.h"
#include "core/devices/match_device.h"
#include "core/devices/measured_roof.h"
#include "core/devices/theoretical_ceilings.h"
#include "core/report/text_width.h"

namespace roofwalk {

namespace {

/// Profiles have no pipe for it, so that no ceiling stands for it.
constexpr std::string_view packed_bf16 = "fma.bf16";

struct Theory {
    double rate = 0;
    std::string source;
};

std::optional<Theory> theory_of(const MeasuredRate& rate, const Device& device) {
    if (rate.target) {
        const CeilingSet set = theory_from_attributes(device);
        const std::optional<FoundCeiling> found = set.find(*rate.target);
        return found ? std::optional(Theory{found->rate, found->provenance->detail}) : std::nullopt;
    }
    const Architecture* architecture = architecture_of(device.compute_capability);
    if (rate.id != packed_bf16 || architecture == nullptr || architecture->packed_bf16 == 0 ||
        !device.sm_count || !device.boost_clock)
        return std::nullopt;
    return Theory{*device.sm_count * device.boost_clock->value() * architecture->packed_bf16,
                  fmt::format("{} SMs * {:g} FLOP a cycle", *device.sm_count, architecture->packed_bf16)};
}

std::string missing_of_hbm(const Device& device) {
    if (!device.memory_clock)
        return device.memory_bus_bits ? "no memory clock" : "no memory clock, no bus width";
    return "no bus width";
}

/// Which data the theory of a rate lacks, in words that follow "No theory of l2.read: ".
std::string missing_for(const MeasuredRate& rate, const Device& device) {
    if (rate.target == CeilingTarget(Boundary::hbm_dram_rw)) return missing_of_hbm(device);
    if (!device.boost_clock) return "no boost clock of the SMs";
    if (!device.compute_capability) return "no compute capability";
    const auto [major, minor] = *device.compute_capability;
    const bool is_l2 = rate.target == CeilingTarget(Boundary::l2_sm_sectors);
    if (is_l2 && !device.l2_size) return "no size of L2";
    if (!is_l2 && !device.sm_count) return "no number of SMs";
    if (is_l2)
        return fmt::format(
            "the bytes a cycle of L2 are not known for compute capability {}.{} with {:.0f} MiB", major,
            minor, device.l2_size->value() / (1024.0 * 1024.0));
    return fmt::format("its rate a cycle is not known for compute capability {}.{}", major, minor);
}

std::optional<double> published_rate(const Device* known, const MeasuredRate& rate) {
    if (known == nullptr || !rate.target) return std::nullopt;
    const std::optional<FoundCeiling> found = known->ceilings.find(*rate.target);
    return found && is_of_datasheet(*known, *rate.target) ? std::optional(found->rate) : std::nullopt;
}

void compare_with_theory(const Device& device, CeilingComparison& row) {
    const std::optional<Theory> theory = theory_of(row.measured, device);
    if (!theory) {
        row.theory_missing = missing_for(row.measured, device);
        return;
    }
    row.theoretical = theory->rate;
    row.theory_source = theory->source;
    if (!row.measured.clock) return;
    Device held = device;
    held.boost_clock = row.measured.clock;
    if (const auto at_clock_held = theory_of(row.measured, held)) row.theoretical_held = at_clock_held->rate;
}

constexpr std::size_t columns = 9;
using Row = std::array<std::string, columns>;

Row row_of(const CeilingComparison& row) {
    const MeasuredRate& rate = row.measured;
    const auto share = row.share_of_theory();
    return {name_of(rate),
            row.roof ? "roof" : "",
            rate_text(rate),
            rate.rate_per_cycle_and_sm ? format_number(*rate.rate_per_cycle_and_sm, 4) : "-",
            rate.clock ? format(*rate.clock) : "-",
            format_percent(rate.spread),
            rate_like(rate, row.theoretical),
            share ? format_percent(*share) : "-",
            rate_like(rate, row.published)};
}

std::string aligned(const std::vector<Row>& rows) {
    std::array<std::size_t, columns> widths{};
    for (const Row& row : rows)
        for (std::size_t i = 0; i < columns; ++i)
            widths[i] = std::max(widths[i], display_width(row[i]));
    std::string text;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < columns; ++i) {
            const std::string space(widths[i] - display_width(row[i]), ' ');
            line += (i == 0 ? "" : "  ") + (i < 2 ? row[i] + space : space + row[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string held_clocks(const MeasuredCeilings& measured) {
    std::optional<Hertz> lowest;
    std::optional<Hertz> highest;
    for (const MeasuredRate& rate : measured.rates) {
        if (!rate.clock) continue;
        lowest = lowest ? std::min(*lowest, *rate.clock) : *rate.clock;
        highest = highest ? std::max(*highest, *rate.clock) : *rate.clock;
    }
    if (!lowest) return {};
    const std::string low = format(*lowest);
    const std::string high = format(*highest);
    return ", SM clock held " + (low == high ? low : low + " to " + high);
}

/// "L2 reads: a plateau of 8.10 TB/s up to 16.8 MB, 4.00 TB/s at 105 MB."; empty where one footprint was
/// read.
std::string l2_words(const MeasuredCeilings& measured) {
    constexpr double of_the_plateau = 0.95;
    std::vector<const MeasuredRate*> reads;
    for (const MeasuredRate& rate : measured.rates)
        if (rate.target == CeilingTarget(Boundary::l2_sm_sectors) && rate.footprint) reads.push_back(&rate);
    if (reads.size() < 2) return {};
    const auto of = [](const MeasuredRate* read) { return *read->footprint; };
    std::ranges::sort(reads, {}, of);
    const double plateau =
        (*std::ranges::max_element(reads, {}, [](const MeasuredRate* read) { return read->rate; }))->rate;
    const MeasuredRate* end = nullptr;
    for (const MeasuredRate* read : reads)
        if (read->rate >= of_the_plateau * plateau) end = read;
    std::string text = "L2 reads: a plateau of " + rate_like(*end, plateau) + " up to " + format(of(end));
    if (const MeasuredRate* last = reads.back(); last != end)
        text += ", " + rate_text(*last) + " at " + format(of(last));
    return text + ".";
}

/// A sentence for each of the words, with the benchmarks that they are about; rows without words have none.
std::vector<std::string> grouped(const std::vector<CeilingComparison>& rows, std::string_view begin,
                                 std::string CeilingComparison::*words) {
    std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // words, benchmarks
    for (const CeilingComparison& row : rows) {
        const std::string id = clean_utf8(row.measured.id);
        if ((row.*words).empty()) continue;
        const auto same =
            std::ranges::find(groups, row.*words, [](const auto& group) { return group.first; });
        if (same == groups.end())
            groups.push_back({row.*words, {id}});
        else if (same->second.back() != id)
            same->second.push_back(id);
    }
    std::vector<std::string> sentences;
    for (const auto& [text, ids] : groups)
        sentences.push_back(fmt::format("{}{}: {}.", begin, fmt::join(ids, ", "), text));
    return sentences;
}

}  // namespace

std::optional<double> CeilingComparison::share_of_theory() const {
    const auto& theory = theoretical_held ? theoretical_held : theoretical;
    return theory && *theory > 0 ? std::optional(measured.rate / *theory) : std::nullopt;
}

std::vector<CeilingComparison> compare_ceilings(const MeasuredCeilings& measured) {
    const Device& device = measured.device.device;
    const Device* known = find_known_device(device.name, &device);
    const std::vector<const MeasuredRate*> roofs = roofs_of(measured);
    std::vector<CeilingComparison> rows;
    for (const MeasuredRate& rate : measured.rates) {
        CeilingComparison row;
        row.measured = rate;
        row.roof = std::ranges::find(roofs, &rate) != roofs.end();
        row.published = published_rate(known, rate);
        compare_with_theory(device, row);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string rate_like(const MeasuredRate& rate, std::optional<double> other) {
    if (!other) return "-";
    MeasuredRate shown = rate;
    shown.rate = *other;
    return rate_text(shown);
}

std::string name_of(const MeasuredRate& rate) {
    return rate.id == "l2.read" && rate.footprint ? rate.id + " " + format(*rate.footprint) : rate.id;
}

std::string measurement_line(const MeasuredCeilings& measured) {
    const MeasuredDevice& device = measured.device;
    std::string text = clean_utf8(device.device.name) + ", " + clean_utf8(device.device.uuid);
    if (!device.driver.empty()) text += ", driver " + clean_utf8(device.driver);
    if (device.power_limit) text += fmt::format(", power limit {:.0f} W", *device.power_limit);
    if (device.set_clock) text += ", SM clock set to " + format(*device.set_clock);
    if (device.error_correction) text += *device.error_correction ? ", ECC on" : ", ECC off";
    text += held_clocks(measured);
    text += fmt::format(", benchmarks {}", measured.benchmark_version);
    if (!measured.date.empty()) text += ", " + clean_utf8(measured.date);
    return text;
}

std::vector<std::string> measurement_notes(const MeasuredCeilings& measured) {
    std::vector<std::string> notes;
    if (std::string l2 = l2_words(measured); !l2.empty()) notes.push_back(std::move(l2));
    if (const std::string beside = l1_beside_ncu(measured.device.device); !beside.empty())
        notes.push_back(beside + ".");
    if (const auto roof = fit_roof(measured.sweep))
        notes.push_back(
            fmt::format("Measured roof: {} up to {}, {} below the straight roof at its ridge point of {}.",
                        format(roof->slope), format(roof->peak), format_percent(roof->loss_at_ridge()),
                        format(roof->peak / roof->slope)));
    if (const std::vector<std::string> reasons = throttle_reasons(measured); !reasons.empty()) {
        std::string note = "The clock was held down by: ";
        for (std::size_t i = 0; i < reasons.size(); ++i)
            note += (i == 0 ? "" : ", ") + clean_utf8(reasons[i]);
        notes.push_back(note + ".");
    }
    if (measured.device.other_processes && *measured.device.other_processes > 0)
        notes.push_back(
            fmt::format("{} on the GPU; what {} did may have cost speed.",
                        *measured.device.other_processes == 1
                            ? std::string("1 other process was")
                            : fmt::format("{:.0f} other processes were", *measured.device.other_processes),
                        *measured.device.other_processes == 1 ? "it" : "they"));
    if (!measured.complete) notes.emplace_back("The measurement was cut: what is missing was not measured.");
    notes.emplace_back("Operands are random: zeros would draw less power and clock higher.");
    return notes;
}

std::vector<std::string> theory_gaps(const std::vector<CeilingComparison>& rows) {
    return grouped(rows, "No theory of ", &CeilingComparison::theory_missing);
}

std::string ceiling_comparison_text(const MeasuredCeilings& measured) {
    std::vector<Row> rows{{"benchmark", "", "measured", "per cycle and SM", "clock held", "spread",
                           "theoretical", "% of theory", "published"}};
    const std::vector<CeilingComparison> compared = compare_ceilings(measured);
    for (const CeilingComparison& row : compared)
        rows.push_back(row_of(row));
    std::string text = measurement_line(measured) + "\n" + aligned(rows);
    for (const std::string& note : measurement_notes(measured))
        text += note + "\n";
    text += "Theory is at the boost clock, % of theory at the clock held.\n";
    // "Theory of hbm.read, hbm.copy: memory clock 2.619 GHz * 5120 bits * 2 / 8."
    const auto sources = grouped(compared, "Theory of ", &CeilingComparison::theory_source);
    for (const auto& notes : {sources, theory_gaps(compared)})
        for (const std::string& note : notes)
            text += note + "\n";
    return text;
}

}  // namespace roofwalk
