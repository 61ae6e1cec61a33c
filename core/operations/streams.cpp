// SPDX-License-Identifier: GPL-3.0-or-later
// Operations that pass over vectors once: element-wise ones, AXPY, the copy and triad of STREAM, reduction,
// scan, sort, histogram, transpose.
#include <fmt/format.h>

#include <array>

#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

/// Where a cache fetches a line before it is overwritten, the output is read too. GPUs write whole sectors
/// without; the option is for comparison with CPUs.
void allocate_on_write(const OperationArguments& arguments, OperationModel& model) {
    if (!arguments.flag("write_allocate")) return;
    model.read += model.written;
    model.notes.emplace_back("Write-allocate: each line of the output is fetched before it is overwritten.");
}

OperationModel stream(double flops, double reads, double writes, const OperationArguments& arguments) {
    const double n = arguments.number("n");
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops(flops * n * complex_factor(type))}};
    model.read = Bytes(reads * packed_bytes(n, type));
    model.written = Bytes(writes * packed_bytes(n, type));
    return model;
}

OperationModel with_fma_note(OperationModel model, const OperationArguments& arguments) {
    model.notes.push_back(fmt::format("An FMA counts as {} FLOP.", arguments.text("fma")));
    return model;
}

/// FLOP of one multiply-add under the chosen convention.
double fma_flops(const OperationArguments& arguments) {
    return arguments.text("fma") == "1" ? 1 : 2;
}

Result<OperationModel> elementwise_model(const OperationArguments& arguments) {
    const auto [n, ops] = numbers_of(arguments, "n", "ops");
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

Result<OperationModel> axpy_model(const OperationArguments& arguments) {
    OperationModel model =
        with_fma_note(stream(fma_flops(arguments), 2, arguments.flag("store") ? 1 : 0, arguments), arguments);
    if (!arguments.flag("store")) model.notes.emplace_back("The result is not stored.");
    allocate_on_write(arguments, model);
    return model;
}

Result<OperationModel> copy_model(const OperationArguments& arguments) {
    OperationModel model = stream(0, 1, 1, arguments);
    allocate_on_write(arguments, model);
    return model;
}

Result<OperationModel> triad_model(const OperationArguments& arguments) {
    OperationModel model = with_fma_note(stream(fma_flops(arguments), 2, 1, arguments), arguments);
    allocate_on_write(arguments, model);
    return model;
}

Result<OperationModel> reduction_model(const OperationArguments& arguments) {
    const auto [n, outputs] = numbers_of(arguments, "n", "outputs");
    if (outputs > n)
        return refused("reduction", fmt::format("{} elements cannot reduce to {}", n, outputs),
                       "outputs must be at most n.");
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops((n - outputs) * arguments.number("flops"))}};
    model.read = Bytes(packed_bytes(n, type));
    model.written =
        Bytes(packed_bytes(outputs, arguments.type("out_dtype")) + outputs * arguments.number("indices"));
    return model;
}

Result<OperationModel> scan_model(const OperationArguments& arguments) {
    const auto [rows, n] = numbers_of(arguments, "rows", "n");
    if (rows > n)
        return refused("scan", fmt::format("{} elements are not {} rows", n, rows), "rows is at most n.");
    OperationModel model = stream(0, 1, 1, arguments);
    model.work.front().work = Flops((n - rows) * arguments.number("flops"));
    model.notes.emplace_back("One pass; a scan in two passes reads its input twice.");
    return model;
}

Result<OperationModel> sort_model(const OperationArguments& arguments) {
    const double payload = arguments.number("n") * arguments.number("payload");
    const double passes = arguments.number("passes");
    OperationModel model = stream(0, 1, 1, arguments);
    model.read += Bytes(payload);
    model.written = model.read + Bytes(arguments.number("n") * arguments.number("indices"));
    if (passes > 1) {
        model.intermediates = 2 * (passes - 1) * model.written;
        model.intermediates_of = fmt::format("{} times the keys and payloads between passes", passes - 1);
    }
    model.notes.emplace_back("Comparisons and digits are no FLOP.");
    return model;
}

Result<OperationModel> histogram_model(const OperationArguments& arguments) {
    OperationModel model = stream(1, 1, 0, arguments);
    model.work.front().pipe = arguments.pipe_or(vector_pipe(DataType::int32));
    model.written = Bytes(packed_bytes(arguments.number("bins"), DataType::int32));
    model.notes.emplace_back("An increment for each element; bins are 32-bit counts, written once.");
    return model;
}

Result<OperationModel> transpose_model(const OperationArguments& arguments) {
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = {{arguments.pipe_or(vector_pipe(type)), Flops(0)}};
    model.read = Bytes(packed_bytes(arguments.number("rows") * arguments.number("cols"), type));
    model.written = model.read;
    return model;
}

constexpr ParameterSpec n_parameter = count_parameter("n", "", "elements", "elements of a vector");
constexpr ParameterSpec write_allocate_parameter =
    flag_parameter("write_allocate", "no", "fetch the lines of the output before they are overwritten");

constexpr std::array axpy_parameters{n_parameter,
                                     flag_parameter("store", "yes", "store the result"),
                                     write_allocate_parameter,
                                     fma_parameter,
                                     dtype_parameter("fp32"),
                                     pipe_parameter};
constexpr std::array copy_parameters{n_parameter, write_allocate_parameter, dtype_parameter("fp32"),
                                     pipe_parameter};
constexpr std::array triad_parameters{n_parameter, write_allocate_parameter, fma_parameter,
                                      dtype_parameter("fp32"), pipe_parameter};
