// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/pytorch/pytorch_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace roofwalk::pytorch {

namespace {

/// Of one dimension.
struct Sweep {
    double stride = 1;
    double padding = 0;
    double dilation = 1;
};
using Sweeps = std::vector<Sweep>;

/// One number for all dimensions, or one for each: that of this dimension.
double number_of(const std::vector<double>& list, std::size_t dimension) {
    return list[std::min(dimension, list.size() - 1)];
}

/// Empty where nobody says.
Sweeps told_sweeps(const PytorchCall& op, std::size_t dimensions) {
    const bool of_cudnn = op.name == "cudnn_convolution";
    const bool later = op.name == "convolution_backward" || op.name == "_conv_depthwise2d";
    const auto stride = numbers_at(op, later ? 4 : 3);
    const auto padding = numbers_at(op, of_cudnn ? 2 : later ? 5 : 4);
    const auto dilation = numbers_at(op, op.name.starts_with("conv_t") ? 7 : of_cudnn ? 4 : later ? 6 : 5);
    Sweeps sweeps;
    for (const auto* const list : {&stride, &padding, &dilation})
        if (list->size() != 1 && list->size() != dimensions) return {};
    for (std::size_t i = 0; i < dimensions; ++i) {
        sweeps.push_back({number_of(stride, i), number_of(padding, i), number_of(dilation, i)});
        if (sweeps.back().stride <= 0) return {};
    }
    return sweeps;
}

/// The step, the same in all dimensions, and the margins that make these dimensions of the input these of the
/// output, the usual first.
Sweeps sweeps_between(std::span<const double> in, std::span<const double> kernel,
                      std::span<const double> out) {
    constexpr double largest_padding = 256;
    for (const double stride : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, kernel[0], 3.0, 5.0, 6.0, 7.0}) {
        Sweeps sweeps;
        for (std::size_t i = 0; i < in.size() && sweeps.size() == i; ++i) {
            const double paddings = std::min(kernel[i], largest_padding);
            for (double padding = 0; padding < paddings && sweeps.size() == i; ++padding)
                if (std::floor((in[i] + 2 * padding - kernel[i]) / stride) + 1 == out[i])
                    sweeps.push_back({stride, padding});
        }
        if (sweeps.size() == in.size()) return sweeps;
    }
    return {};
}

