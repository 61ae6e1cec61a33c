// SPDX-License-Identifier: GPL-3.0-or-later
// Stencil, sparse matrix times vector or matrix, Fourier transform, particles and lattice Boltzmann.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

Result<OperationModel> stencil_model(const OperationArguments& arguments) {
    const double cells = arguments.number("nx") * arguments.number("ny") * arguments.number("nz");
    const double points = arguments.number("points");
    const double products = arguments.text("coefficients") == "equal" ? 1 : points;
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops(cells * (points - 1 + products))}};
    model.read = Bytes((1 + arguments.number("coefficient_grids")) * packed_bytes(cells, type));
    model.written = Bytes(packed_bytes(cells, type));
    model.notes.emplace_back(
        "One sweep; every cell is updated, those at the border too. Neighbours come from caches.");
    return model;
}

/// A sparse matrix times n columns, `flops` for each of its elements and columns.
Result<OperationModel> sparse_product(std::string_view operation, const OperationArguments& arguments,
                                      double n, double flops) {
    const auto [rows, cols, nnz] = numbers_of(arguments, "rows", "cols", "nnz");
    if (nnz > rows * cols)
        return refused(operation, fmt::format("{} non-zeros do not fit into {} x {}", nnz, rows, cols),
                       "nnz must be at most rows * cols.");
    const DataType type = arguments.type("dtype");
    const double index = arguments.text("index") == "int64" ? 8 : 4;
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops(flops * nnz * n * complex_factor(type))}};
    model.shared = Bytes(packed_bytes(nnz, type) + index * (nnz + rows + 1));
    model.read = model.shared + Bytes(packed_bytes(std::min(cols, nnz) * n, type));
    model.written = Bytes(packed_bytes(rows * n, type));
    return model;
}

Result<OperationModel> spmv_model(const OperationArguments& arguments) {
    auto model = sparse_product("spmv", arguments, 1, arguments.text("fma") == "1" ? 1 : 2);
    if (!model) return model;
    if (arguments.number("beta") != 0) model->read += model->written;
    model->notes.push_back(fmt::format("An FMA counts as {} FLOP.", arguments.text("fma")));
    model->notes.emplace_back("x is read once: the caches hold it.");
    return model;
}

Result<OperationModel> spmm_model(const OperationArguments& arguments) {
    auto model = sparse_product("spmm", arguments, arguments.number("n"), 2);
    if (!model) return model;
    model->notes.emplace_back("An FMA counts as two FLOP. Rows of B are read once: the caches hold them.");
    return model;
}

Result<OperationModel> nbody_model(const OperationArguments& arguments) {
    const double n = arguments.number("n");
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops(n * n * arguments.number("flops"))}};
    model.read = Bytes(packed_bytes(4 * n, type));
    model.written = Bytes(packed_bytes(3 * n, type));
    model.notes.emplace_back("All pairs: a place and a mass in, an acceleration out.");
    return model;
}

Result<OperationModel> lattice_model(const OperationArguments& arguments) {
    const auto [cells, directions] = numbers_of(arguments, "cells", "directions");
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops(cells * arguments.number("flops"))}};
    model.read = Bytes(packed_bytes(cells * directions, type));
    model.written = model.read;
    model.notes.emplace_back("One step of streaming and collision in one pass over the lattice.");
    return model;
}

Result<OperationModel> fft_model(const OperationArguments& arguments) {
    const auto [n, batch, passes] = numbers_of(arguments, "n", "batch", "passes");
    const bool real = arguments.flag("real");
    const DataType type = arguments.type("dtype");
    if (complex_factor(type) > 1)
        return refused("fft", fmt::format("dtype={} is not possible", name_of(type)),
                       "dtype is the type of one part of a complex number: fp32 or fp64.");
    const double complex_numbers = real ? std::floor(n / 2) + 1 : n;
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops((real ? 2.5 : 5) * batch * n * std::log2(n))}};
    model.written = Bytes(packed_bytes(2 * batch * complex_numbers, type));
    model.read = real ? Bytes(packed_bytes(batch * n, type)) : model.written;
    if (passes > 1) {
        model.intermediates = 2 * (passes - 1) * model.written;
        model.intermediates_of =
            fmt::format("{} times the signal, written and read between passes", passes - 1);
    }
    model.notes.emplace_back(
        "The count of a radix-2 transform is the convention; other algorithms do fewer FLOP. Twiddle factors "
        "are not read.");
    return model;
}

constexpr std::array stencil_parameters{
    count_parameter("nx", "", "cells", "cells in x"),
    count_parameter("ny", "1", "cells", "cells in y"),
    count_parameter("nz", "1", "cells", "cells in z"),
    count_parameter("points", "", "points", "cells that enter one update: 5, 7, 9, 27, ..."),
    ParameterSpec{"coefficients", "", ParameterKind::choice, "distinct", "",
                  "a coefficient for each point, or one for their sum", "distinct|equal"},
    count_parameter("coefficient_grids", "0", "arrays", "arrays of coefficients that are read as well", 0),
    dtype_parameter("fp32"),
    pipe_parameter};

