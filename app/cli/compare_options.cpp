// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_options.h"

#include <CLI/CLI.hpp>

#include "app/cli/gate.h"

namespace roofwalk::cli {

void add_noise_option(CLI::App& verb, double& percent) {
    verb.add_option("--noise", percent, "a change of time or bytes up to PCT % is no change")
        ->type_name("PCT")
        ->check([](const std::string& text) { return per_cent_check(text, "a per cent of noise", "2"); })
        ->capture_default_str();
}

Result<std::vector<Viewed>> read_each(const ViewOptions& options, const std::vector<std::string>& files) {
    std::vector<Viewed> reports;
    for (const std::string& file : files) {
        ViewOptions one = options;
        one.files = {file};
        Result<Viewed> report = read_and_analyse(one);
        if (!report) return tl::unexpected(report.error());
        reports.push_back(std::move(*report));
    }
    return reports;
}

std::vector<RunView> views_of(const std::vector<Viewed>& reports) {
    std::vector<RunView> views;
    for (const Viewed& report : reports)
        views.push_back({&report.profile, &report.analysis});
    return views;
}

}  // namespace roofwalk::cli
