// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/devices/measured_ceilings.h"
#include "core/import/ceiling_benchmark_backend.h"

namespace roofwalk {

/// What this machine says of those of the boards that are in it, without waking them, by UUID: the driver,
/// and where the driver's management library is there, power limit and clocks. The library, which takes its
/// time, is begun once for all of them, and not at all where none is here. `root` holds proc/.
[[nodiscard]] std::map<std::string, MeasuredDevice> local_gpus(const std::set<std::string>& uuids,
                                                               const std::filesystem::path& root = "/");

/// The measured ceilings that this user keeps: one file for each board, named after its UUID. A file that
/// cannot be read is left where it is and told.
class CeilingStore {
  public:
    explicit CeilingStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// In $XDG_DATA_HOME/roofwalk, else ~/.local/share/roofwalk; absent where this user has no such folder.
    /// Not among what a system may clear to save space: measuring needs the board.
    [[nodiscard]] static std::optional<CeilingStore> of_user();

    struct StoredMeasurements {
        std::vector<MeasuredCeilings> measured;  ///< by UUID
        std::vector<Error> problems;
    };
    [[nodiscard]] StoredMeasurements read() const;

    /// Replaces what was kept of the board, whole or not at all; the file.
    [[nodiscard]] Result<std::filesystem::path> keep(const MeasuredCeilings& measured) const;

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  private:
    std::filesystem::path folder_;
};

/// Which of those that are kept somebody has a use for; empty: all.
using WantedCeilings = std::function<bool(const std::shared_ptr<const MeasuredCeilings>& kept)>;

/// What this user keeps, and whether it still holds: of boards of this machine, by their driver, power limit,
/// clocks and ECC as they are now, which takes a moment to find out; of others by the version of the
/// benchmarks alone.
[[nodiscard]] CeilingStoreContent stored_ceilings(const WantedCeilings& wanted = {});
/// `root` holds proc/.
[[nodiscard]] CeilingStoreContent stored_ceilings(const WantedCeilings& wanted,
                                                  const std::optional<CeilingStore>& cache,
                                                  const std::filesystem::path& root);

/// Keeps a measurement where later reports find it, unless one that still holds would go for a stale one, or
/// a whole one that holds for one that was cut. Errors: write_failed.
[[nodiscard]] Result<StoreOutcome> keep_ceilings(const MeasuredCeilings& measured);
/// `here`: the board as it is now; absent where it is not in this machine.
[[nodiscard]] Result<StoreOutcome> keep_ceilings(const MeasuredCeilings& measured,
                                                 const std::optional<CeilingStore>& cache,
                                                 const std::optional<MeasuredDevice>& here);

}  // namespace roofwalk
