// SPDX-License-Identifier: GPL-3.0-or-later
// Row-wise operations between the matrix products of transformers.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

/// Every element is read once, written once, and worked on with `flops`.
OperationModel in_and_out(double elements, const OperationArguments& arguments) {
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops(elements * arguments.number("flops"))}};
    model.read = Bytes(packed_bytes(elements, type));
    model.written = model.read;
    return model;
}

Result<OperationModel> norm_model(const OperationArguments& arguments) {
    const auto [rows, cols] = numbers_of(arguments, "rows", "cols");
    OperationModel model = in_and_out(rows * cols, arguments);
    const double vectors = arguments.number("weights");
    const double times = arguments.flag("weights_per_row") ? rows : 1;
    model.read += Bytes(packed_bytes(times * vectors * cols, arguments.type("weight_dtype")));
    model.notes.push_back(
        fmt::format("{} FLOP are counted for each element; others count 5 or 8.", arguments.number("flops")));
    if (vectors > 0)
        model.notes.push_back(fmt::format("{} weight vector{} read {}.", vectors,
                                          vectors == 1 ? " is" : "s are",
                                          times > 1 ? "again for each row" : "once"));
    return model;
}

Result<OperationModel> batchnorm_model(const OperationArguments& arguments) {
    const double channels = arguments.number("channels");
    OperationModel model = in_and_out(channels * arguments.number("positions"), arguments);
    model.read += Bytes(packed_bytes(2 * channels, arguments.type("weight_dtype")));
    model.notes.emplace_back(
        "The input is read once: a channel that exceeds the chip is read again. Running statistics are not "
        "counted.");
    return model;
}

/// Input and gradient of the output in, gradients of input and weights out.
Result<OperationModel> norm_backward_model(const OperationArguments& arguments) {
    const double cols = arguments.number("cols");
    OperationModel model = in_and_out(arguments.number("rows") * cols, arguments);
    const double vectors = arguments.number("weights");
    const DataType type = arguments.type("weight_dtype");
    model.read += model.written + Bytes(packed_bytes(std::min(vectors, 1.0) * cols, type));
    model.written += Bytes(packed_bytes(vectors * cols, type));
    model.notes.emplace_back("The statistics of the rows are not counted.");
    return model;
}

Result<OperationModel> softmax_model(const OperationArguments& arguments) {
    const double n = arguments.number("rows") * arguments.number("cols");
    OperationModel model = in_and_out(n, arguments);
    model.written = Bytes(packed_bytes(n, arguments.type("out_dtype")));
    model.notes.push_back(fmt::format(
        "{} FLOP are counted for each element (maximum, difference, exponential, sum, quotient: 5).",
        arguments.number("flops")));
    return model;
}

Result<OperationModel> rope_model(const OperationArguments& arguments) {
    const double per_head = arguments.number("tokens") * arguments.number("head_dim");
    OperationModel model = in_and_out(per_head * arguments.number("heads"), arguments);
    if (arguments.flag("table")) {
        model.read += Bytes(packed_bytes(per_head, arguments.type("table_dtype")));
        model.notes.emplace_back("The table of sines and cosines is read once for all heads.");
    } else {
        model.notes.emplace_back("Sines and cosines are taken to be on chip; table=yes reads them.");
    }
    model.notes.push_back(fmt::format("{} FLOP are counted for each element (rotating a pair takes 6).",
                                      arguments.number("flops")));
    return model;
}

constexpr ParameterSpec flops_parameter(std::string_view default_value, std::string_view meaning) {
    return {"flops", "", ParameterKind::number, default_value, "FLOP", meaning, ""};
}

constexpr auto norm_parameters_with(std::string_view weights) {
    return std::array{count_parameter("rows", "", "rows", "rows (tokens), each normalised by itself"),
                      count_parameter("cols", "", "elements", "length of a row (hidden size)"),
                      flops_parameter("5", "FLOP for each element: 5, or 8 as some count"),
                      count_parameter("weights", weights, "vectors", "weight vectors (gamma, beta)", 0),
                      flag_parameter("weights_per_row", "no", "count the weights again for each row"),
                      dtype_parameter("fp16"),
                      type_parameter("weight_dtype", "type of the weights"),
                      pipe_parameter};
}

constexpr std::array batchnorm_parameters{
    count_parameter("channels", "", "channels", "channels, each normalised by itself"),
    count_parameter("positions", "", "elements", "elements of a channel: batch height width"),
    flops_parameter("5", "FLOP for each element"),
    dtype_parameter("fp16"),
    type_parameter("weight_dtype", "type of the weights"),
    pipe_parameter};
