// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of transformers. Prefill and decode are different points on the chart, so they are two
// operations.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

Result<double> checked_kv_heads(std::string_view operation, const OperationArguments& arguments) {
    const auto [heads, kv_heads] = numbers_of(arguments, "heads", "kv_heads");
    if (std::fmod(heads, kv_heads) == 0) return kv_heads;
    return refused(operation, fmt::format("{} heads cannot share {} KV heads", heads, kv_heads),
                   "heads must be a multiple of kv_heads.");
}

Bytes mask_bytes(const OperationArguments& arguments) {
    return Bytes(packed_bytes(arguments.number("mask"), arguments.type("mask_dtype")));
}

/// Two matrix products over every pair of a query and a key, and softmax where it is counted.
std::vector<PipeWork> prefill_work(const OperationArguments& arguments, double pairs) {
    const DataType type = arguments.type("dtype");
    const PipeWork products = matrix_work(
        arguments, type, Flops(2 * pairs * (arguments.number("head_dim") + arguments.number("v_dim"))));
    const PipeWork softmax{vector_pipe(type), Flops(arguments.number("softmax_flops") * pairs)};
    if (softmax.work.value() <= 0) return {products};
    if (softmax.pipe == products.pipe) return {{products.pipe, products.work + softmax.work}};
    return {products, softmax};
}

Result<OperationModel> prefill_model(const OperationArguments& arguments) {
    const auto kv_heads = checked_kv_heads("attention_prefill", arguments);
    if (!kv_heads) return tl::unexpected(kv_heads.error());
    const double rows = arguments.number("batch") * arguments.number("heads");
    const auto [seq, kv_seq, dim, v_dim] = numbers_of(arguments, "seq", "kv_seq", "head_dim", "v_dim");
    const auto seen = seen_scores(arguments);
    if (!seen)
        return refused(
            "attention_prefill",
            arguments.flag("causal") ? fmt::format("kv_seq={} is less than seq={}", kv_seq, seq)
                                     : "A window without a causal mask is not known",
            "With causal=yes kv_seq must be at least seq, or diagonal=top_left, as PyTorch's "
            "is_causal. A window needs it too: a query sees itself and the window - 1 keys before it.");
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = prefill_work(arguments, rows * seen->pairs);
    model.read = Bytes(packed_bytes(rows * seq * dim, type) +
                       packed_bytes(arguments.number("batch") * *kv_heads * seen->keys * (dim + v_dim),
                                    arguments.type("kv_dtype"))) +
                 mask_bytes(arguments);
    model.written = Bytes(packed_bytes(rows * seq * v_dim, type));
    model.notes.emplace_back("The work is that of Q K^T and P V; softmax is counted as softmax_flops says.");
    if (arguments.flag("causal"))
        model.notes.emplace_back("With a causal mask a query sees itself and the keys before it.");
    if (!arguments.flag("fused")) {
        const double passes = arguments.text("score_passes") == "2" ? 2 : 4;
        model.intermediates = Bytes(passes * packed_bytes(rows * seq * kv_seq, type));
        model.intermediates_of =
            fmt::format("the seq x kv_seq matrices of scores, crossing memory {} times", passes);
    }
    return model;
}

Result<OperationModel> decode_model(const OperationArguments& arguments) {
    const auto kv_heads = checked_kv_heads("attention_decode", arguments);
    if (!kv_heads) return tl::unexpected(kv_heads.error());
    const auto [batch, context, shared, dim] =
        numbers_of(arguments, "batch", "context", "shared_prefix", "head_dim");
    if (shared > context)
        return refused("attention_decode",
                       fmt::format("shared_prefix={} is longer than context={}", shared, context),
                       "The shared prefix is a part of the context.");

    const DataType type = arguments.type("dtype");
    const double rows = batch * arguments.number("heads");
    const double tokens = shared + batch * (context - shared);
    OperationModel model;
    model.work = {matrix_work(arguments, type, Flops(4 * rows * context * dim))};
    model.read =
        Bytes(2 * packed_bytes(tokens * *kv_heads * dim, arguments.type("kv_dtype"))) + mask_bytes(arguments);
    const Bytes vectors(packed_bytes(rows * dim, type));
    if (arguments.flag("query_output")) {
        model.read += vectors;
        model.written = vectors;
    } else {
        model.notes.push_back(fmt::format(
            "The query and the output, {} bytes each, are left out; query_output=yes counts them.",
            vectors.value()));
    }
    model.notes.emplace_back(
        "Every sequence reads a KV cache of its own. Only query heads that share a KV head and a shared prefix raise "
        "the intensity, a larger batch does not.");
    model.notes.emplace_back("Softmax and the new row of the KV cache are not counted.");
    return model;
}

