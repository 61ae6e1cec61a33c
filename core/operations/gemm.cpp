// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/gemm.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

constexpr std::string_view fma_note = "An FMA counts as two FLOP; scaling by alpha and beta is not counted.";
constexpr std::string_view scales_note = "Scales and zero points of quantised operands are not counted.";

bool is_narrow(DataType type) {
    return bytes_of(type) <= 1 && !is_block_scaled(type);
}

OperationModel product_model(const GemmShape& shape, const PipeWork& work) {
    OperationModel model;
    model.work = {work};
    model.read = gemm_read(shape);
    model.written = gemm_written(shape);
    model.shared = Bytes(shape.batch * packed_bytes(shape.k * shape.n, shape.b));
    model.notes.emplace_back(fma_note);
    if (is_narrow(shape.a) || is_narrow(shape.b)) model.notes.emplace_back(scales_note);
    if (is_block_scaled(shape.a) || is_block_scaled(shape.b) || is_block_scaled(shape.c))
        model.notes.emplace_back("The scales of blocks are counted, a byte each.");
    if (complex_factor(product_type(shape.a, shape.b)) > 1)
        model.notes.emplace_back("A complex multiply-add is four real ones: 8 FLOP.");
    if (shape.a != shape.b)
        model.notes.push_back("The product is computed in " +
                              std::string(name_of(product_type(shape.a, shape.b))) +
                              "; converting the other operand is not counted.");
    if (is_tensor(work.pipe)) model.warnings = unaligned_dimensions(shape);
    model.batchable = shape;
    return model;
}

Result<OperationModel> gemm_model(const OperationArguments& arguments) {
    const GemmShape shape{.m = arguments.number("m"),
                          .n = arguments.number("n"),
                          .k = arguments.number("k"),
                          .batch = arguments.number("batch"),
                          .a = arguments.type("a"),
                          .b = arguments.type("b"),
                          .c = arguments.type("c"),
                          .reads_c = arguments.number("beta") != 0};
    return product_model(shape, matrix_work(arguments, product_type(shape.a, shape.b), gemm_work(shape)));
}

Result<OperationModel> gemv_model(const OperationArguments& arguments) {
    const GemmShape shape{.m = 1,
                          .n = arguments.number("m"),
                          .k = arguments.number("n"),
                          .batch = arguments.number("batch"),
                          .a = arguments.type("x"),
                          .b = arguments.type("a"),
                          .c = arguments.type("y"),
                          .reads_c = arguments.number("beta") != 0};
    const Pipe pipe = arguments.pipe_or(vector_pipe(product_type(shape.a, shape.b)));
    OperationModel model = product_model(shape, {pipe, gemm_work(shape)});
    model.warnings.clear();
    return model;
}

constexpr std::array gemm_parameters{
    count_parameter("m", "", "rows", "rows of A and C (the batch of a linear layer)"),
    count_parameter("n", "", "columns", "columns of B and C"),
    count_parameter("k", "", "elements", "columns of A, rows of B"),
    count_parameter("batch", "1", "products", "independent products"),
    dtype_parameter("fp16"),
    type_parameter("a", "type of A"),
    type_parameter("b", "type of B (the weights)"),
    type_parameter("c", "type of C"),
    beta_parameter("other than 0, C is read as well"),
    pipe_parameter};

constexpr std::array gemv_parameters{
    count_parameter("m", "", "rows", "rows of A, elements of y"),
    count_parameter("n", "", "columns", "columns of A, elements of x"),
    count_parameter("batch", "1", "products", "independent products, each with a matrix of its own"),
    dtype_parameter("fp16"),
    type_parameter("a", "type of A"),
    type_parameter("x", "type of x"),
    type_parameter("y", "type of y"),
    beta_parameter("other than 0, y is read as well"),
    pipe_parameter};

/// What passes the level that feeds tiles of `rows` x `columns` of C: each element of A and B goes on as
/// often as there are tiles that need it, and C comes back once.
Bytes passed(const OperationArguments& arguments, std::string_view rows, std::string_view columns,
             Bytes written) {
    const double products = arguments.number("m") * arguments.number("n") * arguments.number("k");
    const double reads = 1 / arguments.number(rows) + 1 / arguments.number(columns);
    return Bytes(packed_bytes(products * reads, arguments.type("dtype"))) + written;
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
    model.tiles = TileTraffic{passed(arguments, "tile_m", "tile_n", model.written),
                              passed(arguments, "thread_m", "thread_n", model.written),
                              passed(arguments, "unit_m", "unit_n", model.written)};
    model.notes.emplace_back(
        "The operands of each tile cross L2, SMEM and registers, and so does C, which is written once for all of k. "
        "Tiles of a x b have 2 a b / ((a + b + a b / k) bytes of an element) FLOP/byte there.");
    return model;
}