constexpr std::array norm_backward_parameters{
    count_parameter("rows", "", "rows", "rows (tokens), each normalised by itself"),
    count_parameter("cols", "", "elements", "length of a row (hidden size)"),
    flops_parameter("13", "FLOP for each element"),
    count_parameter("weights", "2", "vectors", "weight vectors (gamma, beta)", 0),
    dtype_parameter("fp16"),
    type_parameter("weight_dtype", "type of the weights"),
    pipe_parameter};
constexpr auto layernorm_parameters = norm_parameters_with("2");
constexpr auto rmsnorm_parameters = norm_parameters_with("1");
constexpr std::array softmax_parameters{
    count_parameter("rows", "", "rows", "rows, each with a softmax of its own"),
    count_parameter("cols", "", "elements", "length of a row"),
    flops_parameter("5", "FLOP for each element: 5, or 8 as some count"),
    dtype_parameter("fp16"),
    type_parameter("out_dtype", "type of the result"),
    pipe_parameter};
constexpr std::array rope_parameters{
    count_parameter("tokens", "", "tokens", "tokens"),
    count_parameter("head_dim", "", "elements", "length of a head"),
    count_parameter("heads", "1", "heads", "heads of Q and K together"),
    flops_parameter("3", "FLOP for each element: 3, or up to 10 where sines and cosines are counted"),
    flag_parameter("table", "no", "read sines and cosines from memory"),
    dtype_parameter("fp16"),
    type_parameter("table_dtype", "type of the table"),
    pipe_parameter};

constexpr std::string_view norm_work = "flops * rows cols";
constexpr std::string_view norm_traffic =
    "2 rows cols * bytes of an element, and weights * cols (for each row with weights_per_row)";
constexpr std::string_view norm_source = "input and output once; the FLOP of an element are a convention";

constexpr std::array normalisation_specs{
    OperationSpec{.name = "layernorm",
                  .aliases = "layer_norm",
                  .summary = "layer normalisation of rows",
                  .noun = "a LayerNorm of this shape",
                  .work = norm_work,
                  .traffic = norm_traffic,
                  .source = norm_source,
                  .example = "layernorm rows=4096 cols=4096 flops=8",
                  .parameters = layernorm_parameters,
                  .model = norm_model},
    OperationSpec{.name = "rmsnorm",
                  .aliases = "rms_norm",
                  .summary = "root-mean-square normalisation of rows",
                  .noun = "an RMSNorm of this shape",
                  .work = norm_work,
                  .traffic = norm_traffic,
                  .source = norm_source,
                  .example = "rmsnorm rows=4096 cols=4096",
                  .parameters = rmsnorm_parameters,
                  .model = norm_model},
    OperationSpec{.name = "batchnorm",
                  .aliases = "batch_norm",
                  .summary = "batch normalisation of channels",
                  .noun = "a batch normalisation of this shape",
                  .work = "flops * channels positions",
                  .traffic = "2 channels positions * bytes of an element, and 2 channels",
                  .source = norm_source,
                  .example = "batchnorm channels=64 positions=100352",
                  .parameters = batchnorm_parameters,
                  .model = batchnorm_model},
    OperationSpec{
        .name = "norm_backward",
        .summary = "gradients of a layer normalisation",
        .noun = "the backward pass of this normalisation",
        .work = "flops * rows cols; 13: normalise 2, weigh 1, two sums 3, the gradient 4, those of weights 3",
        .traffic = "3 rows cols * bytes of an element, and (1 + weights) cols",
        .source = norm_source,
        .example = "norm_backward rows=4096 cols=4096",
        .parameters = norm_backward_parameters,
        .model = norm_backward_model},
    OperationSpec{.name = "softmax",
                  .summary = "softmax of rows",
                  .noun = "a softmax of this shape",
                  .work = norm_work,
                  .traffic = "2 rows cols * bytes of an element",
                  .source = norm_source,
                  .example = "softmax rows=4096 cols=4096",
                  .parameters = softmax_parameters,
                  .model = softmax_model},
    OperationSpec{
        .name = "rope",
        .aliases = "rotary",
        .summary = "rotary position embedding",
        .noun = "RoPE of this shape",
        .work = "flops * tokens heads head_dim",
        .traffic = "2 tokens heads head_dim * bytes of an element, and tokens head_dim of the table",
        .source = "Su et al., \"RoFormer\", 2021: each pair turned by one angle",
        .example = "rope tokens=2048 heads=64 head_dim=128",
        .parameters = rope_parameters,
        .model = rope_model}};

}  // namespace

constinit const std::span<const OperationSpec> normalisations = normalisation_specs;

}  // namespace roofwalk
