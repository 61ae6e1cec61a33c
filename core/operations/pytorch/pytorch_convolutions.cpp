// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions, and what else is done to images: pooling, padding, interpolation.
#include "core/operations/pytorch/pytorch_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/operations/convolution.h"

namespace roofwalk::pytorch {

namespace {

using AllSteps = std::vector<WindowSteps>;  // one of each dimension

/// The places of what convolutions are called with.
struct StepPlaces {
    std::string_view names;  ///< between spaces
    std::size_t stride = 3;
    std::size_t padding = 4;
    std::size_t dilation = 5;
};
constexpr std::array step_places{
    StepPlaces{" cudnn_convolution ", 3, 2, 4},
    StepPlaces{" miopen_convolution miopen_depthwise_convolution ", 4, 3, 5},
    StepPlaces{
        " convolution_backward _conv_depthwise2d conv_depthwise3d slow_conv_dilated2d slow_conv_dilated3d ",
        4, 5, 6},
    StepPlaces{" thnn_conv2d _slow_conv2d_forward slow_conv3d slow_conv3d_forward ", 4, 5, nowhere},
    StepPlaces{" cudnn_convolution_add_relu miopen_convolution_add_relu ", 5, 6, 7},
    StepPlaces{" conv_transpose1d conv_transpose2d conv_transpose3d ", 3, 4, 7}};

/// One number for all dimensions, or one for each: that of this dimension.
double number_of(const std::vector<double>& list, std::size_t dimension) {
    return list[std::min(dimension, list.size() - 1)];
}

/// Empty where nobody says.
AllSteps told_steps(const PytorchCall& op, std::size_t dimensions) {
    const auto* const row = std::ranges::find_if(step_places, [&](const StepPlaces& places) {
        return places.names.find(fmt::format(" {} ", op.name)) != std::string_view::npos;
    });
    const StepPlaces places = row == step_places.end() ? StepPlaces() : *row;
    const auto stride = numbers_at(op, places.stride);
    const auto padding = numbers_at(op, places.padding);
    const auto dilation =
        places.dilation == nowhere ? std::vector<double>{1} : numbers_at(op, places.dilation);
    AllSteps steps;
    for (const auto* const list : {&stride, &padding, &dilation})
        if (list->size() != 1 && list->size() != dimensions) return {};
    for (std::size_t i = 0; i < dimensions; ++i) {
        steps.push_back({number_of(stride, i), number_of(padding, i), number_of(dilation, i)});
        if (steps.back().stride <= 0) return {};
    }
    return steps;
}

/// The step, the same in all dimensions, and the margins that make these dimensions of the input these of the
/// output, the usual first.
AllSteps steps_between(std::span<const double> in, std::span<const double> kernel,
                       std::span<const double> out) {
    constexpr double largest_padding = 256;
    for (const double stride : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, kernel[0], 3.0, 5.0, 6.0, 7.0}) {
        AllSteps steps;
        for (std::size_t i = 0; i < in.size() && steps.size() == i; ++i) {
            const double paddings = std::min(kernel[i], largest_padding);
            for (double padding = 0; padding < paddings && steps.size() == i; ++padding)
                if (std::floor((in[i] + 2 * padding - kernel[i]) / stride) + 1 == out[i])
                    steps.push_back({stride, padding});
        }
        if (steps.size() == in.size()) return steps;
    }
    return {};
}

/// What a transposed convolution gives is the input of the convolution whose gradient it computes.
Sizes transposed_output(const PytorchCall& op, const AllSteps& steps) {
    Sizes out = input(op, 0);
    const Sizes& weights = input(op, 1);
    const bool named = op.name.starts_with("conv_t");
    const auto added = numbers_at(op, named ? 5 : 7);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const WindowSteps& own = steps[i];
        double& size = out[i + 2];
        size = (size - 1) * own.stride - 2 * own.padding + own.dilation * (weights[i + 2] - 1) +
               (added.empty() ? 0 : number_of(added, i)) + 1;
    }
    out[1] = weights[1] * same_in_all(op, named ? 6 : 8).value_or(1);
    return out;
}

/// Which gradients a call computes; empty of that of the bias alone.
std::string_view gradients(const PytorchCall& op, bool transposed) {
    const std::string_view mask = op.values.size() > 10 ? std::string_view(op.values[10]) : "";
    if (mask.starts_with("[False, F")) return {};
    if (mask.starts_with("[True, F")) return transposed ? "forward" : "data";
    if (mask.starts_with("[False, T")) return "weights";
    return transposed ? "transposed_backward" : "backward";
}

bool is_transposed(const PytorchCall& op) {
    if (op.name == "convolution" || op.name == "_convolution") return is_told(op, 6);
    return op.name.starts_with("conv_t") || (op.name == "convolution_backward" && is_told(op, 7));
}

