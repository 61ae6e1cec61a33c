// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/record_options.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

#include "app/cli/whole_number.h"

namespace roofwalk::cli {

void add_record_options(CLI::App& verb, RecordOptions& options) {
    verb.add_option("-o,--output", options.request.output,
                    "file of the recording, one for each process: %h is the host, %p the process, %q{NAME} a "
                    "variable; - for stdout")
        ->type_name("PATTERN")
        ->default_str("roofwalk-%p.jsonl");
    LaunchFilter& filter = options.request.measuring.filter;
    verb.add_option("--kernel", filter.kernels, "record kernels of this name only; * stands for any letters")
        ->type_name("PATTERN")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    verb.add_option("--except", options.except,
                    "leave kernels of this name alone, instead of nccl* and nvshmem*; none for no name")
        ->type_name("PATTERN")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    verb.add_option("--nvtx", filter.nvtx_ranges, "record launches inside of this NVTX range only")
        ->type_name("PATTERN")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    constexpr std::uint64_t most_launches = std::numeric_limits<std::uint32_t>::max();
    verb.add_option("--skip", filter.skip, "launches to leave alone first")
        ->type_name("N")
        ->check(whole_number(0, most_launches));
    verb.add_option("--count", filter.count, "launches to record after those; all without it")
        ->type_name("N")
        ->check(whole_number(1, most_launches));
    verb.add_flag("--every-launch", options.request.measuring.every_launch,
                  "measure every launch; without it kernels that repeat are sampled");
    verb.add_flag("--timing", options.timing,
                  "record time only: needs no permission to read counters, and no bytes or FLOPs are known");
    verb.add_option("--cupti", options.choices.cupti, "the library libcupti.so.13 to use")->type_name("FILE");
    verb.add_option("--agent", options.choices.agent, "the agent to load, instead of the installed one")
        ->type_name("FILE");
    verb.add_flag("--force", options.choices.despite_findings,
                  "start even where `roofwalk-cli check` says that kernels cannot be profiled");
}

ProfileRequest request_of(const RecordOptions& options) {
    ProfileRequest request = options.request;
    request.measuring.counters = !options.timing;
    if (request.output.empty()) request.output = "roofwalk-%p.jsonl";
    if (!options.except.empty()) request.measuring.filter.except = options.except;
    std::erase(request.measuring.filter.except, "none");
    return request;
}

}  // namespace roofwalk::cli
