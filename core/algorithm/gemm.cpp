// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algorithm/gemm.h"

namespace roofwalk {

Flops gemm_work(const GemmShape& shape) {
    return Flops(2 * shape.m * shape.n * shape.k);
}

Bytes gemm_bytes(const GemmShape& shape) {
    return Bytes((shape.m * shape.k + shape.k * shape.n + shape.m * shape.n) * shape.element_bytes);
}

Intensity gemm_intensity(const GemmShape& shape) {
    return gemm_work(shape) / gemm_bytes(shape);
}

std::optional<double> gemm_batch_to_ridge(double k, double n, double element_bytes, Intensity ridge) {
    const double ridge_bytes = ridge.value() * element_bytes;
    const double denominator = 2 * k * n - ridge_bytes * (k + n);
    if (denominator <= 0) return std::nullopt;
    return ridge_bytes * k * n / denominator;
}

}  // namespace roofwalk
