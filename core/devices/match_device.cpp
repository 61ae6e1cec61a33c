// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/match_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <sstream>
#include <utility>

#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/devices/device_ceilings.h"
#include "core/devices/known_devices.h"

namespace roofwalk {

namespace {

using Words = std::vector<std::string>;

/// Words that say nothing about which GPU it is. "80 GB" is two words; the number alone tells the size.
constexpr std::array<std::string_view, 18> filler{
    "nvidia", "tesla",     "geforce", "quadro", "gpu", "generation", "edition", "workstation", "active",
    "jetson", "blackwell", "tensor",  "core",   "gb",  "gib",        "agx",     "t5000",       "ac"};
/// Memory by which a board differs from another one; what error correction and drivers keep is less.
constexpr double other_board = 1.15;

/// Boards that drivers call by their number. NVIDIA's list of supported chips gives them the PCI devices of
/// these, 20B0 and 20B2.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> board_numbers{
    {{"pg509 200", "a100 sxm 40"}, {"pg509 210", "a100 sxm 80"}}};

/// In lower case, apart at whatever is no letter and no digit.
Words words_of(std::string_view name) {
    std::string text = lower_case(name);
    std::ranges::replace_if(
        text, [](char c) { return !is_digit(c) && (c < 'a' || c > 'z'); }, ' ');
    for (const auto& [number, board] : board_numbers)
        if (text.ends_with(number)) text = board;
    std::istringstream stream(text);
    return Words(std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>());
}

/// What a name says beside the model.
struct Variant {
    std::string form;
    std::string memory_type;
    std::optional<double> memory_gib;
};

/// "sxm4" and "sxm" are one form; the digit is a generation of the socket. Only the V100 came for two of
/// them, of which the later has faster memory.
std::optional<std::string> form_in(std::string_view word) {
    if (word == "sxm3") return std::string(word);
    while (!word.empty() && is_digit(word.back()))
        word.remove_suffix(1);
    if (word == "sxm" || word == "pcie" || word == "nvl") return std::string(word);
    return std::nullopt;
}

/// "3e" is how drivers tell the H20 with HBM3e.
std::optional<std::string> memory_type_in(std::string_view word) {
    if (word == "3e") return "hbm3e";
    return word.starts_with("hbm") ? std::optional<std::string>(word) : std::nullopt;
}

std::optional<double> size_in(std::string_view word) {
    double size = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size);
    if (error != std::errc{}) return std::nullopt;
    const std::string_view unit(end, static_cast<std::size_t>(word.data() + word.size() - end));
    if (unit.empty() || unit == "g" || unit == "gb" || unit == "gib") return size;
    return std::nullopt;
}

/// Takes the words of the model out of `words`; false when they are not there.
bool take_model(Words& words, const Words& model) {
    const auto found = std::search(words.begin(), words.end(), model.begin(), model.end());
    if (model.empty() || found == words.end()) return false;
    words.erase(found, found + static_cast<Words::difference_type>(model.size()));
    return true;
}

/// Every word left must be understood: "RTX 4090 D" is not an "RTX 4090".
std::optional<Variant> variant_in(const Words& words) {
    Variant variant;
    for (const std::string& word : words) {
        if (const auto form = form_in(word))
            variant.form = *form;
        else if (const auto type = memory_type_in(word))
            variant.memory_type = *type;
        else if (const auto size = size_in(word))
            variant.memory_gib = size;
        else if (std::ranges::find(filler, word) == filler.end())
            return std::nullopt;
    }
    return variant;
}

/// Drops the rows that `keep` refuses, unless it refuses all: then the word does not speak of what tells the
/// rows apart.
template <class Keep>
void narrow(std::vector<const KnownDevice*>& rows, Keep keep) {
    if (std::ranges::any_of(rows, keep))
        std::erase_if(rows, [&](const KnownDevice* row) { return !keep(row); });
}

double size_distance(const KnownDevice& row, Bytes memory) {
    return std::abs(std::log(memory / *row.device.memory_size));
}

