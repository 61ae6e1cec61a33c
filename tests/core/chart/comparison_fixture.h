// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/chart/scene/scene_comparison.h"
#include "tests/core/compare/run_fixture.h"

namespace roofwalk::test {

/// Runs and their comparison, oldest first.
struct Reports {
    explicit Reports(const std::vector<std::vector<LaunchFacts>>& reports,
                     const Device& device = test_gpu()) {
        std::vector<const Run*> all;
        for (const auto& launches : reports) {
            runs.push_back(std::make_unique<Run>(launches, GroupBy::kernel, std::vector<Device>{device}));
            all.push_back(runs.back().get());
        }
        comparison = compare(all);
    }

    [[nodiscard]] Scene scene(const SceneOptions& options = {}, std::uint32_t arrows = 24) const {
        Scene scene = build_scene(runs.back()->profile, runs.back()->analysis, options);
        add_comparison(scene, comparison, {.arrows = arrows, .older = {"old.json"}});
        return scene;
    }

    std::vector<std::unique_ptr<Run>> runs;
    Comparison comparison;
};

}  // namespace roofwalk::test
