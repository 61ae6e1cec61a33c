// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace roofwalk {

/// The sizes of a network, with the members and their names of a config.json as model hubs keep it. What is
/// absent the network does not have, or follows from the others.
struct ModelDocument {
    std::string name;         ///< "Llama 2 7B"; of a document without one that of its file or folder
    std::string description;  ///< where the sizes come from
    std::string type;         ///< "llama", "vit", "resnet"
    std::string activation;   ///< "silu", "gelu"; empty where nobody says
    bool text_part = false;   ///< the sizes are those of its text_config, of a network that sees images too
    std::optional<double> rms_norm_eps;
    std::optional<bool> tied_embeddings;

    std::optional<double> hidden;
    std::optional<double> intermediate;
    std::optional<double> heads;
    std::optional<double> kv_heads;  ///< absent: as many as heads
    std::optional<double> head_dim;  ///< absent: hidden / heads
    std::optional<double> layers;
    std::optional<double> vocabulary;
    std::vector<std::string> layer_types;  ///< "full_attention", "sliding_attention", ...; empty: all alike
    std::optional<double> full_attention_interval;  ///< only every so manieth layer has attention
    std::optional<double> window;                   ///< keys that a token of a sliding layer sees
    std::optional<bool> uses_window;
    std::optional<double> chunk;  ///< a token of a chunked layer sees those of its own one

    std::optional<double> experts;  ///< of a layer; absent: none
    std::optional<double> experts_per_token;
    std::optional<double> shared_experts;       ///< that every token passes
    std::optional<double> shared_intermediate;  ///< their width together; absent: that of an expert for each
    std::optional<double> expert_intermediate;
    std::optional<double> dense_layers;        ///< without experts, the first ones
    std::optional<double> dense_intermediate;  ///< their width; absent: intermediate
    std::optional<double> expert_step;         ///< only every so manieth layer has experts

    bool multi_query = true;     ///< of a Falcon: all heads share one of K and V,
    bool grouped_query = false;  ///< unless it is of the newer form

    std::optional<double> q_rank;   ///< of latent attention, as the five below; absent: a whole projection
    std::optional<double> kv_rank;  ///< absent: K and V stand in the cache as they are
    std::optional<double> qk_nope_dim;
    std::optional<double> qk_rope_dim;
    std::optional<double> v_dim;

    std::optional<double> image_size;  ///< [px]
    std::optional<double> patch_size;  ///< [px]
    std::optional<double> channels;
    std::optional<double> labels;
    std::optional<double> embedding;   ///< of a residual network, as the two below
    std::vector<double> stage_widths;  ///< channels after each stage
    std::vector<double> stage_depths;  ///< blocks of each stage

    /// The last product has the weights of the embedding; a config.json of Gemma leaves that out, as those of
    /// GPT-2, OPT and Falcon.
    [[nodiscard]] bool ties_embeddings() const {
        return tied_embeddings.value_or(type.starts_with("gemma") || type == "falcon" || learns_positions());
    }
    /// It adds a vector for each position to the embedding, and turns neither queries nor keys.
    [[nodiscard]] bool learns_positions() const { return type == "gpt2" || type == "opt"; }
    /// One of the family of Llama: RMS norms, and a gate in its feed-forward part, also where it says
    /// neither.
    [[nodiscard]] bool is_like_llama() const;
    [[nodiscard]] bool is_convolutional() const { return !stage_widths.empty(); }
    /// Works on images, and writes no text.
    [[nodiscard]] bool is_vision() const { return is_convolutional() || patch_size.has_value(); }
};

/// Reads a document of `resources/models` or a config.json; `where` stands for the file in messages. Members
/// that the operations do not need are passed over. Errors: bad_json, bad_schema, of members that lack, and
/// of networks that write no text, or without attention; too_large beyond 1 MiB.
[[nodiscard]] Result<ModelDocument> read_model(std::string_view text, const std::string& where);

/// A document of `resources/models`, built into the program.
struct ModelText {
    std::string_view id;    ///< name of the file without its suffix: "llama-2-7b"
    std::string_view json;  ///< read_model()
};
/// By name.
[[nodiscard]] std::span<const ModelText> models_json();
/// A built-in model by the name of its document, in any case; an error lists them.
[[nodiscard]] Result<ModelDocument> built_in_model(std::string_view id);

}  // namespace roofwalk