constexpr std::array reduction_parameters{
    count_parameter("n", "", "elements", "elements that are read, in all"),
    count_parameter("outputs", "1", "elements", "results"),
    count_parameter("indices", "0", "bytes", "bytes of a result that tell where it was", 0),
    ParameterSpec{"flops", "", ParameterKind::number, "1", "FLOP", "FLOP to take in one element", ""},
    dtype_parameter("fp32"),
    type_parameter("out_dtype", "type of a result"),
    pipe_parameter};
constexpr std::array scan_parameters{
    count_parameter("n", "", "elements", "elements, in all"),
    count_parameter("rows", "1", "rows", "rows, each scanned by itself"),
    ParameterSpec{"flops", "", ParameterKind::number, "1", "FLOP", "FLOP to take in one element", ""},
    dtype_parameter("fp32"), pipe_parameter};
constexpr std::array sort_parameters{
    count_parameter("n", "", "keys", "keys"),
    count_parameter("payload", "0", "bytes", "bytes that move with a key", 0),
    count_parameter("indices", "0", "bytes", "bytes that tell where a key was, only written", 0),
    count_parameter("passes", "1", "passes",
                    "passes over memory: of a radix sort the bits of a key over those of a digit"),
    dtype_parameter("fp32"),
    pipe_parameter};
constexpr std::array histogram_parameters{n_parameter, count_parameter("bins", "256", "bins", "bins"),
                                          dtype_parameter("int32"), pipe_parameter};
constexpr std::array transpose_parameters{count_parameter("rows", "", "rows", "rows"),
                                          count_parameter("cols", "", "columns", "columns"),
                                          dtype_parameter("fp32"), pipe_parameter};

constexpr std::string_view stream_source = "McCalpin, STREAM, 1995";

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

constexpr std::array streams_specs{
    OperationSpec{
        .name = "elementwise",
        .aliases = "pointwise|map",
        .summary = "chain of element-wise operations, fused or not",
        .noun = "an element-wise chain of this size",
        .work = "n * ops * flops",
        .traffic =
            "((inputs + outputs) n + broadcast) * bytes of an element; unfused, 2 (ops - 1) n elements besides",
        .source = "every input once, every output once",
        .example = "elementwise n=1e8 ops=3 inputs=2",
        .parameters = elementwise_parameters,
        .model = elementwise_model},
    OperationSpec{
        .name = "axpy",
        .aliases = "saxpy",
        .summary = "y = a x + y",
        .noun = "an AXPY of this size",
        .work = "fma * n",
        .traffic = "2 n read and n written, * bytes of an element; with write_allocate n read besides",
        .source = "BLAS level 1",
        .example = "axpy n=1e8",
        .parameters = axpy_parameters,
        .model = axpy_model},
    OperationSpec{.name = "copy",
                  .aliases = "memcpy",
                  .summary = "c = a",
                  .noun = "a copy of this size",
                  .work = "0",
                  .traffic = "n read and n written, * bytes of an element",
                  .source = stream_source,
                  .example = "copy n=1e8",
                  .parameters = copy_parameters,
                  .model = copy_model},
    OperationSpec{.name = "triad",
                  .aliases = "stream_triad",
                  .summary = "a = b + q c",
                  .noun = "a triad of this size",
                  .work = "fma * n",
                  .traffic = "2 n read and n written, * bytes of an element",
                  .source = stream_source,
                  .example = "triad n=1e8 dtype=fp64",
                  .parameters = triad_parameters,
                  .model = triad_model},
    OperationSpec{.name = "reduction",
                  .aliases = "reduce|sum",
                  .summary = "sum, maximum or the like of many elements",
                  .noun = "a reduction of this size",
                  .work = "(n - outputs) * flops",
                  .traffic = "n and outputs * bytes of an element, outputs * indices",
                  .source = "a tree or a chain of n - 1 operations",
                  .example = "reduction n=1e8",
                  .parameters = reduction_parameters,
                  .model = reduction_model},
    OperationSpec{.name = "scan",
                  .aliases = "cumsum",
                  .summary = "running sums or the like",
                  .noun = "a scan of this size",
                  .work = "(n - rows) * flops",
                  .traffic = "n read and n written, * bytes of an element",
                  .source = "Merrill and Garland, \"Single-pass Parallel Prefix Scan\", 2016",
                  .example = "scan n=1e8",
                  .parameters = scan_parameters,
                  .model = scan_model},
    OperationSpec{
        .name = "sort",
        .summary = "sort of keys, with payloads",
        .noun = "a sort of this size",
        .work = "0",
        .traffic =
            "n (key + payload) read and written, n indices written; 2 (passes - 1) times as much besides",
        .source = "every key once in and once out; Satish et al., 2009, for the passes of a radix sort",
        .example = "sort n=1e8 dtype=int32 passes=4",
        .parameters = sort_parameters,
        .model = sort_model},
    OperationSpec{.name = "histogram",
                  .summary = "counts of elements by bin",
                  .noun = "a histogram of this size",
                  .work = "n",
                  .traffic = "n * bytes of an element read, 4 bins written",
                  .source = "an increment for each element",
                  .example = "histogram n=1e8 bins=256",
                  .parameters = histogram_parameters,
                  .model = histogram_model},
    OperationSpec{.name = "transpose",
                  .summary = "transposed copy of a matrix",
                  .noun = "a transpose of this shape",
                  .work = "0",
                  .traffic = "rows cols read and rows cols written, * bytes of an element",
                  .source = "every element once in and once out",
                  .example = "transpose rows=4096 cols=4096",
                  .parameters = transpose_parameters,
                  .model = transpose_model}};

}  // namespace

constinit const std::span<const OperationSpec> stream_operations = streams_specs;

}  // namespace roofwalk