constexpr ParameterSpec kv_heads_parameter{
    "kv_heads", "", ParameterKind::count, "=heads", "heads", "heads of K and V (fewer: grouped queries)", ""};

constexpr std::array prefill_parameters{
    count_parameter("seq", "", "tokens", "queries of one sequence"),
    count_parameter("kv_seq", "=seq", "tokens", "keys of one sequence"),
    count_parameter("head_dim", "", "elements", "length of a head"),
    count_parameter("v_dim", "=head_dim", "elements", "length of a head of V and of the output"),
    count_parameter("heads", "1", "heads", "query heads"),
    kv_heads_parameter,
    count_parameter("batch", "1", "sequences", "sequences"),
    flag_parameter("causal", "no", "a query sees itself and the keys before it"),
    diagonal_parameter,
    window_parameter,
    mask_parameter,
    flag_parameter("fused", "yes", "scores stay on chip"),
    ParameterSpec{"score_passes", "", ParameterKind::choice, "4", "passes",
                  "unfused: 4 writes and reads scores and probabilities, 2 counts each matrix once", "2|4"},
    ParameterSpec{"softmax_flops", "", ParameterKind::number, "0", "FLOP", "FLOP of softmax for each score",
                  ""},
    dtype_parameter("fp16"),
    type_parameter("kv_dtype", "type of K and V"),
    mask_dtype_parameter,
    pipe_parameter};

constexpr std::array decode_parameters{
    count_parameter("context", "", "tokens", "tokens in the KV cache of one sequence"),
    count_parameter("head_dim", "", "elements", "length of a head"),
    count_parameter("heads", "1", "heads", "query heads"),
    kv_heads_parameter,
    count_parameter("batch", "1", "sequences", "sequences that each decode one token"),
    count_parameter("shared_prefix", "0", "tokens", "first tokens of the context that all sequences share",
                    0),
    flag_parameter("query_output", "no", "count the bytes of the query and the output"),
    mask_parameter,
    dtype_parameter("fp16"),
    type_parameter("kv_dtype", "type of the KV cache"),
    mask_dtype_parameter,
    pipe_parameter};

constexpr std::array attention_specs{
    OperationSpec{
        .name = "attention_prefill",
        .aliases = "prefill|flash_attention|sdpa",
        .summary = "attention over a whole prompt, fused or not",
        .noun = "attention over a prompt of this shape",
        .work =
            "batch heads * 2 seq kv_seq (head_dim + v_dim). Causal, seq kv_seq - seq (seq - 1) / 2 in place of seq "
            "kv_seq; of top_left, seq (seq + 1) / 2 up to kv_seq. With a window at most so many keys of a query",
        .traffic = "batch * (heads seq + kv_heads kv_seq) * (head_dim + v_dim) * bytes of an element; mask; "
                   "unfused, score_passes * batch heads seq kv_seq elements besides",
        .source = "Dao et al., \"FlashAttention\", 2022",
        .example = "attention_prefill seq=2048 head_dim=128 heads=32 causal=yes",
        .parameters = prefill_parameters,
        .model = prefill_model},
    OperationSpec{
        .name = "attention_decode",
        .aliases = "decode|flash_decoding",
        .summary = "attention of one new token over a KV cache",
        .noun = "attention decode of this shape",
        .work = "batch heads * 4 context head_dim",
        .traffic =
            "2 kv_heads head_dim * (shared_prefix + batch * (context - shared_prefix)) * bytes of an element; mask",
        .source = "two matrix-vector products a head over K and V, each of which is read once",
        .example = "attention_decode context=4096 head_dim=128 heads=32 kv_heads=8",
        .parameters = decode_parameters,
        .model = decode_model}};

}  // namespace

constinit const std::span<const OperationSpec> attentions = attention_specs;

}  // namespace roofwalk
