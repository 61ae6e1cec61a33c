// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ncu_plan.h"

#include <string_view>
#include <utility>

namespace roofwalk {

namespace {

constexpr std::string_view report_suffix = ".ncu-rep";

/// "a*b" as the regular expression "a.*b".
std::string expression_of(std::string_view pattern) {
    std::string expression;
    for (const char c : pattern) {
        if (c == '*') {
            expression += ".*";
            continue;
        }
        if (std::string_view(R"(\^$.|?+()[]{})").find(c) != std::string_view::npos) expression += '\\';
        expression += c;
    }
    return expression;
}

std::string any_of(const std::vector<std::string>& patterns) {
    std::string expression;
    for (const std::string& pattern : patterns)
        expression += (expression.empty() ? "" : "|") + expression_of(pattern);
    return "(?:" + expression + ")";
}

/// Empty where every kernel is wanted.
std::string kernel_expression(const LaunchFilter& filter) {
    if (filter.kernels.empty() && filter.except.empty()) return {};
    const std::string without = filter.except.empty() ? "" : "(?!" + any_of(filter.except) + "$)";
    return "regex:^" + without + (filter.kernels.empty() ? ".*" : any_of(filter.kernels)) + "$";
}

tl::unexpected<Error> cannot(std::string what, std::string hint) {
    return tl::unexpected(Error{ErrorCode::bad_argument, std::move(what), "", std::move(hint)});
}

}  // namespace

Result<LaunchPlan> plan_ncu(const ProfileRequest& request, const std::filesystem::path& ncu,
                            const std::vector<std::string>& inherited) {
    if (request.attach_to)
        return cannot("Nsight Compute cannot record a process that runs",
                      "Start the program under it, or record with Roofwalk's own agent.");
    if (!request.launch.through.empty())
        return cannot("Nsight Compute writes its report on the machine where it runs",
                      "Run `roofwalk-cli profile --ncu` there, and open the report that it names.");
    if (!request.measuring.counters)
        return cannot("Nsight Compute does not record time alone", "Leave out --ncu or --timing.");
    if (request.output == "-")
        return cannot("Nsight Compute writes its report into a file",
                      "Name it with -o, as in -o run.ncu-rep.");
    auto program = plan_program(request.launch, inherited);
    if (!program) return program;
    LaunchPlan plan = *std::move(program);
    const LaunchFilter& filter = request.measuring.filter;
    std::vector<std::string> arguments{
        "ncu",  "--set",           "roofline", "--target-processes", "all", "--cache-control",
        "none", "--clock-control", "none",     "--force-overwrite"};
    const auto add = [&](std::string option, std::string value) {
        arguments.push_back(std::move(option));
        arguments.push_back(std::move(value));
    };
    std::string output = request.output;
    if (output.ends_with(report_suffix)) output.resize(output.size() - report_suffix.size());
    add("--export", std::filesystem::absolute(output).string());
    if (const std::string kernels = kernel_expression(filter); !kernels.empty())
        add("--kernel-name", kernels);
    if (!filter.nvtx_ranges.empty()) arguments.emplace_back("--nvtx");
    for (const std::string& range : filter.nvtx_ranges)
        add("--nvtx-include", "regex:" + expression_of(range) + "/");
    if (filter.skip > 0) add("--launch-skip", std::to_string(filter.skip));
    if (filter.count) add("--launch-count", std::to_string(*filter.count));
    arguments.push_back(plan.program.string());
    arguments.insert(arguments.end(), plan.arguments.begin() + 1, plan.arguments.end());
    // Two profilers in one program do not go together.
    std::erase_if(plan.environment, [](const std::string& entry) {
        return entry.starts_with("CUDA_INJECTION64_PATH=") || entry.starts_with("NVTX_INJECTION64_PATH=");
    });
    plan.arguments = std::move(arguments);
    plan.program = ncu;
    return plan;
}

}  // namespace roofwalk
