// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/pytorch/pytorch_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace roofwalk::pytorch {

namespace {

struct Sweep {
    double stride = 1;
    double padding = 0;
    double dilation = 1;
};

std::optional<Sweep> told_sweep(const PytorchCall& op) {
    const bool of_cudnn = op.name == "cudnn_convolution";
    const bool later = op.name == "convolution_backward" || op.name == "_conv_depthwise2d";
    const auto stride = same_in_all(op, later ? 4 : 3);
    const auto padding = same_in_all(op, of_cudnn ? 2 : later ? 5 : 4);
    const auto dilation = same_in_all(op, op.name.starts_with("conv_t") ? 7 : of_cudnn ? 4 : later ? 6 : 5);
    if (!stride || !padding || !dilation || *stride <= 0) return std::nullopt;
    return Sweep{*stride, *padding, *dilation};
}

/// The step and the margin that make these dimensions of the input these of the output, the usual first.
std::optional<Sweep> sweep_between(std::span<const double> in, std::span<const double> kernel,
                                   std::span<const double> out) {
    constexpr double largest_padding = 256;
    const double paddings = std::min(*std::ranges::max_element(kernel), largest_padding);
    for (const double stride : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, kernel[0], 3.0, 5.0, 6.0, 7.0})
        for (double padding = 0; padding < paddings; ++padding) {
            bool fits = true;
            for (std::size_t i = 0; i < in.size(); ++i)
                fits = fits && std::floor((in[i] + 2 * padding - kernel[i]) / stride) + 1 == out[i];
            if (fits) return Sweep{stride, padding};
        }
    return std::nullopt;
}

/// What a transposed convolution gives is the input of the convolution whose gradient it computes.
Sizes transposed_output(const PytorchCall& op, const Sweep& sweep) {
    Sizes out = input(op, 0);
    const Sizes& weights = input(op, 1);
    const bool named = op.name.starts_with("conv_t");
    const auto added = same_in_all(op, named ? 5 : 7).value_or(0);
    for (std::size_t i = 2; i < out.size(); ++i)
        out[i] =
            (out[i] - 1) * sweep.stride - 2 * sweep.padding + sweep.dilation * (weights[i] - 1) + added + 1;
    out[1] = weights[1] * same_in_all(op, named ? 6 : 8).value_or(1);
    return out;
}

/// Which gradients a call computes; empty of that of the bias alone, and of both of a transposed one, which
/// are not those of a convolution.
std::string_view gradients(const PytorchCall& op, bool transposed) {
    const std::string_view mask = op.values.size() > 10 ? std::string_view(op.values[10]) : "";
    if (mask.starts_with("[False, F")) return {};
    if (mask.starts_with("[True, F")) return transposed ? "forward" : "data";
    if (mask.starts_with("[False, T")) return "weights";
    return transposed ? "" : "backward";
}

bool is_transposed(const PytorchCall& op) {
    if (op.name == "convolution" || op.name == "_convolution") return is_told(op, 6);
    return op.name.starts_with("conv_t") || (op.name == "convolution_backward" && is_told(op, 7));
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
    double window = 1;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto of = [i](const std::vector<double>& list) { return list[std::min(i, list.size() - 1)]; };
        const double length = x[x.size() - 2 + i];
        if (of(step) <= 0) return std::nullopt;
        outputs *= (std::floor((length + 2 * of(padding) - of(size)) / of(step)) + 1) / length;
        window *= of(size);
    }
    return of_bytes(op, 0, outputs * (window - (maximum ? 1 : 0)), outputs * (*bytes + (maximum ? 8 : 0)));
}

Known convolution(const PytorchCall& op, const Family&) {
    const bool backward = op.name == "convolution_backward";
    const bool transposed = is_transposed(op);
    const std::string_view pass = backward ? gradients(op, transposed) : transposed ? "data" : "forward";
    if (pass.empty()) return std::nullopt;
    const Sizes& weights = input(op, backward ? 2 : 1);
    const auto told = told_sweep(op);
    Sizes x = input(op, backward && !transposed ? 1 : 0);
    if (weights.size() != x.size() || (x.size() != 4 && x.size() != 5)) return std::nullopt;
    const Sizes& output = backward ? input(op, transposed ? 1 : 0) : op.output;
    if (transposed && !backward) {
        if (!told) return std::nullopt;
        x = transposed_output(op, *told);
    }
    const std::size_t dimensions = x.size() - 2;
    const double groups = x[1] / weights[1];
    if (groups != std::floor(groups) || std::fmod(weights[0], groups) != 0) return std::nullopt;
    const std::span<const double> in(x.data() + 2, dimensions);
    const std::span<const double> kernel(weights.data() + 2, dimensions);
    const bool known = told || output.size() == x.size();
    Sweep sweep{1, std::floor((kernel[0] - 1) / 2)};
    if (told) {
        sweep = *told;
    } else if (known) {
        const auto found = sweep_between(in, kernel, std::span(output).subspan(2));
        if (!found) return std::nullopt;
        sweep = *found;
    } else if (std::ranges::any_of(kernel, [&](double size) { return size != kernel[0]; })) {
        return std::nullopt;
    }
    Text text(dimensions == 3 ? "conv3d" : "conv2d");
    text.unless(1, "batch", x[0]).with("channels", x[1]);
    if (dimensions == 3) text.with("depth", in[0]);
    text.with("height", in[dimensions - 2]).unless(in[dimensions - 2], "width", in[dimensions - 1]);
    text.with("filters", weights[0]);
    if (dimensions == 3) text.with("kernel_d", kernel[0]);
    text.with("kernel_h", kernel[dimensions - 2]);
    text.unless(kernel[dimensions - 2], "kernel_w", kernel[dimensions - 1]);
    text.unless(1, "stride", sweep.stride).unless(0, "padding", sweep.padding).unless(1, "groups", groups);
    text.unless(1, "dilation", sweep.dilation);
    PytorchOperation operation = text.done(op);
    if (!known) operation.assumed = fmt::format("stride=1 padding={:.0f}", sweep.padding);
    if (backward && op.values.empty()) operation.assumed = "the gradients of both";
    if (pass != "forward") operation.text += fmt::format(" pass={}", pass);
    operation.sealed = transposed;
    return operation;
}

}  // namespace roofwalk::pytorch
