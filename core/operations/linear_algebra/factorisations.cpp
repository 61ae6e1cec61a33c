// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

/// A product of the type that is chosen; complex numbers do four times the work.
OperationModel counted(const OperationArguments& arguments, double flops, double read, double written) {
    const DataType type = arguments.type("dtype");
    const double batch = arguments.number("batch");
    OperationModel model;
    model.work = {matrix_work(arguments, type, Flops(batch * flops * complex_factor(type)))};
    model.read = Bytes(packed_bytes(batch * read, type));
    model.written = Bytes(packed_bytes(batch * written, type));
    return model;
}

double triangle(double n) {
    return n * (n + 1) / 2;
}

Result<OperationModel> syrk_model(const OperationArguments& arguments) {
    const auto [n, k] = numbers_of(arguments, "n", "k");
    const double again = arguments.number("beta") != 0 ? triangle(n) : 0;
    OperationModel model = counted(arguments, 2 * triangle(n) * k, n * k + again, triangle(n));
    model.notes.emplace_back("One triangle of C with its diagonal is computed and written.");
    return model;
}

Result<OperationModel> trsm_model(const OperationArguments& arguments) {
    const auto [m, n] = numbers_of(arguments, "m", "n");
    const double read = arguments.number("b_batch") / arguments.number("batch") * m * n;
    return counted(arguments, m * m * n, triangle(m) + read, m * n);
}

Result<OperationModel> cholesky_model(const OperationArguments& arguments) {
    const double n = arguments.number("n");
    OperationModel model = counted(arguments, n * n * n / 3 + n * n / 2 + n / 6, triangle(n), triangle(n));
    model.notes.emplace_back("A square root or a division counts as one FLOP; one triangle is stored.");
    return model;
}

Result<OperationModel> lu_model(const OperationArguments& arguments) {
    const double n = arguments.number("n");
    OperationModel model = counted(arguments, (4 * n * n * n - 3 * n * n - n) / 6, n * n, n * n);
    model.notes.emplace_back("A division counts as one FLOP; the search for pivots is not counted.");
    return model;
}

constexpr auto batch = count_parameter("batch", "1", "matrices", "independent matrices");
constexpr auto dtype = dtype_parameter("fp64");
constexpr std::array syrk_parameters{
    count_parameter("n", "", "rows", "rows of A, rows and columns of C"),
    count_parameter("k", "", "columns", "columns of A"),
    ParameterSpec{"beta", "", ParameterKind::number, "0", "", "other than 0, C is read as well", ""},
    batch,
    dtype,
    pipe_parameter};
constexpr std::array trsm_parameters{
    count_parameter("m", "", "rows", "rows of the triangle and of B"),
    count_parameter("n", "", "columns", "columns of B"),
    batch,
    count_parameter("b_batch", "=batch", "matrices", "matrices B that are read: fewer where they are shared"),
    dtype,
    pipe_parameter};
constexpr std::array square_parameters{count_parameter("n", "", "rows", "rows and columns"), batch, dtype,
                                       pipe_parameter};
constexpr std::string_view count_source = "Blackford and Dongarra, LAPACK Working Note 41, 1999";

constexpr std::array factorisations_specs{
    OperationSpec{.name = "syrk",
                  .summary = "symmetric product C = A A^T + beta C, one triangle",
                  .noun = "a SYRK of this shape",
                  .work = "batch * n (n + 1) k",
                  .traffic = "batch * (n k + n (n + 1) / 2), and the triangle once more when beta is not 0",
                  .source = count_source,
                  .example = "syrk n=4096 k=4096",
                  .parameters = syrk_parameters,
                  .model = syrk_model},
    OperationSpec{.name = "trsm",
                  .summary = "triangular system with many right-hand sides",
                  .noun = "a TRSM of this shape",
                  .work = "batch * m^2 n",
                  .traffic = "batch * (m (m + 1) / 2 + m n) + b_batch * m n",
                  .source = count_source,
                  .example = "trsm m=4096 n=4096",
                  .parameters = trsm_parameters,
                  .model = trsm_model},
    OperationSpec{.name = "cholesky",
                  .aliases = "potrf",
                  .summary = "Cholesky factorisation",
                  .noun = "a Cholesky factorisation of this size",
                  .work = "batch * (n^3 / 3 + n^2 / 2 + n / 6)",
                  .traffic = "batch * n (n + 1)",
                  .source = count_source,
                  .example = "cholesky n=4096",
                  .parameters = square_parameters,
                  .model = cholesky_model},
    OperationSpec{.name = "lu",
                  .aliases = "getrf",
                  .summary = "LU factorisation of a square matrix",
                  .noun = "an LU factorisation of this size",
                  .work = "batch * (2 n^3 / 3 - n^2 / 2 - n / 6)",
                  .traffic = "batch * 2 n^2",
                  .source = "n - 1 steps of divisions and updates",
                  .example = "lu n=4096",
                  .parameters = square_parameters,
                  .model = lu_model}};

}  // namespace

constinit const std::span<const OperationSpec> factorisations = factorisations_specs;

}  // namespace roofwalk