/// What a transposed convolution gives is the input of the convolution whose gradient it computes.
Sizes transposed_output(const PytorchCall& op, const Sweeps& sweeps) {
    Sizes out = input(op, 0);
    const Sizes& weights = input(op, 1);
    const bool named = op.name.starts_with("conv_t");
    const auto added = numbers_at(op, named ? 5 : 7);
    for (std::size_t i = 0; i < sweeps.size(); ++i) {
        const Sweep& sweep = sweeps[i];
        double& size = out[i + 2];
        size = (size - 1) * sweep.stride - 2 * sweep.padding + sweep.dilation * (weights[i + 2] - 1) +
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
Text text_of(Sizes x, Sizes kernel, Sweeps sweeps, double groups) {
    if (x.size() == 3) {
        x.insert(x.begin() + 2, 1);
        kernel.insert(kernel.begin() + 2, 1);
        sweeps.insert(sweeps.begin(), {sweeps[0].stride, 0, sweeps[0].dilation});
    }
    const bool deep = x.size() == 5;
    const std::size_t h = x.size() - 2;
    Text text(deep ? "conv3d" : "conv2d");
    text.unless(1, "batch", x[0]).with("channels", x[1]);
    if (deep) text.with("depth", x[2]);
    text.with("height", x[h]).unless(x[h], "width", x[h + 1]).with("filters", kernel[0]);
    if (deep) text.with("kernel_d", kernel[2]);
    text.with("kernel_h", kernel[h]).unless(kernel[h], "kernel_w", kernel[h + 1]);
    const auto add = [&](std::string_view name, double usual, double Sweep::*member) {
        text.unless(usual, name, sweeps[0].*member);
        for (std::size_t i = 1; i < sweeps.size(); ++i)
            text.unless(sweeps[0].*member, fmt::format("{}_{}", name, i + 1 < sweeps.size() ? 'h' : 'w'),
                        sweeps[i].*member);
    };
    add("stride", 1, &Sweep::stride);
    add("padding", 0, &Sweep::padding);
    text.unless(1, "groups", groups);
    add("dilation", 1, &Sweep::dilation);
    return text;
}

/// Of so many positions those that windows reach: steps wider than a window skip some, and padding is none.
double reached(double length, double windows, double size, double step, double padding) {
    const double end = (windows - 1) * step + size;
    const double beyond = std::max(0.0, end - padding - length);
    return std::clamp((step < size ? end : windows * size) - padding - beyond, 0.0, length);
}

}  // namespace

/// Elements of windows become one each; a maximum says as a 64-bit number which it was.
Known pooling(const PytorchCall& op, const Family&) {
    const Sizes& x = input(op, 0);
    const bool maximum = op.name.starts_with("max");
    const auto size = numbers_at(op, 1);
    const auto step = numbers_at(op, 2).empty() ? size : numbers_at(op, 2);
    const auto padding = numbers_at(op, 3);
    const auto bytes = element_bytes(op, 0);
    const bool dilated = maximum && same_in_all(op, 4) != 1;
    const std::size_t ceils = maximum ? 5 : 4;
    if (x.size() < 3 || size.empty() || padding.empty() || !bytes || dilated || ceils >= op.values.size() ||
        op.values[ceils] == "True")
        return std::nullopt;
    double outputs = elements(x);
    double inputs = outputs;
    double window = 1;
    for (std::size_t i = 0; i < 2; ++i) {
        const double length = x[x.size() - 2 + i];
        const double side = number_of(size, i);
        const double margin = number_of(padding, i);
        const double stride = number_of(step, i);
        const double windows = std::floor((length + 2 * margin - side) / stride) + 1;
        if (!(windows >= 1) || stride <= 0) return std::nullopt;
        outputs *= windows / length;
        inputs *= reached(length, windows, side, stride, margin) / length;
        window *= side;
    }
    return Text("custom", {{"flops", outputs * (window - (maximum ? 1 : 0))},
                           {"read", inputs * *bytes},
                           {"write", outputs * (*bytes + (maximum ? 8 : 0))}})
        .done();
}

Known convolution(const PytorchCall& op, const Family&) {
    const bool backward = op.name == "convolution_backward";
    const bool transposed = is_transposed(op);
    const std::string_view pass = backward ? gradients(op, transposed) : transposed ? "data" : "forward";
    if (pass.empty()) return std::nullopt;
    Sizes weights = input(op, backward ? 2 : 1);
    Sizes x = input(op, backward && !transposed ? 1 : 0);
    if (weights.size() != x.size() || x.size() < 3 || x.size() > 5) return std::nullopt;
    Sweeps sweeps = told_sweeps(op, x.size() - 2);
    const bool told = !sweeps.empty();
    Sizes output = backward ? input(op, transposed ? 1 : 0) : op.output;
    if (transposed && !backward) {
        if (!told) return std::nullopt;
        x = transposed_output(op, sweeps);
    }
    const double groups = x[1] / weights[1];
    if (groups != std::floor(groups) || std::fmod(weights[0], groups) != 0) return std::nullopt;
    const bool known = told || output.size() == x.size();
    const std::span<const double> kernel = std::span(weights).subspan(2);
    if (!told && known)
        sweeps = sweeps_between(std::span(x).subspan(2), kernel, std::span(output).subspan(2));
    if (known && sweeps.empty()) return std::nullopt;
    for (std::size_t i = 0; !known && i < kernel.size(); ++i)
        sweeps.push_back({1, std::floor((kernel[i] - 1) / 2)});
    PytorchOperation operation = text_of(x, weights, sweeps, groups).done(op);
    if (!known) {
        operation.assumed = fmt::format("stride=1 padding={:.0f}", sweeps[0].padding);
        for (std::size_t i = 1; i < sweeps.size(); ++i)
            if (sweeps[i].padding != sweeps[i - 1].padding)
                operation.assumed += fmt::format("x{:.0f}", sweeps[i].padding);
    }
    if (backward && op.values.empty()) operation.assumed = "the gradients of both";
    if (pass != "forward") operation.text += fmt::format(" pass={}", pass);
    operation.sealed = transposed;
    return operation;
}

}  // namespace roofwalk::pytorch
