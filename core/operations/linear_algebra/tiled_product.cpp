// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

/// What feeds tiles of `rows` x `columns` of C: each element of A and B goes on as often as there are tiles
/// that need it.
Bytes fed(const OperationArguments& arguments, std::string_view rows, std::string_view columns) {
    const double products = arguments.number("m") * arguments.number("n") * arguments.number("k");
    const double reads = 1 / arguments.number(rows) + 1 / arguments.number(columns);
    return Bytes(packed_bytes(products * reads, arguments.type("dtype")));
}

Result<OperationModel> gemm_tiles_model(const OperationArguments& arguments) {
    const DataType type = arguments.type("dtype");
    const GemmShape shape{.m = arguments.number("m"),
                          .n = arguments.number("n"),
                          .k = arguments.number("k"),
                          .a = type,
                          .b = type,
                          .c = type};
    for (const auto& [inner, outer] :
         {std::pair("tile_m", "m"), std::pair("tile_n", "n"), std::pair("thread_m", "tile_m"),
          std::pair("thread_n", "tile_n"), std::pair("unit_m", "thread_m"), std::pair("unit_n", "thread_n")})
        if (arguments.number(inner) > arguments.number(outer))
            return refused("gemm_tiles", std::string(inner) + " is larger than " + outer,
                           "A tile is a part of the one before it: m, tile_m, thread_m, unit_m.");
    OperationModel model;
    model.work = {matrix_work(arguments, type, gemm_work(shape))};
    model.read = gemm_read(shape);
    model.written = gemm_written(shape);
    model.shared = Bytes(packed_bytes(shape.k * shape.n, type));
    model.tiles = TileTraffic{fed(arguments, "tile_m", "tile_n"), fed(arguments, "thread_m", "thread_n"),
                              fed(arguments, "unit_m", "unit_n")};
    model.notes.emplace_back(
        "Of L2, SMEM and registers the operands count that are read there: W / Q = 2 a b / ((a + b) bytes of an "
        "element) for tiles of a x b. C is left out, which is written once for all of k.");
    return model;
}

constexpr ParameterSpec tile_parameter(std::string_view name, std::string_view usual,
                                       std::string_view meaning) {
    return count_parameter(name, usual, "elements", meaning);
}

constexpr std::array<std::string_view, 1> aliases{"tiles"};
constexpr std::array parameters{
    count_parameter("m", "", "rows", "rows of A and C"),
    count_parameter("n", "", "columns", "columns of B and C"),
    count_parameter("k", "", "elements", "columns of A, rows of B"),
    tile_parameter("tile_m", "=m", "rows of C that a block computes"),
    tile_parameter("tile_n", "=n", "columns of C that a block computes"),
    tile_parameter("thread_m", "1",
                   "rows of it that a thread keeps in registers, or a warp of a tensor core product"),
    tile_parameter("thread_n", "1", "columns of it"),
    tile_parameter("unit_m", "1", "rows that an instruction computes: 16 of mma.m16n8k16"),
    tile_parameter("unit_n", "1", "columns: 8 of mma.m16n8k16"),
    dtype_parameter("fp32"),
    pipe_parameter};

}  // namespace

constinit const OperationSpec gemm_tiles_operation{
    .name = "gemm_tiles",
    .aliases = aliases,
    .summary = "matrix product in tiles: its intensity at HBM, L2, SMEM and registers",
    .noun = "a GEMM of this shape",
    .work = "2 m n k",
    .traffic = "m k + k n + m n; a level that feeds tiles of a x b reads m n k (1/a + 1/b)",
    .source = "Lam, Rothberg and Wolf 1991: a tile of b x b uses each element b times",
    .example = "gemm_tiles m=4096 n=4096 k=4096 tile_m=128 tile_n=128 thread_m=8 thread_n=8",
    .parameters = parameters,
    .model = gemm_tiles_model};

}  // namespace roofwalk
