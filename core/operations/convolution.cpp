// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/operations/convolution.h"
#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

/// What the parameters of one spatial dimension are called.
struct Dimension {
    std::string_view input;
    std::string_view kernel;
    std::string_view stride;
    std::string_view padding;
    std::string_view dilation;
};

/// What a dimension gives: positions of the output, and how many of the input they touch.
struct Reach {
    double out = 0;
    double touched = 0;
};

Result<Reach> reach_over(std::string_view operation, const Dimension& dimension,
                         const OperationArguments& arguments) {
    const double size = arguments.number(dimension.input);
    const double kernel = arguments.number(dimension.kernel);
    const WindowSteps steps{arguments.number(dimension.stride), arguments.number(dimension.padding),
                            arguments.number(dimension.dilation)};
    const double padded = size + 2 * steps.padding;
    const double span = steps.dilation * (kernel - 1) + 1;
    if (span > padded)
        return refused(
            operation,
            fmt::format("{}={} does not fit into {}={}", dimension.kernel, kernel, dimension.input, size),
            fmt::format("The kernel reaches over {} positions, the padded input has {}.", span, padded));
    const double out = std::floor((padded - span) / steps.stride) + 1;
    return Reach{out, touched_by(steps, out, kernel, size)};
}

Result<OperationModel> convolution_model(std::string_view operation, const std::vector<Dimension>& dimensions,
                                         const OperationArguments& arguments) {
    const auto [batch, channels, filters, groups] =
        numbers_of(arguments, "batch", "channels", "filters", "groups");
    if (std::fmod(channels, groups) != 0 || std::fmod(filters, groups) != 0)
        return refused(
            operation,
            fmt::format("{} channels and {} filters do not divide into {} groups", channels, filters, groups),
            "channels and filters must be multiples of groups.");
    double out = 1;
    double touched = 1;
    double size = 1;
    double kernel = 1;
    for (const Dimension& dimension : dimensions) {
        const auto reach = reach_over(operation, dimension, arguments);
        if (!reach) return tl::unexpected(reach.error());
        out *= reach->out;
        touched *= reach->touched;
        kernel *= arguments.number(dimension.kernel);
        size *= arguments.number(dimension.input);
    }
    /// As a matrix product, one for each group.
    const GemmShape product{.m = batch * out,
                            .n = filters / groups,
                            .k = channels / groups * kernel,
                            .batch = groups,
                            .a = arguments.type("dtype"),
                            .b = arguments.type("weight_dtype"),
                            .c = arguments.type("out_dtype"),
                            .reads_c = arguments.number("beta") != 0};
    OperationModel model;
    model.work = {matrix_work(arguments, product_type(product.a, product.b), gemm_work(product))};
    model.shared = Bytes(packed_bytes(filters * product.k, product.b));
    const std::string& pass = arguments.text("pass");
    if (product.reads_c && pass != "forward")
        return refused(operation, "A gradient adds nothing to its result",
                       "Leave beta out, or write pass=forward.");
    const Bytes in(packed_bytes(batch * channels * touched, product.a));
    const Bytes gradient(packed_bytes(batch * channels * size, product.a));
    const Bytes weights = model.shared;
    const Bytes result = gemm_written(product);
    model.read = pass == "forward" ? in + weights + result * (product.reads_c ? 1 : 0)
                 : pass == "data"  ? result + weights
                                   : in + result;
    model.written = pass == "forward" ? result : pass == "data" ? gradient : weights;
    if (pass == "weights") model.shared = {};
    const bool transposed = pass == "transposed_backward";
    if (transposed || pass == "backward") {
        model.work.front().work = model.work.front().work * 2;
        model.read += weights;
        model.written += transposed ? result : gradient;
    }
    model.notes.push_back(fmt::format(
        "Each image has {} outputs a filter. An FMA counts as two FLOP; products with padding are "
        "counted, bytes of padding are not.",
        out));
    if (is_tensor(model.work.front().pipe)) {
        model.warnings = unaligned_dimensions(product);
        if (!model.warnings.empty())
            model.notes.emplace_back(
                "m, n, k in the warnings are those of the convolution as a matrix product. They are m outputs, n "
                "filters, k channels times kernel, of one group.");
    }
    return model;
}

constexpr Dimension of_height{"height", "kernel_h", "stride", "padding", "dilation"};
constexpr Dimension of_width{"width", "kernel_w", "stride_w", "padding_w", "dilation_w"};

Result<OperationModel> conv2d_model(const OperationArguments& arguments) {
    return convolution_model("conv2d", {of_height, of_width}, arguments);
}

Result<OperationModel> conv3d_model(const OperationArguments& arguments) {
    return convolution_model("conv3d",
                             {{"depth", "kernel_d", "stride", "padding", "dilation"},
                              {"height", "kernel_h", "stride_h", "padding_h", "dilation_h"},
                              of_width},
                             arguments);
}

constexpr ParameterSpec size_parameter(std::string_view name, std::string_view alias,
                                       std::string_view default_value, std::string_view unit,
                                       std::string_view meaning) {
    return {name, alias, ParameterKind::count, default_value, unit, meaning, ""};
}

