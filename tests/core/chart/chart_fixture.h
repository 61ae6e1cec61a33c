// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/chart/layout/layout.h"
#include "core/devices/measured_ceilings.h"

namespace roofwalk::test {

/// A kernel with one launch, as a test states it.
struct KernelFacts {
    std::string name;
    double time = 1e-3;
    std::vector<std::pair<Pipe, double>> work;         ///< empty: not measured
    std::vector<std::pair<Boundary, double>> traffic;  ///< empty: not measured
    std::string algorithm = {};                        ///< the operation that the profile states
};

/// A profile and what the analysis says of it: a device with HBM 2 TB/s, L2 5 TB/s, SMEM 20 TB/s, FP32 20
/// TFLOP/s, FP64 10 TFLOP/s, FP16 Tensor 300 TFLOP/s.
struct ChartFixture {
    explicit ChartFixture(const std::vector<KernelFacts>& kernels, AnalysisOptions options = {});

    [[nodiscard]] Scene scene(const SceneOptions& scene_options = {}) const {
        return build_scene(profile, analysis, scene_options);
    }

    Profile profile;
    Analysis analysis;
};

inline constexpr Pipe fp32{PipeKind::fp32};
inline constexpr Pipe fp64{PipeKind::fp64};
inline constexpr Pipe tensor{PipeKind::tensor_fp16};

/// Where the layout tests put the axes.
inline constexpr RectF plot_area{60, 20, 800, 500};

/// All of a scene.
[[nodiscard]] inline View whole(const Scene& scene, const RectF& plot = plot_area) {
    return view_in(plot, scene);
}

/// 1 ms, 1 TFLOP/s, at HBM 1 FLOP/byte, held to an operation with the same work and a fourth of the bytes. L2
/// binds from 2.5 FLOP/byte on.
[[nodiscard]] KernelFacts far_from_algorithm();
/// 1 ms, 1 TFLOP/s, at HBM 1, at L2 0.5, at SMEM 0.25 FLOP/byte: half of the HBM roof.
[[nodiscard]] KernelFacts three_levels();
/// `count` kernels spread over the chart, each with HBM and L2 traffic, the first with most time.
[[nodiscard]] std::vector<KernelFacts> spread_kernels(std::size_t count);

/// Gives the last kernel a second launch of the same bytes and a quarter of the work in half of the time.
void add_unlike_launch(ChartFixture& fixture);

/// Gives the fixture's device attributes, and instead of what a person typed rates that were measured of HBM,
/// SMEM and FP32: `share` of what theory says, 2 TB/s, and at the clock held, half of boost, 6.4 TB/s and 6.4
/// TFLOP/s.
void measure_device(ChartFixture& fixture, double share);

/// By its id; null where it is not drawn.
[[nodiscard]] const Roof* roof(const Scene& scene, std::string_view id);

/// What rows of a legend, of a scene or placed, say that stand whatever is seen of whiskers and outlines.
template <class Rows>
[[nodiscard]] std::vector<std::string> lasting_rows(const Rows& rows) {
    const auto row_of = [](const auto& one) -> const LegendRow& {
        if constexpr (requires { one.row; })
            return one.row;
        else
            return one;
    };
    std::vector<std::string> texts;
    for (const auto& one : rows)
        if (const LegendRow& row = row_of(one); !row.whiskers && !row.outlines) texts.push_back(row.text);
    return texts;
}

/// A sweep of the fixture's device: 1.9 TB/s up to 19 TFLOP/s with a knee that is 15.9 % below its corner.
[[nodiscard]] MeasuredCeilings swept_device();

}  // namespace roofwalk::test