constexpr std::array spmv_parameters{
    count_parameter("rows", "", "rows", "rows"),
    count_parameter("cols", "=rows", "columns", "columns"),
    count_parameter("nnz", "", "elements", "stored elements"),
    ParameterSpec{"index", "", ParameterKind::choice, "int32", "", "type of indices and row pointers",
                  "int32|int64"},
    ParameterSpec{"beta", "", ParameterKind::number, "0", "", "other than 0, y is read as well", ""},
    fma_parameter,
    dtype_parameter("fp32"),
    pipe_parameter};

constexpr std::array spmm_parameters{count_parameter("rows", "", "rows", "rows"),
                                     count_parameter("cols", "=rows", "columns", "columns"),
                                     count_parameter("nnz", "", "elements", "stored elements"),
                                     count_parameter("n", "", "columns", "columns of the dense matrices"),
                                     ParameterSpec{"index", "", ParameterKind::choice, "int32", "",
                                                   "type of indices and row pointers", "int32|int64"},
                                     dtype_parameter("fp32"),
                                     pipe_parameter};
constexpr std::array nbody_parameters{
    count_parameter("n", "", "bodies", "bodies"),
    ParameterSpec{"flops", "", ParameterKind::number, "20", "FLOP", "FLOP of one pair", ""},
    dtype_parameter("fp32"), pipe_parameter};
constexpr std::array lattice_parameters{
    count_parameter("cells", "", "cells", "cells"),
    count_parameter("directions", "19", "populations", "populations of a cell: 9, 19, 27"),
    ParameterSpec{"flops", "", ParameterKind::number, "", "FLOP", "FLOP of one update of a cell", ""},
    dtype_parameter("fp32"), pipe_parameter};

constexpr std::array fft_parameters{
    count_parameter("n", "", "points", "points of one transform, over all its dimensions"),
    count_parameter("batch", "1", "transforms", "transforms"),
    flag_parameter("real", "no", "real input: half the work, half the spectrum"),
    count_parameter("passes", "1", "passes",
                    "passes over memory; more than 1 where a signal exceeds the chip"),
    dtype_parameter("fp32"),
    pipe_parameter};

constexpr std::array scientific_specs{
    OperationSpec{
        .name = "stencil",
        .summary = "one sweep of a stencil over a grid",
        .noun = "a stencil sweep of this shape",
        .work = "nx ny nz * (2 points - 1); with equal coefficients nx ny nz * points",
        .traffic = "nx ny nz read and written, and coefficient_grids more read, * bytes of an element",
        .source = "Datta et al., \"Stencil Computation Optimization\", 2008",
        .example = "stencil nx=512 ny=512 nz=512 points=7",
        .parameters = stencil_parameters,
        .model = stencil_model},
    OperationSpec{
        .name = "spmv",
        .aliases = "csr",
        .summary = "sparse matrix (CSR) times vector",
        .noun = "an SpMV of this shape",
        .work = "fma * nnz",
        .traffic =
            "nnz * (value + index) + (rows + 1) index + min(cols, nnz) value read, rows value written, and once "
            "more read when beta is not 0",
        .source = "Williams et al., \"Optimization of Sparse Matrix-Vector Multiplication\", 2007",
        .example = "spmv rows=1e6 nnz=1e7 dtype=fp64",
        .parameters = spmv_parameters,
        .model = spmv_model},
    OperationSpec{
        .name = "spmm",
        .summary = "sparse matrix (CSR) times dense matrix",
        .noun = "an SpMM of this shape",
        .work = "2 nnz n",
        .traffic =
            "nnz * (value + index) + (rows + 1) index + min(cols, nnz) n value read, rows n value written",
        .source = "Williams et al., \"Optimization of Sparse Matrix-Vector Multiplication\", 2007, n times",
        .example = "spmm rows=1e6 nnz=1e7 n=64",
        .parameters = spmm_parameters,
        .model = spmm_model},
    OperationSpec{
        .name = "fft",
        .summary = "fast Fourier transform",
        .noun = "an FFT of this size",
        .work = "5 batch n log2 n; real 2.5 batch n log2 n",
        .traffic =
            "2 n read and 2 n written for each transform, * bytes of an element; real n read and 2 (n/2 + 1) "
            "written",
        .source = "Frigo and Johnson, benchFFT convention",
        .example = "fft n=2^20 batch=64",
        .parameters = fft_parameters,
        .model = fft_model},
    OperationSpec{
        .name = "nbody",
        .summary = "forces of all pairs of bodies",
        .noun = "an N-body step of this size",
        .work = "flops * n^2",
        .traffic = "4 n read and 3 n written, * bytes of an element",
        .source = "Nyland et al., \"Fast N-Body Simulation with CUDA\", GPU Gems 3, 2007: 20 FLOP a pair",
        .example = "nbody n=65536",
        .parameters = nbody_parameters,
        .model = nbody_model},
    OperationSpec{
        .name = "lattice_boltzmann",
        .aliases = "lbm",
        .summary = "one step of a lattice Boltzmann method",
        .noun = "a lattice Boltzmann step of this size",
        .work = "flops * cells",
        .traffic = "2 cells directions * bytes of an element",
        .source = "every population once in and once out; the FLOP of a cell depend on the collision",
        .example = "lattice_boltzmann cells=1e7 directions=19 flops=250",
        .parameters = lattice_parameters,
        .model = lattice_model}};

}  // namespace

constinit const std::span<const OperationSpec> scientific_operations = scientific_specs;

}  // namespace roofwalk
