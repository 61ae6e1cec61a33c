// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of sequences of different lengths, over a latent KV cache, and backwards.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

Result<OperationModel> varlen_model(const OperationArguments& arguments) {
    const auto [tokens, squares, heads, kv_heads, dim] =
        numbers_of(arguments, "tokens", "squares", "heads", "kv_heads", "head_dim");
    if (squares < tokens || squares > tokens * tokens)
        return refused("attention_varlen",
                       fmt::format("squares={} is not the sum of squares of {} tokens", squares, tokens),
                       "It is at least tokens (sequences of one) and at most tokens^2 (one sequence).");
    if (std::fmod(heads, kv_heads) != 0)
        return refused("attention_varlen", fmt::format("{} heads cannot share {} KV heads", heads, kv_heads),
                       "heads must be a multiple of kv_heads.");
    const DataType type = arguments.type("dtype");
    const double pairs = arguments.flag("causal") ? (squares + tokens) / 2 : squares;
    OperationModel model;
    model.work = {matrix_work(arguments, type, Flops(4 * heads * dim * pairs))};
    model.read = Bytes(packed_bytes(tokens * heads * dim, type) +
                       2 * packed_bytes(tokens * kv_heads * dim, arguments.type("kv_dtype")));
    model.written = Bytes(packed_bytes(tokens * heads * dim, type));
    model.notes.emplace_back("Softmax and the list of lengths are not counted.");
    return model;
}

Result<OperationModel> latent_model(const OperationArguments& arguments) {
    const double batch = arguments.number("batch");
    const double rows = batch * arguments.number("heads");
    const auto [context, latent] = numbers_of(arguments, "context", "latent");
    const double key = latent + arguments.number("rope");
    const DataType type = arguments.type("dtype");
    OperationModel model;
    model.work = {matrix_work(arguments, type, Flops(2 * rows * context * (key + latent)))};
    model.read = Bytes(packed_bytes(batch * context * key, arguments.type("kv_dtype")) +
                       packed_bytes(rows * key, type));
    model.written = Bytes(packed_bytes(rows * latent, type));
    model.notes.emplace_back(
        "All heads read one latent vector a token, which is key and value at once. The "
        "products that make queries and outputs of it are no part.");
    return model;
}

Result<OperationModel> backward_model(const OperationArguments& arguments) {
    const auto [batch, heads, kv_heads, seq, kv_seq, dim, v_dim] =
        numbers_of(arguments, "batch", "heads", "kv_heads", "seq", "kv_seq", "head_dim", "v_dim");
    const auto seen = seen_scores(arguments);
    if (std::fmod(heads, kv_heads) != 0 || !seen)
        return refused("attention_backward", "These heads or lengths cannot be",
                       "heads must be a multiple of kv_heads; with a causal mask kv_seq at least seq, or "
                       "diagonal=top_left; a window needs causal=yes.");
    const DataType type = arguments.type("dtype");
    const double queries = batch * heads * seq;
    const double of_a_key = batch * kv_heads * (dim + v_dim);
    OperationModel model;
    model.work = {
        matrix_work(arguments, type, Flops(2 * batch * heads * seen->pairs * (3 * dim + 2 * v_dim)))};
    const DataType of_mask = arguments.type("mask_dtype");
    model.read = Bytes(packed_bytes(queries * (dim + 2 * v_dim) + of_a_key * seen->keys, type) +
                       packed_bytes(arguments.number("mask"), of_mask));
    model.written = Bytes(packed_bytes(queries * dim + of_a_key * kv_seq, type) +
                          packed_bytes(arguments.number("mask_gradient"), of_mask));
    model.notes.emplace_back(
        "Five products: the scores again, and the gradients of probabilities, V, Q and K. The statistics of "
        "softmax are not counted.");
    return model;
}