/// That of one dimension is one of a single row.
Text text_of(Sizes x, Sizes kernel, AllSteps steps, double groups) {
    if (x.size() == 3) {
        x.insert(x.begin() + 2, 1);
        kernel.insert(kernel.begin() + 2, 1);
        steps.insert(steps.begin(), {steps[0].stride, 0, steps[0].dilation});
    }
    const bool deep = x.size() == 5;
    const std::size_t h = x.size() - 2;
    Text text(deep ? "conv3d" : "conv2d");
    text.unless(1, "batch", x[0]).with("channels", x[1]);
    if (deep) text.with("depth", x[2]);
    text.with("height", x[h]).unless(x[h], "width", x[h + 1]).with("filters", kernel[0]);
    if (deep) text.with("kernel_d", kernel[2]);
    text.with("kernel_h", kernel[h]).unless(kernel[h], "kernel_w", kernel[h + 1]);
    const auto add = [&](std::string_view name, double usual, double WindowSteps::*member) {
        text.unless(usual, name, steps[0].*member);
        for (std::size_t i = 1; i < steps.size(); ++i)
            text.unless(steps[0].*member, fmt::format("{}_{}", name, i + 1 < steps.size() ? 'h' : 'w'),
                        steps[i].*member);
    };
    add("stride", 1, &WindowSteps::stride);
    add("padding", 0, &WindowSteps::padding);
    text.unless(1, "groups", groups);
    add("dilation", 1, &WindowSteps::dilation);
    return text;
}

}  // namespace

/// Elements of windows become one each; a maximum says as a 64-bit number which it was.
Known pooling(const PytorchCall& op, const Family&) {
    const Sizes& x = input(op, 0);
    const bool maximum = op.name.starts_with("max");
    const auto size = numbers_at(op, 1);
    const auto step = numbers_at(op, 2).empty() ? size : numbers_at(op, 2);
    const auto padding = numbers_at(op, 3);
    const auto dilation = maximum ? numbers_at(op, 4) : std::vector<double>{1};
    const auto bytes = element_bytes(op, 0);
    const std::size_t ceils = maximum ? 5 : 4;
    const std::size_t dimensions = op.name.find("3d") == std::string::npos ? 2 : 3;
    if (x.size() <= dimensions || size.empty() || padding.empty() || dilation.empty() || !bytes ||
        ceils >= op.values.size())
        return std::nullopt;
    double outputs = elements(x);
    double inputs = outputs;
    double window = 1;
    for (std::size_t i = 0; i < dimensions; ++i) {
        const double length = x[x.size() - dimensions + i];
        const double side = number_of(size, i);
        const WindowSteps steps{number_of(step, i), number_of(padding, i), number_of(dilation, i)};
        const double whole = length + 2 * steps.padding - steps.dilation * (side - 1) - 1;
        if (!(whole >= 0) || steps.stride <= 0) return std::nullopt;
        double windows = std::floor(whole / steps.stride) + 1;
        // Rounded up, the last window begins within the input or the padding before it.
        if (is_told(op, ceils) && std::fmod(whole, steps.stride) != 0 &&
            windows * steps.stride < length + steps.padding)
            ++windows;
        outputs *= windows / length;
        inputs *= touched_by(steps, windows, side, length) / length;
        window *= side;
    }
    return custom(outputs * (window - (maximum ? 1 : 0)), inputs * *bytes,
                  outputs * (*bytes + (maximum ? 8 : 0)));
}

/// How much wider each of the last dimensions becomes, from the last on, on either side; narrower below 0.
Known padded(const PytorchCall& op, const Family&) {
    const Sizes& x = input(op, 0);
    const auto told = numbers_at(op, 1);
    const auto bytes = element_bytes(op, 0);
    if (told.empty() || told.size() / 2 > x.size() || !bytes) return std::nullopt;
    double written = *bytes * elements(x);
    double read = written;
    for (std::size_t i = 0; i < told.size(); i += 2) {
        const double length = x[x.size() - 1 - i / 2];
        written *= (length + told[i] + told[i + 1]) / length;
        read *= (length + std::min(told[i], 0.0) + std::min(told[i + 1], 0.0)) / length;
    }
    return custom(0, read, written);
}

