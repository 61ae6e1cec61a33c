// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/samples.h"

#include <algorithm>
#include <string>

namespace roofwalk::test {

namespace fs = std::filesystem;

fs::path samples_folder() {
    return ROOFWALK_SAMPLES;
}

fs::path data_folder() {
    return ROOFWALK_TEST_DATA;
}

std::vector<fs::path> sample_reports() {
    std::vector<fs::path> reports;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(samples_folder(), ignored)) {
        const fs::path suffix = entry.path().extension();
        if (suffix == ".ncu-rep" || suffix == ".nsight-cuprof-report") reports.push_back(entry.path());
    }
    std::ranges::sort(reports);
    return reports;
}

std::vector<fs::path> shipped_samples() {
    std::vector<fs::path> profiles;
    for (const auto& entry : fs::directory_iterator(data_folder() / "../../resources/samples"))
        if (entry.path().extension() == ".json") profiles.push_back(entry.path());
    std::ranges::sort(profiles);
    return profiles;
}

fs::path oracle_of(const fs::path& report) {
    return fs::path(report).replace_extension(".expected.json");
}

fs::path sample(std::string_view prefix) {
    for (const fs::path& report : sample_reports())
        if (report.filename().string().starts_with(prefix)) return report;
    return {};
}

}  // namespace roofwalk::test
