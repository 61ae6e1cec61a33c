// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/operations/data_type.h"

namespace roofwalk {

/// C[M x N] = A[M x K] * B[K x N] + beta * C, `batch` times with operands of their own.
struct GemmShape {
    double m = 0;
    double n = 0;
    double k = 0;
    double batch = 1;
    DataType a = DataType::fp16;
    DataType b = DataType::fp16;
    DataType c = DataType::fp16;
    bool reads_c = false;  ///< beta is not 0
};

/// 2MNK, an FMA counted as two; 8MNK of complex numbers. Scaling by alpha and beta is not counted.
[[nodiscard]] Flops gemm_work(const GemmShape& shape);
/// Compulsory traffic: A and B once, and C once where beta asks for it.
[[nodiscard]] Bytes gemm_read(const GemmShape& shape);
/// Compulsory traffic: C once.
[[nodiscard]] Bytes gemm_written(const GemmShape& shape);
/// Compulsory traffic, read and written.
[[nodiscard]] Bytes gemm_bytes(const GemmShape& shape);
[[nodiscard]] Intensity gemm_intensity(const GemmShape& shape);

/// The M (not rounded) that lifts a GEMM with this K, N and these types to the ridge R. With a, b, c the
/// bytes of an element of A, B and C (C twice where beta asks for it):
/// M* = R b K N / (2 K N - R (a K + c N)); with one type of d bytes R d K N / (2 K N - R d (K + N)). Absent
/// when no M reaches it.
[[nodiscard]] std::optional<double> gemm_batch_to_ridge(const GemmShape& shape, Intensity ridge);

/// Elements of `type` in 16 bytes, of which every dimension should be a multiple: tensor cores then load and
/// multiply whole tiles (NVIDIA, "Matrix Multiplication Background User's Guide").
[[nodiscard]] double tensor_alignment(DataType type);
/// One sentence for each dimension of the product that is not aligned, with the work of the padding.
[[nodiscard]] std::vector<std::string> unaligned_dimensions(const GemmShape& shape);

}  // namespace roofwalk
