// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ceiling_store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/file_writer.h"
#include "core/devices/measured_json.h"
#include "profiler/benchmarks/nvml.h"
#include "profiler/recording/machine.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".json";

/// Where the cache has no room, a file of a person's choice may.
Error with_other_place(Error error) {
    error.hint += " Or write them to a file of your choice: Export in the window, -o for the command.";
    return error;
}

}  // namespace

std::map<std::string, MeasuredDevice> local_gpus(const std::set<std::string>& uuids, const fs::path& root) {
    std::map<std::string, MeasuredDevice> found;
    std::map<std::string, std::string> bus_ids;  // by UUID
    std::error_code failed;
    for (fs::directory_iterator board(root / "proc/driver/nvidia/gpus", failed), end; !failed && board != end;
         board.increment(failed))
        if (const auto uuid = value_after(board->path() / "information", "GPU UUID");
            uuid && !uuid->empty() && uuids.contains(*uuid))
            bus_ids.insert_or_assign(*uuid, board->path().filename().string());
    if (bus_ids.empty()) return found;
    const std::string driver = read_machine(root).driver_version.value_or(std::string());
    const ceilings::Nvml::Session session = ceilings::Nvml::open();
    const auto clock = [](std::optional<double> hertz) {
        return hertz ? std::optional(Hertz(*hertz)) : std::nullopt;
    };
    for (const auto& [uuid, bus_id] : bus_ids) {
        const ceilings::Nvml nvml(bus_id, session);
        MeasuredDevice& here = found[uuid];
        here.device.uuid = uuid;
        here.driver = driver;
        here.power_limit = nvml.power_limit();
        here.highest_clock = clock(nvml.highest_sm_clock());
        here.application_clock = clock(nvml.application_clock());
        here.set_clock = clock(nvml.set_clock());
        here.present_clock = clock(nvml.sm_clock());
        here.error_correction = nvml.error_correction();
    }
    return found;
}

std::optional<CeilingStore> CeilingStore::of_user() {
    const auto data = xdg_folder("XDG_DATA_HOME", ".local/share");
    return data ? std::optional(CeilingStore(*data / "roofwalk/ceilings")) : std::nullopt;
}

CeilingStore::StoredMeasurements CeilingStore::read() const {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end; entry.increment(failed))
        if (entry->path().extension() == suffix) files.push_back(entry->path());
    std::ranges::sort(files);
    StoredMeasurements kept;
    for (const fs::path& file : files) {
        std::ifstream in(file, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        if (!in.good() && !in.eof()) {
            kept.problems.push_back({ErrorCode::file_not_readable, "Kept ceilings cannot be read",
                                     file.string(), "Measure again, or remove the file."});
            continue;
        }
        auto measured = read_measured_ceilings(text, file.string());
        if (measured)
            kept.measured.push_back(*std::move(measured));
        else
            kept.problems.push_back(measured.error());
    }
    return kept;
}

Result<fs::path> CeilingStore::keep(const MeasuredCeilings& measured) const {
    constexpr std::string_view failure = "The measured ceilings could not be kept";
    fs::path file = folder_ / (uuid_for_file(measured.device.device.uuid) + std::string(suffix));
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (failed) return tl::unexpected(with_other_place(write_error(failure, folder_, failed.value())));
    return write_file(file, measured_ceilings_json(measured), failure)
        .map([&] { return file; })
        .map_error(with_other_place);
}

CeilingStoreContent stored_ceilings(const WantedCeilings& wanted) {
    return stored_ceilings(wanted, CeilingStore::of_user(), "/");
}

CeilingStoreContent stored_ceilings(const WantedCeilings& wanted, const std::optional<CeilingStore>& cache,
                                    const std::filesystem::path& root) {
    CeilingStoreContent offer;
    if (!cache) return offer;
    CeilingStore::StoredMeasurements kept = cache->read();
    offer.problems = std::move(kept.problems);
    std::set<std::string> uuids;
    for (MeasuredCeilings& measured : kept.measured) {
        auto shared = std::make_shared<const MeasuredCeilings>(std::move(measured));
        if (wanted && !wanted(shared)) continue;
        uuids.insert(shared->device.device.uuid);
        offer.kept.push_back({std::move(shared), {}});
    }
    const auto boards = local_gpus(uuids, root);
    for (StoredCeilings& each : offer.kept) {
        const auto board = boards.find(each.measured->device.device.uuid);
        each.here = board != boards.end();
        each.stale = why_stale(*each.measured, each.here ? board->second : MeasuredDevice{});
        if (each.here) each.not_compared = not_compared(*each.measured, board->second);
    }
    return offer;
}

Result<StoreOutcome> keep_ceilings(const MeasuredCeilings& measured) {
    const std::string& uuid = measured.device.device.uuid;
    const auto boards = local_gpus({uuid});
    const auto here = boards.find(uuid);
    return keep_ceilings(measured, CeilingStore::of_user(),
                         here == boards.end() ? std::nullopt : std::optional(here->second));
}

Result<StoreOutcome> keep_ceilings(const MeasuredCeilings& measured, const std::optional<CeilingStore>& cache,
                                   const std::optional<MeasuredDevice>& here) {
    if (!cache)
        return unexpected(ErrorCode::write_failed, "The measured ceilings are not kept", {},
                          "Neither XDG_DATA_HOME nor HOME names a folder for them.");
    const CeilingStore::StoredMeasurements before = cache->read();
    const auto is_kept_and_holds = [&](const MeasuredDevice& now, bool whole) {
        return std::ranges::any_of(before.measured, [&](const MeasuredCeilings& kept) {
            return (kept.complete || !whole) && kept.device.device.uuid == measured.device.device.uuid &&
                   why_stale(kept, now).empty();
        });
    };
    const MeasuredDevice now = here.value_or(MeasuredDevice{});
    const std::string reasons = fmt::format("{}", fmt::join(why_stale(measured, now), " "));
    if (!reasons.empty() && is_kept_and_holds(now, false))
        return StoreOutcome{
            "This measurement is stale, and does not replace the one of this GPU that is kept and "
            "holds. " +
                reasons,
            false};
    // Of a board that is elsewhere nothing newer is known than what was found when it was measured.
    if (!measured.complete && is_kept_and_holds(here.value_or(measured.device), true))
        return StoreOutcome{
            "A whole measurement of this GPU is kept already: this one, which was cut, does not "
            "replace it.",
            false};
    return cache->keep(measured).map([&](const std::filesystem::path& file) {
        if (!reasons.empty())
            return StoreOutcome{"Kept in " + file.string() + ", stale and not used. " + reasons, false};
        return StoreOutcome{"Kept in " + file.string() + "; reports of this GPU use it from now on.", true};
    });
}

}  // namespace roofwalk