constexpr auto batch = size_parameter("batch", "n", "1", "images", "images");
constexpr auto channels = size_parameter("channels", "c", "", "channels", "input channels");
constexpr auto filters = size_parameter("filters", "k", "", "channels", "output channels");
constexpr auto depth = size_parameter("depth", "d", "", "positions", "depth of the input");
constexpr auto height = size_parameter("height", "h", "", "positions", "height of the input");
constexpr auto width = size_parameter("width", "w", "=height", "positions", "width of the input");
constexpr auto kernel_d = size_parameter("kernel_d", "t", "", "positions", "depth of the kernel");
constexpr auto kernel_h = size_parameter("kernel_h", "r", "", "positions", "height of the kernel");
constexpr auto kernel_w = size_parameter("kernel_w", "s", "=kernel_h", "positions", "width of the kernel");
constexpr auto stride =
    size_parameter("stride", "", "1", "positions", "step of the kernel, where a dimension has no own");
constexpr auto padding =
    count_parameter("padding", "0", "positions", "padding at each side, where a dimension has no own", 0);
constexpr auto dilation = size_parameter("dilation", "", "1", "positions",
                                         "distance of kernel elements, where a dimension has no own");
constexpr auto stride_h = size_parameter("stride_h", "", "=stride", "positions", "step in height");
constexpr auto padding_h =
    count_parameter("padding_h", "=padding", "positions", "padding above and below", 0);
constexpr auto dilation_h =
    size_parameter("dilation_h", "", "=dilation", "positions", "distance of kernel elements in height");
constexpr auto stride_w = size_parameter("stride_w", "", "=stride", "positions", "step in width");
constexpr auto padding_w = count_parameter("padding_w", "=padding", "positions", "padding left and right", 0);
constexpr auto dilation_w =
    size_parameter("dilation_w", "", "=dilation", "positions", "distance of kernel elements in width");
constexpr auto groups =
    size_parameter("groups", "", "1", "groups", "groups of channels (channels: depthwise)");
constexpr ParameterSpec pass{
    "pass",
    "",
    ParameterKind::choice,
    "forward",
    "",
    "gradient of the input (data), of the weights, or both (backward), as those of a "
    "convolution or of a transposed one",
    "forward|data|weights|backward|transposed_backward"};
constexpr auto beta = beta_parameter("other than 0, an addend as large as the output is read as well");
constexpr auto dtype = dtype_parameter("fp16");
constexpr auto weight_dtype = type_parameter("weight_dtype", "type of the weights");
constexpr auto out_dtype = type_parameter("out_dtype", "type of the output");

constexpr std::array conv2d_parameters{batch,     channels, height,       width,     filters,
                                       kernel_h,  kernel_w, stride,       stride_w,  padding,
                                       padding_w, dilation, dilation_w,   groups,    pass,
                                       beta,      dtype,    weight_dtype, out_dtype, pipe_parameter};
constexpr std::array conv3d_parameters{
    batch,  channels, depth,    height,  width,        filters,   kernel_d,      kernel_h,   kernel_w,
    stride, stride_h, stride_w, padding, padding_h,    padding_w, dilation,      dilation_h, dilation_w,
    groups, pass,     beta,     dtype,   weight_dtype, out_dtype, pipe_parameter};

constexpr std::string_view traffic =
    "input once (where strides skip it, only what the kernel touches), weights once, output once. With beta not "
    "0 the output twice; a gradient is written instead of read";
constexpr std::string_view source = "Chetlur et al., \"cuDNN\", 2014: direct convolution";

constexpr std::array convolution_specs{
    OperationSpec{.name = "conv2d",
                  .aliases = "conv|convolution",
                  .summary = "2D convolution, direct count",
                  .noun = "a 2D convolution of this shape",
                  .work = "2 * batch filters out_h out_w * (channels / groups) kernel_h kernel_w, "
                          "out = floor((size + 2 padding - dilation (kernel - 1) - 1) / stride) + 1",
                  .traffic = traffic,
                  .source = source,
                  .example = "conv2d batch=32 channels=64 height=56 filters=64 kernel_h=3 padding=1",
                  .parameters = conv2d_parameters,
                  .model = conv2d_model},
    OperationSpec{
        .name = "conv3d",
        .summary = "3D convolution, direct count",
        .noun = "a 3D convolution of this shape",
        .work = "2 * batch filters out_d out_h out_w * (channels / groups) kernel_d kernel_h kernel_w",
        .traffic = traffic,
        .source = source,
        .example = "conv3d channels=64 depth=16 height=56 filters=64 kernel_d=3 kernel_h=3 padding=1",
        .parameters = conv3d_parameters,
        .model = conv3d_model}};

}  // namespace

double touched_by(const WindowSteps& steps, double windows, double size, double length) {
    constexpr double most_looked_at = 1 << 16;
    if (length > most_looked_at || windows * size > most_looked_at) return std::min(length, windows * size);
    std::vector<bool> touched(static_cast<std::size_t>(length));
    for (double window = 0; window < windows; ++window)
        for (double element = 0; element < size; ++element) {
            const double position = window * steps.stride + element * steps.dilation - steps.padding;
            if (position >= 0 && position < length) touched[static_cast<std::size_t>(position)] = true;
        }
    return static_cast<double>(std::ranges::count(touched, true));
}

constinit const std::span<const OperationSpec> convolutions = convolution_specs;

}  // namespace roofwalk
