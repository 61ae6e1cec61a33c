// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/units.h"

namespace roofwalk {

/// C[M x N] = A[M x K] * B[K x N], every operand `element_bytes` wide.
struct GemmShape {
    double m = 0;
    double n = 0;
    double k = 0;
    double element_bytes = 2;
};

/// 2MNK, an FMA counted as two.
[[nodiscard]] Flops gemm_work(const GemmShape& shape);
/// Compulsory traffic (MK + KN + MN) * element size: each operand crosses once.
[[nodiscard]] Bytes gemm_bytes(const GemmShape& shape);
[[nodiscard]] Intensity gemm_intensity(const GemmShape& shape);

/// The smallest M (not rounded) that lifts a GEMM of the given K and N to the ridge:
/// M* = R d K N / (2 K N - R d (K + N)), R the ridge point, d the element size. Absent when no M can reach
/// it.
[[nodiscard]] std::optional<double> gemm_batch_to_ridge(double k, double n, double element_bytes,
                                                        Intensity ridge);

}  // namespace roofwalk
