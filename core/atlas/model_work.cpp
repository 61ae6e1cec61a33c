// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/model_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/operations/op_parser.h"

namespace roofwalk {

namespace {

std::string gemm_text(const ModelRun& run, const Product& product) {
    std::string text = fmt::format("gemm m={:.0f} n={:.0f} k={:.0f}", product.rows, product.n, product.k);
    if (product.copies > 1) text += fmt::format(" batch={:.0f}", product.copies);
    text += fmt::format(" dtype={}", name_of(run.activations));
    if (run.weights != run.activations) text += fmt::format(" b={}", name_of(run.weights));
    return text;
}

/// One launch that does both.
void join(OperationModel& model, const OperationModel& other) {
    model.work.front().work += other.work.front().work;
    model.read += other.read;
    model.written += other.written;
    model.shared += other.shared;
}

/// How many experts get a token when each token chooses `per_token` of them alike: n (1 - (1 - k/n)^t).
double experts_at_work(double experts, double per_token, double tokens) {
    return experts * (1 - std::pow(1 - per_token / experts, tokens));
}

}  // namespace

Bytes ModelWork::weight_bytes(const ModelRun& run) const {
    return Bytes(packed_bytes(weights, run.weights) + packed_bytes(embeddings, run.activations));
}

Bytes ModelWork::kv_bytes_per_sequence(const ModelRun& run) const {
    return Bytes(packed_bytes(kv_elements * run.context, run.kv));
}

ModelOperation& WorkList::add(std::string name, double times, std::string text) {
    ModelOperation& operation = work_.operations.emplace_back();
    operation.name = std::move(name);
    operation.times = times;
    operation.text = std::move(text);
    Result<OperationModel> model = model_operation(operation.text);
    if (model)
        operation.model = *std::move(model);
    else if (!error_)
        error_ = std::move(model).error();
    return operation;
}

void WorkList::add_product(std::string name, double times, const Product& product) {
    ModelOperation& operation = add(std::move(name), times, gemm_text(run_, product));
    operation.parameters = times * product.copies * product.n * product.k;
    operation.items_per_row = work_.items / product.rows;
    work_.weights += operation.parameters;
}

void WorkList::add_norm(std::string name, double times, double rows, double cols, bool rms) {
    add(std::move(name), times,
        fmt::format("{} rows={:.0f} cols={:.0f} dtype={}", rms ? "rmsnorm" : "layernorm", rows, cols,
                    name_of(run_.activations)));
    work_.operations.back().parameters = times * cols * (rms ? 1 : 2);
    work_.embeddings += work_.operations.back().parameters;
}

void WorkList::add_elementwise(std::string name, double times, double n, double inputs, double flops) {
    add(std::move(name), times,
        fmt::format("elementwise n={:.0f} inputs={:.0f} flops={:.0f} dtype={}", n, inputs, flops,
                    name_of(run_.activations)));
}

void WorkList::add_experts(std::string name, double times, double tokens, const ModelDocument& model,
                           double n, double k) {
    const double experts = *model.experts;
    const double per_token = *model.experts_per_token;
    const double expected = experts_at_work(experts, per_token, tokens);
    const double active = std::clamp(std::round(expected), per_token, std::min(experts, tokens * per_token));
    const double fewer = std::floor(tokens * per_token / active);
    const double with_one_more = tokens * per_token - fewer * active;
    ModelOperation& operation =
        add(std::move(name), times, gemm_text(run_, {fewer, n, k, active - with_one_more}));
    if (with_one_more > 0) {
        const std::string more = gemm_text(run_, {fewer + 1, n, k, with_one_more});
        if (const auto other = model_operation(more)) join(operation.model, *other);
        operation.text += " + " + more;
    }
    // Products are of a whole number of experts; what is read is the mean of all choices.
    const Bytes more_weights = operation.model.shared * (expected / active - 1);
    operation.model.read += more_weights;
    operation.model.shared += more_weights;
    const std::string mean = format_number(expected);
    const bool exact = mean == format_number(active);
    if (!exact) operation.text += fmt::format(" + weights of {} experts for {:.0f}", mean, active);
    operation.of_one_size = exact && with_one_more <= 0;
    operation.parameters = times * experts * n * k;
    operation.items_per_row = experts / per_token;
    work_.weights += operation.parameters;
}

Result<ModelWork> WorkList::take() {
    if (error_) return tl::unexpected(*std::move(error_));
    return std::move(work_);
}

Result<ModelWork> work_of(const ModelDocument& model, const ModelRun& run) {
    if (model.is_vision() && run.phase == ModelPhase::decode)
        return unexpected(ErrorCode::bad_argument, model.name + " writes no text, so it has no decode",
                          "--phase", "Its phase is prefill: every image at once.");
    WorkList list(run);
    if (model.is_convolutional())
        add_convolutions(model, list);
    else
        add_transformer(model, list);
    return list.take();
}

}  // namespace roofwalk
