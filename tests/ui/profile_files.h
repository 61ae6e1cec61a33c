// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QTemporaryDir;

namespace roofwalk::test {

/// Writes three kernels of an A100 and returns the path: "stream_add" takes 6 ms and is bound by HBM,
/// "sgemm_tiled<128, 8>" 3 ms with all levels measured, "copy_indices" 1 ms and does no floating-point work.
/// "stream_add" is launched twice.
[[nodiscard]] QString write_three_kernels(const QTemporaryDir& folder, const QString& name);
/// Two launches of one kernel whose work, grid and tile tell GEMMs of 4096 and of 2048, each way.
[[nodiscard]] QString write_gemm_by_its_numbers(const QTemporaryDir& folder, const QString& name);
/// `count` different kernels, the first the longest.
[[nodiscard]] QString write_many_kernels(const QTemporaryDir& folder, const QString& name, int count);
/// One kernel without FLOPs.
[[nodiscard]] QString write_kernel_without_flops(const QTemporaryDir& folder, const QString& name);
/// One kernel, "by_hand", whose work and HBM bytes come from a model.
[[nodiscard]] QString write_modelled_kernel(const QTemporaryDir& folder, const QString& name);
/// One kernel, "half_counted", of which the tensor work was not counted.
[[nodiscard]] QString write_kernel_with_uncounted_work(const QTemporaryDir& folder, const QString& name);
/// One kernel, "roofless", of a device of which no ceiling is known.
[[nodiscard]] QString write_kernel_without_roof(const QTemporaryDir& folder, const QString& name);
/// One kernel, "issuing", far from every roof, whose SM was 70 % busy.
[[nodiscard]] QString write_kernel_with_busy_sm(const QTemporaryDir& folder, const QString& name);
/// One kernel, "through_l1", that L1 binds.
[[nodiscard]] QString write_kernel_bound_by_l1(const QTemporaryDir& folder, const QString& name);
/// One kernel, "elsewhere", on another device.
[[nodiscard]] QString write_on_device(const QTemporaryDir& folder, const QString& name,
                                      const QString& device);
/// A file that ends within its second kernel: one kernel, "whole", can be read.
[[nodiscard]] QString write_partial_file(const QTemporaryDir& folder, const QString& name);
/// Three runs of four launches of one program, as reports: time, bytes and FLOP
/// (tests/support/separate_runs.h).
[[nodiscard]] QStringList write_separate_runs(const QTemporaryDir& folder);
/// Bytes that are no profile.
[[nodiscard]] QString write_broken_file(const QTemporaryDir& folder, const QString& name);

}  // namespace roofwalk::test
