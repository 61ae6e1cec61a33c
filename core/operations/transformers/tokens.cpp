// SPDX-License-Identifier: GPL-3.0-or-later
// Where tokens enter and leave a language model.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

double index_bytes(const OperationArguments& arguments) {
    return arguments.text("index") == "int32" ? 4 : 8;
}

Result<OperationModel> embedding_model(const OperationArguments& arguments) {
    const auto [tokens, dim, vocab, bags] = numbers_of(arguments, "tokens", "dim", "vocab", "bags");
    const double rows = vocab == 0 ? tokens : std::min(tokens, vocab);
    const double weights = arguments.flag("weighted") ? tokens : 0;
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)),
                   Flops((weights + (bags > 0 ? std::max(0.0, tokens - bags) : 0)) * dim)}};
    model.read = Bytes(packed_bytes(rows * dim + weights, type) + (tokens + bags) * index_bytes(arguments));
    model.written = Bytes(packed_bytes((bags > 0 ? bags : tokens) * dim, type));
    model.notes.push_back(fmt::format(
        "{} rows of the table are read; tokens that come again would be served from cache.", rows));
    return model;
}

Result<OperationModel> embedding_backward_model(const OperationArguments& arguments) {
    const auto [tokens, dim, vocab, bags] = numbers_of(arguments, "tokens", "dim", "vocab", "bags");
    const DataType type = arguments.type("dtype");
    OperationModel model;
    const double weights = arguments.flag("weighted") ? tokens : 0;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops((tokens + weights) * dim)}};
    model.read = Bytes(packed_bytes((bags > 0 ? bags : tokens) * dim + weights, type) +
                       tokens * (bags > 0 ? 2 : 1) * index_bytes(arguments));
    model.written = Bytes(packed_bytes((vocab == 0 ? tokens : vocab) * dim, type));
    model.notes.push_back(vocab == 0
                              ? "Only the rows of the tokens are written: a sparse gradient."
                              : fmt::format("All {} rows of the gradient are written, zeros too; what a "
                                            "row sums up is in cache meanwhile.",
                                            vocab));
    return model;
}

Result<OperationModel> gather_model(const OperationArguments& arguments) {
    const double n = arguments.number("n");
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops(0)}};
    model.read = Bytes(packed_bytes(n, type) + n * arguments.number("indices") * index_bytes(arguments));
    model.written = Bytes(packed_bytes(n, type));
    model.notes.emplace_back("Every index names an element of its own, and no more than it is read.");
    return model;
}

Result<OperationModel> sampling_model(const OperationArguments& arguments) {
    const double rows = arguments.number("batch");
    const double logits = rows * arguments.number("vocab");
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops(logits * arguments.number("flops"))}};
    model.read = Bytes(packed_bytes(logits, type));
    model.written = Bytes(rows * index_bytes(arguments));
    model.notes.push_back(fmt::format(
        "{} FLOP are counted for each logit (maximum, difference, exponential, sum, quotient: 5). A kernel "
        "that sorts them does more.",
        arguments.number("flops")));
    return model;
}

constexpr ParameterSpec index_parameter{
    "index", "", ParameterKind::choice, "int64", "", "type of tokens or indices", "int32|int64"};

constexpr auto weighted_parameter = flag_parameter("weighted", "no", "a weight for each token");
constexpr std::array embedding_parameters{
    count_parameter("tokens", "", "tokens", "tokens that are looked up"),
    count_parameter("dim", "", "elements", "length of a row"),
    count_parameter("vocab", "0", "rows", "rows of the table, of which no more are read; 0: many", 0),
    count_parameter("bags", "0", "sums", "sums of the rows of some tokens each; 0: every row by itself", 0),
    weighted_parameter,
    index_parameter,
    dtype_parameter("fp16"),
    pipe_parameter};
constexpr std::array embedding_backward_parameters{
    count_parameter("tokens", "", "tokens", "tokens that were looked up"),
    count_parameter("dim", "", "elements", "length of a row"),
    count_parameter("vocab", "0", "rows", "rows of the table, all written; 0: those of the tokens alone", 0),
    count_parameter("bags", "0", "sums", "sums whose gradients are given, and whose tokens are; 0: none", 0),
    weighted_parameter,
    index_parameter,
    dtype_parameter("fp16"),
    pipe_parameter};
constexpr std::array gather_parameters{count_parameter("n", "", "elements", "elements that are picked"),
                                       count_parameter("indices", "1", "indices", "indices of an element"),
                                       index_parameter, dtype_parameter("fp32"), pipe_parameter};
constexpr std::array sampling_parameters{
    count_parameter("batch", "", "sequences", "sequences that each draw one token"),
    count_parameter("vocab", "", "logits", "logits of a sequence"),
    ParameterSpec{"flops", "", ParameterKind::number, "5", "FLOP", "FLOP for each logit", ""},
    index_parameter,
    dtype_parameter("fp32"),
    pipe_parameter};

constexpr std::array tokens_specs{
    OperationSpec{
        .name = "embedding",
        .summary = "rows of a table by token, or the sums of bags of them",
        .noun = "an embedding of this size",
        .work = "0; of bags (tokens - bags) dim; weighted, tokens dim besides",
        .traffic =
            "min(tokens, vocab) dim read and tokens dim (bags dim) written, tokens weights read, * bytes of an "
            "element; (tokens + bags) * index",
        .source = "every row once in, every token or sum once out",
        .example = "embedding tokens=2048 dim=4096 vocab=32000",
        .parameters = embedding_parameters,
        .model = embedding_model},
    OperationSpec{
        .name = "embedding_backward",
        .summary = "gradient of a table whose rows were looked up",
        .noun = "a backward embedding of this size",
        .work = "tokens dim; weighted, twice that",
        .traffic =
            "tokens dim (bags dim) read, vocab dim written (tokens dim of a sparse gradient), * bytes of an element; "
            "tokens * index, of bags twice; tokens weights",
        .source = "every token's gradient once in, one addition for each element, every row once out",
        .example = "embedding_backward tokens=2048 dim=4096 vocab=32000",
        .parameters = embedding_backward_parameters,
        .model = embedding_backward_model},
    OperationSpec{.name = "gather",
                  .summary = "elements by index",
                  .noun = "a gather of this size",
                  .work = "0",
                  .traffic = "n read and n written, * bytes of an element; n indices * index",
                  .source = "every element and every index once",
                  .example = "gather n=1e8",
                  .parameters = gather_parameters,
                  .model = gather_model},
    OperationSpec{.name = "sampling",
                  .summary = "draw a token from logits",
                  .noun = "sampling of this size",
                  .work = "flops * batch vocab",
                  .traffic = "batch vocab * bytes of an element, batch * index",
                  .source = "logits once in, a token out; the FLOP of a logit are those of softmax",
                  .example = "sampling batch=64 vocab=128256",
                  .parameters = sampling_parameters,
                  .model = sampling_model}};

}  // namespace

constinit const std::span<const OperationSpec> token_operations = tokens_specs;

}  // namespace roofwalk
