// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace roofwalk::test {

/// Folder of real reports that are not part of the repository; may not exist.
[[nodiscard]] std::filesystem::path samples_folder();
/// Every sample report, sorted by name; empty when the folder is absent. A test that needs them skips by name
/// then.
[[nodiscard]] std::vector<std::filesystem::path> sample_reports();
/// The profiles of `resources/samples`, sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> shipped_samples();
/// The `.expected.json` oracle beside a sample report.
[[nodiscard]] std::filesystem::path oracle_of(const std::filesystem::path& report);
/// The sample whose name starts with `prefix`; empty path when absent.
[[nodiscard]] std::filesystem::path sample(std::string_view prefix);
/// `tests/data`.
[[nodiscard]] std::filesystem::path data_folder();

}  // namespace roofwalk::test
