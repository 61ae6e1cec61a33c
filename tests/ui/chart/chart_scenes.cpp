// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/chart/chart_scenes.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace roofwalk::test {

namespace {

Roof bandwidth_roof(const char* id, const char* name, const char* value, Boundary boundary, double rate) {
    Roof roof;
    roof.id = id;
    roof.name = name;
    roof.value = value;
    roof.target = boundary;
    roof.rate = rate;
    roof.ends_at = 20e12 / rate;
    return roof;
}

Dot dot_at(double x, double y, float radius, std::uint32_t point, MemoryLevel level) {
    Dot dot;
    dot.x = x;
    dot.y = y;
    dot.radius = radius;
    dot.point = point;
    dot.level = level;
    dot.colour = static_cast<std::uint8_t>(point % 3);
    return dot;
}

}  // namespace

Scene empty_scene() {
    Scene scene;
    scene.options.colour_by = ColourBy::kernel;  // dots of classes have marks in their middle
    scene.unit = "FLOP";
    scene.x_label = "Arithmetic intensity [FLOP/byte]";
    scene.y_label = "Performance [FLOP/s]";
    scene.no_work_label = "no FLOP";
    scene.caption = "Test device";
    scene.x = {0.01, 1000};
    scene.y = {1e9, 1e14};
    Roof compute;
    compute.id = "roof-fp32";
    compute.name = "FP32";
    compute.value = "20.0 TFLOP/s";
    compute.target = Pipe{PipeKind::fp32, false};
    compute.rate = 20e12;
    compute.ends_at = 20e12 / 6e12;
    scene.roofs = {bandwidth_roof("roof-hbm", "HBM", "2.00 TB/s", Boundary::hbm_dram_rw, 2e12),
                   bandwidth_roof("roof-l2", "L2", "6.00 TB/s", Boundary::l2_sm_sectors, 6e12), compute};
    scene.ridges = {{10, "HBM", "10", "ridge of HBM and FP32", "FP32", false, {}, Pipe{PipeKind::fp32}}};
    scene.dot_colours = {categorical_colour(0, Theme::light), categorical_colour(1, Theme::light),
                         categorical_colour(2, Theme::light)};
    scene.legend = {{MemoryLevel::hbm, std::nullopt, "HBM"}, {MemoryLevel::l2, std::nullopt, "L2"}};
    scene.summary = "Roofline of a test device.";
    return scene;
}

Scene small_scene() {
    Scene scene = empty_scene();
    Dot no_work = dot_at(0.5, 1, 5, 2, MemoryLevel::hbm);
    no_work.rail = Rail::no_work;
    scene.rails = {Rail::no_work};
    scene.dots = {no_work, dot_at(0.25, 4e11, 6, 1, MemoryLevel::hbm),
                  dot_at(30, 5e12, 12, 0, MemoryLevel::hbm), dot_at(8, 5e12, 12, 0, MemoryLevel::l2)};
    return scene;
}

Scene line_scene() {
    Scene scene = empty_scene();
    scene.dots = {dot_at(2, 0.25e12, 8, 0, MemoryLevel::hbm)};
    scene.dots[0].rail = Rail::edge;
    scene.dots[0].binds = true;
    scene.lines = {{.point = 0, .level = MemoryLevel::hbm, .rate = 0.25e12, .ends_at = 2}};
    return scene;
}

Scene many_dots(std::uint32_t count) {
    Scene scene = empty_scene();
    std::minstd_rand random(7);
    std::uniform_real_distribution<double> intensity(std::log10(scene.x.lo), std::log10(scene.x.hi));
    std::uniform_real_distribution<double> depth(0, 2);
    std::uniform_real_distribution<float> size(4, 5);
    scene.dots.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const double x = std::pow(10, intensity(random));
        const double y = std::min(2e12 * x, 20e12) / std::pow(10, depth(random));
        scene.dots.push_back(dot_at(x, y, size(random), i, MemoryLevel::hbm));
    }
    // In a profile at most ten kernels have the tenth of the time that makes a dot larger.
    for (std::uint32_t i = 0; i < std::min(count, 10U); ++i)
        scene.dots[i].radius = 5.0F + static_cast<float>(i) / 2;
    std::ranges::sort(scene.dots, {}, &Dot::radius);
    for (std::uint32_t i = 0; i < count; ++i)
        scene.dots[i].point = i;
    return scene;
}

Scene many_rail_dots(std::uint32_t count) {
    Scene scene = many_dots(count);
    scene.rails = {Rail::no_work, Rail::no_traffic};
    for (std::uint32_t i = 0; i < count; ++i) {
        Dot& dot = scene.dots[i];
        dot.rail = i % 2 == 0 ? Rail::no_work : Rail::no_traffic;
        // As in a scene of a profile: the largest stands at the left.
        if (dot.rail == Rail::no_work) dot.x = (count - i - 0.5) / count;
    }
    return scene;
}

}  // namespace roofwalk::test
