// SPDX-License-Identifier: GPL-3.0-or-later
// Transformers: those that write text, with caches, experts and latent attention, and those that see images.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/atlas/model_work.h"
#include "core/base/text.h"

namespace roofwalk {

namespace {

/// What the parts of a network have in common.
struct Shape {
    const ModelDocument& model;
    double tokens = 1;  ///< of a step
    double context = 1;
    double layers = 1;
    double whole = 1;     ///< layers whose attention sees all tokens before
    double windowed = 0;  ///< and no more of them than `window`
    double window = 0;
    bool chunked = false;  ///< windows stand one after another, and only their layers turn queries and keys
    double hidden = 1;
    double heads = 1;
    double kv_heads = 1;
    double head_dim = 1;
    bool rms = false;    ///< norms without a mean
    bool gated = false;  ///< the feed-forward part has a gate
    bool prefill = false;
};

/// How many layers see what.
void spread_attention(Shape& shape) {
    const ModelDocument& model = shape.model;
    const bool slides = model.window && model.uses_window.value_or(true);
    const auto of_type = [&](std::string_view type) {
        return static_cast<double>(std::ranges::count(model.layer_types, type));
    };
    shape.whole = shape.layers;
    const bool chunked = !slides && model.chunk;
    if (slides) shape.window = *model.window;
    if (!model.layer_types.empty()) {
        shape.whole = of_type("full_attention");
        (slides ? shape.windowed : shape.whole) += of_type("sliding_attention");
        (chunked ? shape.windowed : shape.whole) += of_type("chunked_attention");
    } else if (chunked && model.type.starts_with("llama4")) {
        shape.whole = std::floor(shape.layers / 4);  // no_rope_layers as its family has them
        shape.windowed = shape.layers - shape.whole;
    } else if (model.full_attention_interval) {
        shape.whole = std::floor(shape.layers / *model.full_attention_interval);
    } else if (slides && (model.type == "mistral" || model.type == "phi3")) {
        std::swap(shape.whole, shape.windowed);
    }
    shape.chunked = chunked && shape.windowed > 0;
    if (shape.chunked) shape.window = *model.chunk;
}

Shape shape_of(const ModelDocument& model, const ModelRun& run) {
    Shape shape{.model = model};
    shape.prefill = run.phase == ModelPhase::prefill;
    shape.context = run.context;
    if (model.patch_size) {
        const double side = std::floor(model.image_size.value_or(224) / *model.patch_size);
        shape.context = side * side + 1;  // and the token of the class
    }
    shape.tokens = run.batch * (shape.prefill ? shape.context : 1);
    shape.layers = *model.layers;
    shape.hidden = *model.hidden;
    shape.heads = *model.heads;
    shape.kv_heads = model.kv_heads.value_or(shape.heads);
    shape.head_dim = model.head_dim.value_or(shape.hidden / shape.heads);
    spread_attention(shape);
    shape.rms = model.rms_norm_eps.has_value() || model.is_like_llama();
    shape.gated = model.activation == "silu" || model.activation == "swish" ||
                  model.type.starts_with("gemma") || (model.activation.empty() && model.is_like_llama());
    return shape;
}

std::string attention_text(const Shape& shape, const ModelRun& run, double heads, double kv_heads, double dim,
                           double window = 0) {
    const bool chunked = window > 0 && shape.chunked;
    const double rest = std::fmod(shape.context, window);
    if (chunked && shape.prefill)
        return fmt::format(
            "attention_varlen tokens={:.0f} squares={:.0f} head_dim={:.0f} heads={:.0f} kv_heads={:.0f} causal=yes "
            "dtype={}",
            shape.tokens, run.batch * ((shape.context - rest) * window + rest * rest), dim, heads, kv_heads,
            name_of(run.activations));
    const double seen = chunked && rest > 0 ? rest
                        : window > 0        ? std::min(window, shape.context)
                                            : shape.context;
    std::string text = shape.prefill ? fmt::format("attention_prefill seq={:.0f}", shape.context)
                                     : fmt::format("attention_decode context={:.0f} query_output=yes", seen);
    text += fmt::format(" head_dim={:.0f} heads={:.0f} kv_heads={:.0f} batch={:.0f} dtype={}", dim, heads,
                        kv_heads, run.batch, name_of(run.activations));
    if (shape.prefill && !shape.model.is_vision()) text += " causal=yes";
    if (shape.prefill && window > 0) text += fmt::format(" window={:.0f}", window);
    // A prompt's own keys and values come from the products before, and are not in the cache's type yet.
    if (!shape.prefill && run.kv != run.activations) text += fmt::format(" kv_dtype={}", name_of(run.kv));
    return text;
}

void add_attention(const Shape& shape, WorkList& list) {
    const double queries = shape.heads * shape.head_dim;
    const double keys = shape.kv_heads * shape.head_dim;
    const double layers = shape.whole + shape.windowed;
    list.add_product("q_proj", layers, {shape.tokens, queries, shape.hidden});
    list.add_product("k_proj, v_proj", 2 * layers, {shape.tokens, keys, shape.hidden});
    if (!shape.model.is_vision() && !shape.model.learns_positions())
        list.add("rope", shape.chunked ? shape.windowed : layers,
                 fmt::format("rope tokens={:.0f} heads={:.0f} head_dim={:.0f} dtype={}", shape.tokens,
                             shape.heads + shape.kv_heads, shape.head_dim, name_of(list.run().activations)));
    if (shape.whole > 0)
        list.add("attention", shape.whole,
                 attention_text(shape, list.run(), shape.heads, shape.kv_heads, shape.head_dim));
    if (shape.windowed > 0)
        list.add(
            shape.chunked ? "attention in a chunk" : "attention in a window", shape.windowed,
            attention_text(shape, list.run(), shape.heads, shape.kv_heads, shape.head_dim, shape.window));
    list.add_product("o_proj", layers, {shape.tokens, shape.hidden, queries});
    const double kept = shape.whole + shape.windowed * std::min(1.0, shape.window / shape.context);
    if (!shape.model.is_vision()) list.work().kv_elements = 2 * keys * kept;
}

/// Attention of DeepSeek: the cache holds what keys and values are made of. While it decodes, the products
/// that would make them are put before the query and behind the sum.
void add_latent_attention(const Shape& shape, WorkList& list) {
    const ModelDocument& model = shape.model;
    const double key = *model.qk_nope_dim;
    const double turned = *model.qk_rope_dim;
    const double value = *model.v_dim;
    const double latent = *model.kv_rank;
    const double queries = shape.heads * (key + turned);
    if (model.q_rank) {
        list.add_product("q_a_proj", shape.layers, {shape.tokens, *model.q_rank, shape.hidden});
        list.add_norm("q_a_layernorm", shape.layers, shape.tokens, *model.q_rank, shape.rms);
        list.add_product("q_b_proj", shape.layers, {shape.tokens, queries, *model.q_rank});
    } else {
        list.add_product("q_proj", shape.layers, {shape.tokens, queries, shape.hidden});
    }
    list.add_product("kv_a_proj", shape.layers, {shape.tokens, latent + turned, shape.hidden});
    list.add_norm("kv_a_layernorm", shape.layers, shape.tokens, latent, shape.rms);
    list.add("rope", shape.layers,
             fmt::format("rope tokens={:.0f} heads={:.0f} head_dim={:.0f} dtype={}", shape.tokens,
                         shape.heads + 1, turned, name_of(list.run().activations)));
    if (shape.prefill) {
        list.add_product("kv_b_proj", shape.layers, {shape.tokens, shape.heads * (key + value), latent});
        // Queries and keys of key + turned, values and outputs of `value`: the mean has their work and bytes.
        list.add("attention", shape.layers,
                 attention_text(shape, list.run(), shape.heads, shape.heads, (key + turned + value) / 2));
    } else {
        list.add_product("kv_b_proj of K", shape.layers, {shape.tokens, latent, key, shape.heads});
        const ModelRun& run = list.run();
        list.add("attention", shape.layers,
                 fmt::format("latent_attention_decode context={:.0f} heads={:.0f} latent={:.0f} rope={:.0f} "
                             "batch={:.0f} dtype={} kv_dtype={}",
                             shape.context, shape.heads, latent, turned, run.batch, name_of(run.activations),
                             name_of(run.kv)));
        list.add_product("kv_b_proj of V", shape.layers, {shape.tokens, value, latent, shape.heads});
    }
    list.add_product("o_proj", shape.layers, {shape.tokens, shape.hidden, shape.heads * value});
    list.work().kv_elements = (latent + turned) * shape.layers;
}

/// silu(gate) * up takes 3 FLOP (the sigmoid counts as one), another function of one input 2.
void add_activation(const Shape& shape, WorkList& list, std::string name, double times, double n) {
    list.add_elementwise(std::move(name), times, n, shape.gated ? 2 : 1, shape.gated ? 3 : 2);
}

void add_feed_forward(const Shape& shape, WorkList& list, const std::string& prefix, double layers,
                      double width) {
    if (layers <= 0) return;
    if (shape.gated)
        list.add_product(prefix + "gate_proj, up_proj", 2 * layers, {shape.tokens, width, shape.hidden});
    else
        list.add_product(prefix + "up_proj", layers, {shape.tokens, width, shape.hidden});
    add_activation(shape, list, prefix + "activation", layers, shape.tokens * width);
    list.add_product(prefix + "down_proj", layers, {shape.tokens, shape.hidden, width});
}

void add_expert_layers(const Shape& shape, WorkList& list, double layers) {
    const ModelDocument& model = shape.model;
    if (layers <= 0) return;
    const double width = model.expert_intermediate.value_or(*model.intermediate);
    list.add_product("router", layers, {shape.tokens, *model.experts, shape.hidden});
    const double shared = model.shared_intermediate.value_or(model.shared_experts.value_or(0) * width);
    if (shared > 0) add_feed_forward(shape, list, "shared expert ", layers, shared);
    const double inputs = shape.gated ? 2 : 1;
    list.add_experts(shape.gated ? "experts gate_proj, up_proj" : "experts up_proj", inputs * layers,
                     shape.tokens, model, width, shape.hidden);
    add_activation(shape, list, "experts activation", layers,
                   shape.tokens * *model.experts_per_token * width);
    list.add_experts("experts down_proj", layers, shape.tokens, model, shape.hidden, width);
    list.add_elementwise("experts sum", layers, shape.tokens * shape.hidden, *model.experts_per_token,
                         2 * *model.experts_per_token);
}

void add_first(const Shape& shape, WorkList& list) {
    const ModelDocument& model = shape.model;
    const ModelRun& run = list.run();
    if (!model.patch_size) {
        list.add(
            "embedding", 1,
            fmt::format("copy n={:.0f} dtype={}", shape.tokens * shape.hidden, name_of(run.activations)));
        if (!model.ties_embeddings()) list.add_embeddings(*model.vocabulary * shape.hidden);
        return;
    }
    const double channels = model.channels.value_or(3);
    list.add_product(
        "patch embedding", 1,
        {shape.tokens - run.batch, shape.hidden, channels * *model.patch_size * *model.patch_size});
    const double positions = shape.context * shape.hidden;
    list.add("position embedding", 1,
             fmt::format("custom flops={0:.0f} read=({0:.0f}+{1:.0f})*{2} write={0:.0f}*{2}",
                         run.batch * positions, positions, bytes_of(run.activations)));
    list.add_embeddings(positions + shape.hidden);
}

/// Only the last token of a prompt, and the one that stands for an image, get there.
void add_last(const Shape& shape, WorkList& list) {
    const double rows = list.run().batch;
    list.add_norm("last norm", 1, rows, shape.hidden, shape.rms);
    const bool sees = shape.model.patch_size.has_value();
    list.add_product(
        sees ? "classifier" : "lm_head", 1,
        {rows, sees ? shape.model.labels.value_or(1000) : *shape.model.vocabulary, shape.hidden});
}

/// What of a config.json was taken, and what was not.
void add_reading(const Shape& shape, std::vector<std::string>& notes) {
    const ModelDocument& model = shape.model;
    const double others = shape.layers - shape.whole - shape.windowed;
    if (model.text_part) notes.emplace_back("Of its parts the text_config alone is counted, and no images.");
    if (model.activation.empty())
        notes.push_back(fmt::format("It has no hidden_act: a feed-forward part {} a gate is assumed.",
                                    shape.gated ? "with" : "without"));
    if (!model.rms_norm_eps)
        notes.push_back(
            fmt::format("It has no rms_norm_eps: {} is assumed.", shape.rms ? "RMSNorm" : "LayerNorm"));
    if (model.learns_positions())
        notes.emplace_back("Its table of positions, and adding their vectors, is not counted.");
    if (others > 0)
        notes.push_back(fmt::format(
            "{} of {} layers have linear attention or a state: their products there, their work and "
            "what they keep are not counted.",
            format_count(others), format_count(shape.layers)));
    if (shape.windowed > 0)
        notes.push_back(fmt::format(
            "In {} of {} layers a token sees {} tokens ({}), and the cache keeps no more of each sequence.{}",
            format_count(shape.windowed), format_count(shape.layers),
            (shape.chunked ? "those of its chunk of " : "") + format_count(shape.window),
            shape.chunked ? "attention_chunk_size" : "sliding_window",
            shape.chunked ? " The others have no RoPE." : ""));
    else if (shape.window > 0)
        notes.push_back(
            fmt::format("Its sliding_window of {} tokens is not counted, as layer_types does not say "
                        "where: every layer sees all tokens.",
                        format_count(shape.window)));
}

}  // namespace

void add_transformer(const ModelDocument& model, WorkList& list) {
    const Shape shape = shape_of(model, list.run());
    list.work().items = model.is_vision() ? list.run().batch : shape.tokens;
    add_first(shape, list);
    list.add_norm("norms", 2 * shape.layers, shape.tokens, shape.hidden, shape.rms);
    if (model.kv_rank)
        add_latent_attention(shape, list);
    else
        add_attention(shape, list);
    const double dense = model.experts ? model.dense_layers.value_or(0) : shape.layers;
    add_feed_forward(shape, list, "", dense, model.dense_intermediate.value_or(*model.intermediate));
    if (model.experts) add_expert_layers(shape, list, shape.layers - dense);
    list.add_elementwise("residual sums", 2 * shape.layers, shape.tokens * shape.hidden, 2, 1);
    add_last(shape, list);
    std::vector<std::string>& notes = list.work().notes;
    notes.emplace_back(
        "Every operation is a launch of its own, and each product is one; a fused one moves less. Biases are not "
        "counted.");
    if (!model.is_vision()) add_reading(shape, notes);
    if (model.experts)
        notes.emplace_back(
            "Tokens choose their experts alike and evenly; the experts that get none are not read.");
    if (!model.is_vision() && shape.prefill)
        notes.push_back(
            fmt::format("Only the last token of each prompt reaches lm_head: in the tokens of its "
                        "ridge each counts with the {} of its prompt.",
                        format_count(list.run().context)));
    if (!model.is_vision() && !shape.prefill)
        notes.emplace_back("The rows that a step adds to the KV cache are not counted.");
}

}  // namespace roofwalk