constexpr ParameterSpec tile_parameter(std::string_view name, std::string_view usual,
                                       std::string_view meaning) {
    return count_parameter(name, usual, "elements", meaning);
}

constexpr std::array gemm_tiles_parameters{
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

constexpr std::array gemm_specs{
    OperationSpec{
        .name = "gemm",
        .aliases = "matmul|mm|bmm|linear",
        .summary = "matrix product C = A B + beta C",
        .noun = "a GEMM of this shape",
        .work = "batch * 2 m n k; complex 8 m n k",
        .traffic =
            "batch * (m k a + k n b + m n c), and m n c once more when beta is not 0. a, b, c: bytes of an "
            "element",
        .source = "BLAS operation count; Williams et al. 2009 for compulsory traffic",
        .example = "gemm m=4096 n=4096 k=4096 dtype=fp16",
        .parameters = gemm_parameters,
        .model = gemm_model},
    OperationSpec{
        .name = "gemv",
        .aliases = "matvec",
        .summary = "matrix times vector, y = A x + beta y",
        .noun = "a GEMV of this shape",
        .work = "batch * 2 m n",
        .traffic =
            "batch * (m n a + n x + m y), and m y once more when beta is not 0; a, x, y bytes of an element",
        .source = "BLAS operation count; Williams et al. 2009 for compulsory traffic",
        .example = "gemv m=4096 n=4096 dtype=fp16",
        .parameters = gemv_parameters,
        .model = gemv_model},
    OperationSpec{.name = "gemm_tiles",
                  .aliases = "tiles",
                  .summary = "matrix product in tiles: its intensity at memory, L2, SMEM and registers",
                  .noun = "a GEMM of this shape",
                  .work = "2 m n k",
                  .traffic = "m k + k n + m n; a level that feeds tiles of a x b reads m n k (1/a + 1/b)",
                  .source = "Lam, Rothberg and Wolf 1991: a tile of b x b uses each element b times",
                  .example = "gemm_tiles m=4096 n=4096 k=4096 tile_m=128 tile_n=128 thread_m=8 thread_n=8",
                  .parameters = gemm_tiles_parameters,
                  .model = gemm_tiles_model}};

}  // namespace

Flops gemm_work(const GemmShape& shape) {
    return Flops(2 * shape.m * shape.n * shape.k * shape.batch *
                 complex_factor(product_type(shape.a, shape.b)));
}

Bytes gemm_read(const GemmShape& shape) {
    double bytes = packed_bytes(shape.batch * shape.m * shape.k, shape.a) +
                   packed_bytes(shape.batch * shape.k * shape.n, shape.b);
    if (shape.reads_c) bytes += gemm_written(shape).value();
    return Bytes(bytes);
}

Bytes gemm_written(const GemmShape& shape) {
    return Bytes(packed_bytes(shape.batch * shape.m * shape.n, shape.c));
}

Bytes gemm_bytes(const GemmShape& shape) {
    return gemm_read(shape) + gemm_written(shape);
}

Intensity gemm_intensity(const GemmShape& shape) {
    return gemm_work(shape) / gemm_bytes(shape);
}

std::optional<double> gemm_batch_to_ridge(const GemmShape& shape, Intensity ridge) {
    const double per_row_of_c = (shape.reads_c ? 2 : 1) * bytes_of(shape.c) * shape.n;
    const double per_row = bytes_of(shape.a) * shape.k + per_row_of_c;
    const double work_of_row = 2 * shape.k * shape.n * complex_factor(product_type(shape.a, shape.b));
    const double denominator = work_of_row - ridge.value() * per_row;
    if (denominator <= 0) return std::nullopt;
    return ridge.value() * bytes_of(shape.b) * shape.k * shape.n / denominator;
}

double tensor_alignment(DataType type) {
    return std::floor(16.0 * 8 / bits_of(type));
}

std::vector<std::string> unaligned_dimensions(const GemmShape& shape) {
    const DataType type = product_type(shape.a, shape.b);
    const double step = tensor_alignment(type);
    std::vector<std::string> warnings;
    for (const auto& [name, size] :
         std::array{std::pair("m", shape.m), std::pair("n", shape.n), std::pair("k", shape.k)}) {
        const double padded = std::ceil(size / step) * step;
        if (padded == size) continue;
        warnings.push_back(
            fmt::format("{}={} is no multiple of {} (16 bytes of {}): tensor cores work on padded tiles, at "
                        "least {} of the "
                        "work counted here.",
                        name, size, step, name_of(type), format_factor(padded / size)));
    }
    return warnings;
}

constinit const std::span<const OperationSpec> products = std::span(gemm_specs).first(2);
constinit const std::span<const OperationSpec> tiled_products = std::span(gemm_specs).subspan(2);

}  // namespace roofwalk
