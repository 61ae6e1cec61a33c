// SPDX-License-Identifier: GPL-3.0-or-later
// Products of transformers that are more than one GEMM.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

Result<OperationModel> grouped_gemm_model(const OperationArguments& arguments) {
    const auto [tokens, experts, top_k, n, k] = numbers_of(arguments, "tokens", "experts", "top_k", "n", "k");
    const double at_most = std::min(experts, tokens * top_k);
    const double active = arguments.number("active") == 0 ? at_most : arguments.number("active");
    if (top_k > experts || active > at_most || active < top_k)
        return refused(
            "grouped_gemm",
            fmt::format("{} of {} experts cannot do {} tokens with {} each", active, experts, tokens, top_k),
            "active is at least top_k, and at most experts and tokens * top_k.");
    const DataType type = arguments.type("dtype");
    const DataType weights = arguments.type("weight_dtype");
    OperationModel model;
    model.work = {matrix_work(arguments, product_type(type, weights), Flops(2 * tokens * top_k * n * k))};
    model.shared = Bytes(active * packed_bytes(n * k, weights));
    model.read = Bytes(packed_bytes(tokens * k, type)) + model.shared;
    model.written = Bytes(packed_bytes(tokens * top_k * n, arguments.type("c")));
    model.notes.push_back(
        fmt::format("{} of {} experts have tokens, each reads its weights once. Routing is not counted.",
                    active, experts));
    return model;
}

Result<OperationModel> mlp_model(const OperationArguments& arguments) {
    const auto [tokens, hidden, inner] = numbers_of(arguments, "tokens", "hidden", "inner");
    const double products = arguments.flag("gated") ? 3 : 2;
    const DataType type = arguments.type("dtype");
    const DataType weights = arguments.type("weight_dtype");
    OperationModel model;
    model.work = {
        matrix_work(arguments, product_type(type, weights), Flops(2 * products * tokens * hidden * inner))};
    model.shared = Bytes(products * packed_bytes(hidden * inner, weights));
    model.read = Bytes(packed_bytes(tokens * hidden, type)) + model.shared;
    model.written = Bytes(packed_bytes(tokens * hidden, type));
    model.notes.emplace_back("The activation is not counted.");
    if (!arguments.flag("fused")) {
        model.intermediates = Bytes(2 * products * packed_bytes(tokens * inner, type));
        model.intermediates_of =
            fmt::format("{} matrices of tokens x inner, each written and read", products);
    }
    return model;
}

Result<OperationModel> gemm_backward_model(const OperationArguments& arguments) {
    const auto [m, n, k] = numbers_of(arguments, "m", "n", "k");
    const DataType type = arguments.type("dtype");
    const double operands = packed_bytes(m * k, type) + packed_bytes(k * n, type);
    OperationModel model;
    model.work = {matrix_work(arguments, type, Flops(4 * m * n * k * complex_factor(type)))};
    model.read = Bytes(operands + packed_bytes(m * n, type));
    model.written = Bytes(operands);
    model.notes.emplace_back("dA = dC B^T and dB = A^T dC; as two kernels they read dC twice.");
    return model;
}

constexpr auto dtype = dtype_parameter("fp16");
constexpr auto weight_dtype = type_parameter("weight_dtype", "type of the weights");

constexpr std::array grouped_parameters{
    count_parameter("tokens", "", "tokens", "tokens"),
    count_parameter("experts", "", "experts", "experts, each with weights of its own"),
    count_parameter("top_k", "1", "experts", "experts that a token goes to"),
    count_parameter("n", "", "columns", "outputs of an expert"),
    count_parameter("k", "", "elements", "inputs of an expert"),
    count_parameter("active", "0", "experts", "experts that have tokens; 0: as many as can", 0),
    dtype,
    weight_dtype,
    type_parameter("c", "type of the result"),
    pipe_parameter};
constexpr std::array mlp_parameters{
    count_parameter("tokens", "", "tokens", "tokens"),
    count_parameter("hidden", "", "elements", "inputs and outputs"),
    count_parameter("inner", "", "elements", "length between the products"),
    flag_parameter("gated", "yes", "three products, as in SwiGLU; no: two"),
    flag_parameter("fused", "yes", "what is between the products stays on chip"),
    dtype,
    weight_dtype,
    pipe_parameter};
constexpr std::array gemm_backward_parameters{count_parameter("m", "", "rows", "rows of A and C"),
                                              count_parameter("n", "", "columns", "columns of B and C"),
                                              count_parameter("k", "", "elements", "columns of A, rows of B"),
                                              dtype, pipe_parameter};

constexpr std::array feed_forward_specs{
    OperationSpec{.name = "grouped_gemm",
                  .aliases = "moe",
                  .summary = "products of a mixture of experts",
                  .noun = "a grouped GEMM of this shape",
                  .work = "2 tokens top_k n k",
                  .traffic = "tokens k + active n k + tokens top_k n, * bytes of an element",
                  .source = "Gale et al., \"MegaBlocks\", 2022: a GEMM for each expert",
                  .example = "grouped_gemm tokens=64 experts=8 top_k=2 n=14336 k=4096",
                  .parameters = grouped_parameters,
                  .model = grouped_gemm_model},
    OperationSpec{
        .name = "fused_mlp",
        .aliases = "mlp",
        .summary = "feed-forward block, fused or not",
        .noun = "a feed-forward block of this shape",
        .work = "2 products tokens hidden inner; products 3 when gated, else 2",
        .traffic =
            "2 tokens hidden + products hidden inner, * bytes of an element; unfused, 2 products tokens "
            "inner elements besides",
        .source = "Shazeer, \"GLU Variants Improve Transformer\", 2020",
        .example = "fused_mlp tokens=64 hidden=4096 inner=11008",
        .parameters = mlp_parameters,
        .model = mlp_model},
    OperationSpec{.name = "gemm_backward",
                  .summary = "gradients of both operands of a matrix product",
                  .noun = "the backward pass of this GEMM",
                  .work = "4 m n k",
                  .traffic = "2 (m k + k n) + m n, * bytes of an element",
                  .source = "two products of 2 m n k each",
                  .example = "gemm_backward m=4096 n=4096 k=4096",
                  .parameters = gemm_backward_parameters,
                  .model = gemm_backward_model}};

}  // namespace

constinit const std::span<const OperationSpec> feed_forward_operations = feed_forward_specs;

}  // namespace roofwalk
