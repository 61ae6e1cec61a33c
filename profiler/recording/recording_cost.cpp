// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/recording_cost.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/devices/device_ceilings.h"
#include "profiler/plan/sampling_cost.h"

namespace roofwalk {

namespace {

constexpr std::uint64_t example_launches = 1000;  // launches

constexpr const char* of_every_chip =
    "Passes of counters: 1 for time and bytes since GA100 (A100), 2 before; 1 for FLOP; for tensor types 1 on "
    "GH100 (H100) of wgmma and 3 of mma.sync, up to 4 elsewhere.";

constexpr const char* of_short_kernels =
    "A measured launch runs alone on its GPU, once for each pass, with CUPTI's preparation before it: the shorter "
    "the kernels, the more the program slows down.";

/// Null where the model is not in our table, or its chip has no plans.
const Chip* chip_of_model(const std::string& gpu) {
    const Device* device = find_known_device(gpu);
    return device == nullptr ? nullptr : find_chip(device->chip);
}

std::string spoken_count(std::uint64_t number) {
    return format_count(static_cast<double>(number));
}

std::string example_words(const ChipPasses& passes, bool every) {
    const SamplingCost cost = cost_of_sampling(passes, example_launches, every);
    std::string words =
        every ? fmt::format("All {} launches of a kernel are measured", spoken_count(cost.launches))
              : fmt::format("Of {} launches of a kernel with one geometry {} are measured",
                            spoken_count(cost.launches), spoken_count(cost.measured));
    words += fmt::format(", in {} runs", spoken_count(cost.executions));
    if (cost.measured < cost.launches)
        words +=
            fmt::format("; {} run as they would without us", spoken_count(cost.launches - cost.measured));
    return words + ".";
}

}  // namespace

RecordingCost recording_cost(const std::vector<std::string>& gpus,
                             const std::optional<std::filesystem::path>& cupti) {
    RecordingCost cost;
    const auto add = [&](const std::string& sampled, const std::string& every) {
        for (const auto& [text, sentence] : {std::pair(&cost.sampled, &sampled), {&cost.every, &every}})
            *text += (text->empty() ? "" : " ") + *sentence;
    };
    std::optional<CuptiHost> host;
    std::vector<const Chip*> told;
    for (const std::string& gpu : gpus) {
        const Chip* chip = chip_of_model(gpu);
        if (chip == nullptr || !cupti || std::ranges::find(told, chip) != told.end()) continue;
        told.push_back(chip);
        if (!host)
            if (auto loaded = CuptiHost::load(*cupti)) host.emplace(*std::move(loaded));
        if (!host) break;
        const auto passes = count_passes(*host, *chip);
        if (!passes) continue;
        const std::string heading = fmt::format("{} ({}): {}.", gpu, chip->name, words_for(*passes));
        add(fmt::format("{} {}", heading, example_words(*passes, false)),
            fmt::format("{} {}", heading, example_words(*passes, true)));
    }
    if (cost.sampled.empty()) add(of_every_chip, of_every_chip);
    add(of_short_kernels, of_short_kernels);
    return cost;
}

}  // namespace roofwalk