/// A value has the last dimensions of the result; going back, the next one all of the input's. Each element
/// of it is made from so many as the first place tells; 0: all are averaged, or their maxima written with
/// where they stood.
Known resized(const PytorchCall& op, const Family& family) {
    const Sizes& x = input(op, 0);
    const bool backward = op.name.ends_with("_backward");
    const auto told = numbers_at(op, backward ? 2 : 1);
    const auto bytes = element_bytes(op, 0);
    if (told.empty() || told.size() > x.size() || !bytes) return std::nullopt;
    const bool whole = backward || family.first == 0;
    const double n = product_of(std::span(x).first(x.size() - told.size())) * product_of(told);
    const auto from = static_cast<double>(family.first);
    const double flops = (from > 1 ? 2 * from - 1 : 0) + (whole ? 1 : 0);
    const double index = op.name.starts_with("adaptive_max") ? 8 : 0;
    return custom(flops * (whole ? elements(x) : n),
                  *bytes * (whole ? elements(x) : std::min(elements(x), from * n)), (*bytes + index) * n);
}

/// From x[n, c, ...] at the positions of a grid, which stand next, in its last dimension: each element is
/// made from so many as the second place tells, of one where the value at the first says nearest (1), and of
/// 16 where it says cubic (2). Going back, the gradient of the result stands first but in cuDNN's: of each of
/// them a product and a sum for the gradient of x, which nobody may want, and for each coordinate of a
/// position, of nearest ones the sum alone. All of both gradients is written, zeros too.
Known sampled(const PytorchCall& op, const Family& family) {
    const bool backward = op.name.ends_with("_backward");
    const std::size_t at = backward && family.first != nowhere ? 1 : 0;
    const Sizes& x = input(op, at);
    const Sizes& grid = input(op, at + 1);
    const auto bytes = element_bytes(op, at);
    const auto mode = numbers_at(op, family.first);
    const bool told = family.first == nowhere || mode.size() == 1;
    if (x.size() < 4 || grid.size() != x.size() || grid[0] != x[0] || !bytes || !told) return std::nullopt;
    const double kind = mode.empty() ? 0 : mode.front();
    const double from = kind == 1 ? 1 : kind == 2 ? 16 : static_cast<double>(family.second);
    const double positions = elements(grid) / grid.back();
    const double n = positions * x[1];
    const double of_grid = elements(grid) * element_bytes(op, at + 1).value_or(*bytes);
    const double of_x = from == 1 && backward ? 0 : std::min(elements(x), from * n);
    if (backward) {
        const double to_x = op.values.size() <= 6 || op.values[6].starts_with("[True") ? 1 : 0;
        const double flops = from == 1 ? n * to_x : 2 * from * n * (to_x + grid.back());
        return custom(flops, *bytes * (n + of_x) + of_grid, *bytes * to_x * elements(x) + of_grid);
    }
    return custom(n * (from > 1 ? 2 * from - 1 : 0), *bytes * of_x + of_grid, *bytes * n);
}

Known convolution(const PytorchCall& op, const Family&) {
    const bool backward = op.name == "convolution_backward";
    const bool transposed = is_transposed(op);
    const std::string_view pass = backward ? gradients(op, transposed) : transposed ? "data" : "forward";
    if (pass.empty()) return std::nullopt;
    Sizes weights = input(op, backward ? 2 : 1);
    Sizes x = input(op, backward && !transposed ? 1 : 0);
    if (weights.size() != x.size() || x.size() < 3 || x.size() > 5) return std::nullopt;
    AllSteps steps = told_steps(op, x.size() - 2);
    const bool told = !steps.empty();
    const bool adds = op.name.ends_with("_add_relu");
    Sizes output = backward ? input(op, transposed ? 1 : 0) : adds ? input(op, 2) : op.output;
    if (transposed && !backward) {
        if (!told) return std::nullopt;
        x = transposed_output(op, steps);
    }
    const double groups = x[1] / weights[1];
    if (groups != std::floor(groups) || std::fmod(weights[0], groups) != 0) return std::nullopt;
    const bool known = told || output.size() == x.size();
    const std::span<const double> kernel = std::span(weights).subspan(2);
    if (!told && known) steps = steps_between(std::span(x).subspan(2), kernel, std::span(output).subspan(2));
    if (known && steps.empty()) return std::nullopt;
    for (std::size_t i = 0; !known && i < kernel.size(); ++i)
        steps.push_back({1, std::floor((kernel[i] - 1) / 2)});
    PytorchOperation operation = text_of(x, weights, steps, groups).unless(0, "beta", adds ? 1 : 0).done(op);
    if (!known) {
        operation.assumed = fmt::format("stride=1 padding={:.0f}", steps[0].padding);
        for (std::size_t i = 1; i < steps.size(); ++i)
            if (steps[i].padding != steps[i - 1].padding)
                operation.assumed += fmt::format("x{:.0f}", steps[i].padding);
    }
    if (backward && op.values.empty()) operation.assumed = "the gradients of both";
    if (pass != "forward") operation.text += fmt::format(" pass={}", pass);
    operation.sealed = transposed;
    return operation;
}

}  // namespace roofwalk::pytorch
