// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/gemm.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "core/base/text.h"

namespace roofwalk {

Flops gemm_work(const GemmShape& shape) {
    return Flops(2 * shape.m * shape.n * shape.k * shape.batch);
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
    const double denominator = 2 * shape.k * shape.n - ridge.value() * per_row;
    if (denominator <= 0) return std::nullopt;
    return ridge.value() * bytes_of(shape.b) * shape.k * shape.n / denominator;
}

double tensor_alignment(DataType type) {
    return std::floor(16 / bytes_of(type));
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

}  // namespace roofwalk
