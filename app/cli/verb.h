// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

/// The commands of roofwalk-cli. Each adds itself to the command line; when it is chosen, its exit code is
/// stored in `status`, which outlives the parsing.
namespace roofwalk::cli {

void add_report(CLI::App& app, int& status);    // report.cpp
void add_advise(CLI::App& app, int& status);    // advise.cpp
void add_chart(CLI::App& app, int& status);     // chart/chart.cpp
void add_compare(CLI::App& app, int& status);   // compare.cpp
void add_convert(CLI::App& app, int& status);   // convert.cpp
void add_model(CLI::App& app, int& status);     // operations/model.cpp
void add_atlas(CLI::App& app, int& status);     // operations/atlas.cpp
void add_scenario(CLI::App& app, int& status);  // scenario.cpp
void add_profile(CLI::App& app, int& status);   // profile.cpp
void add_attach(CLI::App& app, int& status);    // attach.cpp
void add_ceilings(CLI::App& app, int& status);  // ceilings.cpp
void add_check(CLI::App& app, int& status);     // check.cpp

}  // namespace roofwalk::cli
