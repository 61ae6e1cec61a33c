// SPDX-License-Identifier: GPL-3.0-or-later
// Residual networks of bottleneck blocks: 1x1, 3x3 and 1x1 convolutions beside a shortcut.
#include "core/atlas/model_work.h"

namespace roofwalk {

namespace {

/// A square convolution that keeps the size of the image, but for its stride.
struct Convolution {
    double channels = 1;
    double filters = 1;
    double size = 1;  ///< of the input [px]
    int kernel = 1;
    int stride = 1;
};

void add(WorkList& list, std::string name, double times, const Convolution& of) {
    const ModelRun& run = list.run();
    std::string text =
        fmt::format("conv2d batch={:.0f} channels={:.0f} height={:.0f} filters={:.0f} kernel_h={}", run.batch,
                    of.channels, of.size, of.filters, of.kernel);
    if (of.stride > 1) text += fmt::format(" stride={}", of.stride);
    if (of.kernel > 1) text += fmt::format(" padding={}", of.kernel / 2);
    text += fmt::format(" dtype={}", name_of(run.activations));
    if (run.weights != run.activations) text += fmt::format(" weight_dtype={}", name_of(run.weights));
    const double weights = times * of.channels * of.filters * of.kernel * of.kernel;
    list.add(std::move(name), times, std::move(text)).parameters = weights;
    list.work().weights += weights;
}

double halved(double size) {
    return std::ceil(size / 2);
}

/// Blocks that are alike; the first of a stage changes width and, after the first stage, size.
void add_blocks(WorkList& list, const std::string& stage, double blocks, double channels, double width,
                double size, int stride) {
    const double narrow = width / 4;
    const double after = stride > 1 ? halved(size) : size;
    add(list, stage + " 1x1 in", blocks, {channels, narrow, size});
    add(list, stage + " 3x3", blocks, {narrow, narrow, size, 3, stride});
    add(list, stage + " 1x1 out", blocks, {narrow, width, after});
    if (channels != width || stride > 1)
        add(list, stage + " shortcut", blocks, {channels, width, size, 1, stride});
    list.add_elementwise(stage + " sum", blocks, list.run().batch * after * after * width, 2, 2);
}

}  // namespace

void add_convolutions(const ModelDocument& model, WorkList& list) {
    list.work().items = list.run().batch;
    double channels = *model.embedding;
    double size = model.image_size.value_or(224);
    add(list, "embedder", 1, {model.channels.value_or(3), channels, size, 7, 2});
    size = halved(size);
    list.add("pooler", 1,
             fmt::format("custom flops=8*{0:.0f} read={1}*4*{0:.0f} write={1}*{0:.0f}",
                         list.run().batch * halved(size) * halved(size) * channels,
                         bytes_of(list.run().activations)));
    size = halved(size);
    for (std::size_t i = 0; i < model.stage_widths.size(); ++i) {
        const double width = model.stage_widths[i];
        const std::string stage = fmt::format("stage {}", i + 1);
        const int stride = i == 0 ? 1 : 2;
        add_blocks(list, stage + " first", 1, channels, width, size, stride);
        if (stride > 1) size = halved(size);
        channels = width;
        if (model.stage_depths[i] > 1)
            add_blocks(list, stage, model.stage_depths[i] - 1, channels, width, size, 1);
    }
    list.add(
        "mean", 1,
        fmt::format("reduction n={:.0f} outputs={:.0f} dtype={}", list.run().batch * size * size * channels,
                    list.run().batch * channels, name_of(list.run().activations)));
    list.add_product("classifier", 1, {list.run().batch, model.labels.value_or(1000), channels});
    list.work().notes.emplace_back(
        "Batch norm is folded into the convolutions, and ReLU is part of them; biases are not counted.");
}

}  // namespace roofwalk
