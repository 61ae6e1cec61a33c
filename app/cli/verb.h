// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

/// The commands of roofwalk-cli. Each adds itself to the command line; when it is chosen, its exit code is
/// stored in `status`, which outlives the parsing.
namespace roofwalk::cli {

void add_report(CLI::App& app, int& status);
void add_advise(CLI::App& app, int& status);
void add_chart(CLI::App& app, int& status);
void add_compare(CLI::App& app, int& status);
void add_convert(CLI::App& app, int& status);
void add_model(CLI::App& app, int& status);
void add_atlas(CLI::App& app, int& status);
void add_scenario(CLI::App& app, int& status);
void add_profile(CLI::App& app, int& status);
void add_attach(CLI::App& app, int& status);
void add_ceilings(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);

}  // namespace roofwalk::cli