/// Drivers always say NVL, but neither SXM nor PCIe of every board.
void narrow_by_hint(std::vector<const KnownDevice*>& rows, std::string_view name, const Device& hint) {
    if (!contains(lower_case(name), "nvl"))
        std::erase_if(rows, [](const KnownDevice* row) { return row->form == "nvl"; });
    if (hint.sm_count)
        std::erase_if(rows, [&](const KnownDevice* row) { return row->device.sm_count != hint.sm_count; });
    if (hint.memory_size && hint.memory_size->value() > 0) {
        double nearest = std::log(other_board);
        for (const KnownDevice* row : rows)
            nearest = std::min(nearest, size_distance(*row, *hint.memory_size));
        std::erase_if(
            rows, [&](const KnownDevice* row) { return size_distance(*row, *hint.memory_size) > nearest; });
    }
    if (hint.boost_clock)
        narrow(rows, [&](const KnownDevice* row) { return row->device.boost_clock == hint.boost_clock; });
    if (hint.memory_bus_bits)
        narrow(rows,
               [&](const KnownDevice* row) { return row->device.memory_bus_bits == hint.memory_bus_bits; });
}

/// The rows whose model the words name, but for those that what else is said excludes.
std::vector<const KnownDevice*> rows_named(const Words& words) {
    std::vector<const KnownDevice*> rows;
    Variant variant;
    for (const KnownDevice& row : known_device_rows()) {
        Words rest = words;
        if (!take_model(rest, row.model)) continue;
        const auto said = variant_in(rest);
        if (!said) continue;
        variant = *said;
        rows.push_back(&row);
    }
    if (!variant.form.empty())  // an H800 PCIe is none of the forms that the table has of the H800
        std::erase_if(
            rows, [&](const KnownDevice* row) { return !row->form.empty() && row->form != variant.form; });
    if (!variant.memory_type.empty())
        narrow(rows, [&](const KnownDevice* row) { return row->memory_type == variant.memory_type; });
    if (!variant.memory_gib) return rows;
    const auto has_size = [&](const KnownDevice* row) { return row->memory_gib == variant.memory_gib; };
    narrow(rows, has_size);
    const auto is_fitted = [&](const KnownDevice* row) {  // "B200 192GB" tells what is, not what is left
        return row->memory_type == "hbm3e" &&
               std::abs(std::log(*variant.memory_gib / row->memory_gib)) < std::log(other_board);
    };
    std::erase_if(rows, [&](const KnownDevice* row) {  // "GH200 480GB" is the CPU's
        return !has_size(row) && !is_fitted(row) && row->model.front() != "gh200";
    });
    return rows;
}

/// Whether every word says something true of a row, and one of them names its model: "4090" does, "rtx" and
/// "ada" name a family.
bool fits_part(const KnownDevice& row, const Words& words) {
    const auto of_model = [&](const std::string& word) {
        return std::ranges::find(row.model, word) != row.model.end();
    };
    const auto is_true = [&](const std::string& word) {
        if (of_model(word) || std::ranges::find(filler, word) != filler.end()) return true;
        if (const auto form = form_in(word)) return *form == row.form;
        if (const auto type = memory_type_in(word)) return *type == row.memory_type;
        return size_in(word) == row.memory_gib;
    };
    const auto names_model = [&](const std::string& word) {
        return std::ranges::any_of(word, is_digit) && of_model(word);
    };
    return std::ranges::any_of(words, names_model) && std::ranges::all_of(words, is_true);
}

const KnownDevice* row_of(std::string_view name, const Device* hint) {
    std::vector<const KnownDevice*> rows = rows_named(words_of(name));
    if (hint && !rows.empty()) narrow_by_hint(rows, name, *hint);
    return rows.empty() ? nullptr : rows.front();
}

const BandwidthCeiling* memory_roof(const CeilingSet& ceilings) {
    return ceilings.find(Boundary::hbm_dram_rw);
}

/// The entries that the roofs of a device may be of, the one that is taken first; none where it does not
/// matter.
MeantDevices entries_in_doubt(const Device& device) {
    const CeilingSet roofs = resolve_ceilings(device, nullptr, ClockBasis::boost, {});
    const BandwidthCeiling* memory = memory_roof(roofs);
    if (!memory || memory->provenance.source != CeilingSource::table) return {};
    MeantDevices meant{devices_that_fit(device), true, false};
    const auto differs = [&](const Device* other) {
        const BandwidthCeiling* there = memory_roof(other->ceilings);
        return there && there->rate != memory->rate;
    };
    return std::ranges::any_of(meant.devices, differs) ? meant : MeantDevices{};
}

}  // namespace