constexpr auto head_dim = count_parameter("head_dim", "", "elements", "length of a head");
constexpr auto heads = count_parameter("heads", "1", "heads", "query heads");
constexpr auto kv_heads = count_parameter("kv_heads", "=heads", "heads", "heads of K and V");
constexpr auto causal = flag_parameter("causal", "no", "a query sees itself and the keys before it");

constexpr std::array varlen_parameters{
    count_parameter("tokens", "", "tokens", "tokens of all sequences"),
    count_parameter("squares", "", "tokens", "sum of the squares of their lengths"),
    head_dim,
    heads,
    kv_heads,
    causal,
    dtype_parameter("fp16"),
    type_parameter("kv_dtype", "type of K and V"),
    pipe_parameter};
constexpr std::array latent_parameters{
    count_parameter("context", "", "tokens", "tokens in the cache of one sequence"),
    count_parameter("heads", "", "heads", "query heads"),
    count_parameter("latent", "512", "elements", "length of the latent vector of a token"),
    count_parameter("rope", "64", "elements", "length of the key part with positions, shared by all heads",
                    0),
    count_parameter("batch", "1", "sequences", "sequences that each decode one token"),
    dtype_parameter("bf16"),
    type_parameter("kv_dtype", "type of the cache"),
    pipe_parameter};
constexpr std::array backward_parameters{
    count_parameter("seq", "", "tokens", "queries of one sequence"),
    count_parameter("kv_seq", "=seq", "tokens", "keys of one sequence"),
    head_dim,
    count_parameter("v_dim", "=head_dim", "elements", "length of a head of V"),
    heads,
    kv_heads,
    count_parameter("batch", "1", "sequences", "sequences"),
    causal,
    diagonal_parameter,
    window_parameter,
    mask_parameter,
    count_parameter("mask_gradient", "0", "elements", "elements of the gradient of the mask", 0),
    dtype_parameter("fp16"),
    mask_dtype_parameter,
    pipe_parameter};

constexpr std::array attention_variants_specs{
    OperationSpec{.name = "attention_varlen",
                  .aliases = "flash_attention_varlen",
                  .summary = "attention over sequences of different lengths, packed",
                  .noun = "attention over these sequences",
                  .work = "4 heads head_dim squares; causal: (squares + tokens) / 2 in place of squares",
                  .traffic = "2 tokens (heads + kv_heads) head_dim * bytes of an element",
                  .source = "Dao, \"FlashAttention-2\", 2023: each sequence by itself",
                  .example = "attention_varlen tokens=3000 squares=5000000 head_dim=128 heads=32",
                  .parameters = varlen_parameters,
                  .model = varlen_model},
    OperationSpec{
        .name = "latent_attention_decode",
        .aliases = "mla",
        .summary = "multi-head latent attention of one new token",
        .noun = "latent attention of this shape",
        .work = "batch heads * 2 context (2 latent + rope)",
        .traffic = "batch * (context + heads) (latent + rope) + batch heads latent, * bytes of an element",
        .source = "DeepSeek-AI, \"DeepSeek-V2\", 2024: products with the latent vectors themselves",
        .example = "latent_attention_decode context=4096 heads=128",
        .parameters = latent_parameters,
        .model = latent_model},
    OperationSpec{
        .name = "attention_backward",
        .summary = "gradients of attention, scores computed again",
        .noun = "the backward pass of this attention",
        .work = "batch heads * 2 seq kv_seq (3 head_dim + 2 v_dim); causal as for attention_prefill",
        .traffic =
            "2 batch * (heads seq + kv_heads kv_seq) * (head_dim + v_dim) * bytes of an element; mask and its gradient",
        .source = "Dao et al., \"FlashAttention\", 2022, algorithm 4: five products",
        .example = "attention_backward seq=2048 head_dim=128 heads=32 causal=yes",
        .parameters = backward_parameters,
        .model = backward_model}};

}  // namespace

constinit const std::span<const OperationSpec> attention_variants = attention_variants_specs;

}  // namespace roofwalk
