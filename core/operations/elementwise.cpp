// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <array>

#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

Result<OperationModel> elementwise_model(const OperationArguments& arguments) {
    const double n = arguments.number("n");
    const double ops = arguments.number("ops");
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops(n * ops * arguments.number("flops"))}};
    model.read = Bytes(packed_bytes(n * arguments.number("inputs") + arguments.number("broadcast"), type));
    model.written = Bytes(packed_bytes(n * arguments.number("outputs"), type));
    if (!arguments.flag("fused") && ops > 1) {
        model.intermediates = Bytes(2 * (ops - 1) * packed_bytes(n, type));
        model.intermediates_of =
            fmt::format("{} arrays between the operations, each written and read", ops - 1);
    }
    model.notes.push_back(
        fmt::format("Each of the {} operations counts {} FLOP an element.", ops, arguments.number("flops")));
    return model;
}

constexpr std::array<std::string_view, 2> aliases{"pointwise", "map"};
constexpr std::array elementwise_parameters{
    count_parameter("n", "", "elements", "elements of every array"),
    count_parameter("ops", "1", "operations", "operations in the chain"),
    count_parameter("inputs", "1", "arrays", "arrays that enter the chain", 0),
    count_parameter("broadcast", "0", "elements", "elements of smaller arrays that enter it too", 0),
    count_parameter("outputs", "1", "arrays", "arrays that leave it"),
    ParameterSpec{"flops", "", ParameterKind::number, "1", "FLOP", "FLOP of one operation on one element",
                  ""},
    flag_parameter("fused", "yes", "one kernel does the whole chain"),
    dtype_parameter("fp32"),
    pipe_parameter};

}  // namespace

constinit const OperationSpec elementwise_operation{
    .name = "elementwise",
    .aliases = aliases,
    .summary = "chain of element-wise operations, fused or not",
    .noun = "an element-wise chain of this size",
    .work = "n * ops * flops",
    .traffic =
        "((inputs + outputs) n + broadcast) * bytes of an element; unfused, 2 (ops - 1) n elements besides",
    .source = "every input once, every output once",
    .example = "elementwise n=1e8 ops=3 inputs=2",
    .parameters = elementwise_parameters,
    .model = elementwise_model};

}  // namespace roofwalk