std::string known_device_names(Device like, std::size_t most) {
    std::string names;
    std::size_t count = 0;
    for (const Device& device : known_devices())
        if ((!like.compute_capability || device.compute_capability == like.compute_capability) &&
            (!like.sm_count || device.sm_count == like.sm_count) && ++count <= most)
            names += (names.empty() ? "" : ", ") + device.name;
    if (count > most) names += fmt::format(" and {} more", count - most);
    if (!names.empty()) return names;
    if (!like.sm_count) like.compute_capability.reset();
    like.sm_count.reset();
    return known_device_names(std::move(like), most);
}

const Device* find_known_device(std::string_view name, const Device* hint) {
    const KnownDevice* row = row_of(name, hint);
    return row ? &row->device : nullptr;
}

MemoryName memory_of(const Device& device) {
    if (const Architecture* architecture = architecture_of(device.compute_capability))
        return architecture->memory;
    const KnownDevice* row = row_of(device.name, &device);
    return row ? row->memory() : MemoryName::dram;
}

MemoryName memory_of(std::span<const Device> devices) {
    const bool hbm = !devices.empty() && std::ranges::all_of(devices, [](const Device& device) {
        return memory_of(device) == MemoryName::hbm;
    });
    return hbm ? MemoryName::hbm : MemoryName::dram;
}

std::vector<const Device*> devices_that_fit(const Device& device) {
    std::vector<const KnownDevice*> rows = rows_named(words_of(device.name));
    narrow_by_hint(rows, device.name, device);
    std::vector<const Device*> devices;
    for (const KnownDevice* row : rows)
        devices.push_back(&row->device);
    return devices;
}

MeantDevices devices_meant(std::string_view name) {
    const Words words = words_of(name);
    std::vector<const KnownDevice*> rows = rows_named(words);
    const bool whole = !rows.empty();
    if (!whole)
        for (const KnownDevice& row : known_device_rows())
            if (fits_part(row, words)) rows.push_back(&row);
    std::size_t shortest = 0;  // "4070" is the RTX 4070, and no RTX 4070 Ti
    for (const KnownDevice* row : rows)
        shortest = shortest == 0 ? row->model.size() : std::min(shortest, row->model.size());
    std::erase_if(rows, [&](const KnownDevice* row) { return row->model.size() != shortest; });
    MeantDevices meant;
    for (const KnownDevice* row : rows) {
        meant.devices.push_back(&row->device);
        meant.one_model = row->model == rows.front()->model && (meant.one_model || row == rows.front());
    }
    meant.by_part = !whole && !rows.empty();
    return meant;
}

namespace {

/// Some tools leave the maker out of the name that the driver gives.
std::string_view without_maker(std::string_view name) {
    constexpr std::string_view maker = "NVIDIA ";
    return name.starts_with(maker) ? name.substr(maker.size()) : name;
}

}  // namespace

bool may_be_one_model(const Device& a, const Device& b) {
    if (without_maker(a.name) != without_maker(b.name)) return false;
    if (a.name.empty() && (!a.ceilings.empty() || !b.ceilings.empty())) return false;
    if (a.sm_count && b.sm_count && a.sm_count != b.sm_count) return false;
    if (a.compute_capability && b.compute_capability && a.compute_capability != b.compute_capability)
        return false;
    if (!a.memory_size || !b.memory_size) return true;
    const auto [less, more] = std::minmax({a.memory_size->value(), b.memory_size->value()});
    return less >= 0.9 * more;
}

std::string alternatives(const std::vector<const Device*>& devices, std::size_t first) {
    std::string list;
    for (std::size_t i = first; i < devices.size(); ++i)
        list += fmt::format("{}{}",
                            i == first                ? ""
                            : i + 1 == devices.size() ? " or "
                                                      : ", ",
                            devices[i]->name);
    return list;
}

std::string ambiguous_device_note(std::string_view name, const MeantDevices& meant) {
    const bool variants = meant.devices.size() > 1;
    if (!variants && !meant.by_part) return {};
    return fmt::format("'{}' is taken for the {}{}.", name, meant.devices.front()->name,
                       variants ? "; it may also be the " + alternatives(meant.devices, 1) : "");
}

std::string ambiguous_device_note(const Device& device) {
    const MeantDevices meant = entries_in_doubt(device);
    return ambiguous_device_note(device.name, meant);
}

std::string matched_entry(const Device& device) {
    const MeantDevices meant = entries_in_doubt(device);
    return meant.devices.empty() ? std::string() : meant.devices.front()->name;
}

}  // namespace roofwalk
