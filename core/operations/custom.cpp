// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <array>

#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

/// The value of one formula of the operation; an amount is never negative.
Result<double> amount(std::string_view formula, const OperationArguments& arguments) {
    const auto value = evaluate(arguments.text(formula), arguments.names());
    if (!value) {
        Error error = value.error();
        error.where = fmt::format("formula of {}, {}", formula, error.where);
        return tl::unexpected(std::move(error));
    }
    if (*value < 0)
        return refused("custom", fmt::format("The formula of {} gives {}", formula, *value),
                       "An amount cannot be negative.");
    return *value;
}

Result<OperationModel> custom_model(const OperationArguments& arguments) {
    const auto flops = amount("flops", arguments);
    if (!flops) return tl::unexpected(flops.error());
    const auto read = amount("read", arguments);
    if (!read) return tl::unexpected(read.error());
    const auto written = amount("write", arguments);
    if (!written) return tl::unexpected(written.error());
    OperationModel model;
    model.work = {{arguments.pipe_or(Pipe{PipeKind::fp32}), Flops(*flops)}};
    model.read = Bytes(*read);
    model.written = Bytes(*written);
    model.notes.emplace_back("Work and bytes are those of its formulas.");
    return model;
}

constexpr std::array parameters{
    ParameterSpec{"flops", "", ParameterKind::formula, "", "FLOP", "work", ""},
    ParameterSpec{"read", "bytes", ParameterKind::formula, "", "bytes", "bytes read", ""},
    ParameterSpec{"write", "", ParameterKind::formula, "0", "bytes", "bytes written", ""}, pipe_parameter};

constexpr std::array custom_specs{
    OperationSpec{.name = "custom",
                  .summary = "an operation of your own, by formulas over numbers that you name",
                  .noun = "its operation",
                  .work = "flops",
                  .traffic = "read + write",
                  .source = "typed by the user",
                  .example = "custom flops=\"2*n^2\" read=\"4*(n^2 + n)\" write=\"4*n\" n=4096",
                  .parameters = parameters,
                  .takes_names = true,
                  .model = custom_model}};

}  // namespace

constinit const std::span<const OperationSpec> custom_operations = custom_specs;

}  // namespace roofwalk
