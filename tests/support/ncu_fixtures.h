// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "tests/support/ncu_report_writer.h"

namespace roofwalk::test {

/// What a `--set full` run of ncu 2025.1 on an A100 (108 SMs, clocks locked at 1.1 GHz) could store for
/// eight launches of six kernels: metrics that agree with one another, opcode counts, NVTX stacks and the
/// report's own roofline section. The numbers are made up, the kernels are not run anywhere.
[[nodiscard]] Fixture full_report_fixture();

/// The same as a release before 2020.3 stored it: no version, and grids counted in threads.
[[nodiscard]] Fixture old_report_fixture();

/// Two launches with a handful of metrics: small enough to cut at every byte.
[[nodiscard]] Fixture small_report_fixture();

/// So many launches of that kernel, all alike but for their duration.
[[nodiscard]] Fixture repeated_fixture(const FixtureKernel& kernel, std::size_t launches);

/// The `device__attribute_*` metrics of an A100-SXM4-40GB, added to a kernel.
void add_a100_attributes(FixtureKernel& kernel, std::uint64_t device_index = 0);

}  // namespace roofwalk::test
