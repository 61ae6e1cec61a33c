// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/model_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "core/base/json_decoder.h"
#include "core/base/nearest_names.h"
#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20U;
constexpr double largest_size = 1e9;
constexpr double most_layers = 10'000;

/// A whole number of the sizes that networks have.
struct Size {
    static bool read(const JsonValue& value, std::optional<double>& target) {
        double number = 0;
        if (!read_json(value, number)) return false;
        if (number < 0 || number > largest_size || number != std::floor(number))
            return value.fail("A size is a whole number of 0 to 1e9");
        if (number > 0) target = number;  // 0 experts are none
        return true;
    }
};

struct Sizes {
    static bool read(const JsonValue& value, std::vector<double>& target) {
        return value.each_item([&](const JsonValue& item) {
            std::optional<double> size;
            if (!Size::read(item, size)) return false;
            target.push_back(size.value_or(1));
            return target.size() <= 64 || too_many(item, "stages", 64);
        });
    }
};

/// The language model in a network that sees images too.
struct TextPart {
    static bool read(const JsonValue& value, ModelDocument& target);
};

auto size(std::optional<double>& target) {
    return coded<Size>(target);
}

/// What each kind of network cannot do without.
using Needed = std::pair<std::string_view, const std::optional<double>*>;

std::string missing(std::initializer_list<Needed> needed) {
    std::string names;
    for (const auto& [name, value] : needed)
        if (!*value) names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
}

std::string missing(const ModelDocument& model) {
    if (model.is_convolutional()) {
        std::string names = missing({{"embedding_size", &model.embedding}});
        if (model.stage_depths.size() != model.stage_widths.size())
            names += std::string(names.empty() ? "" : ", ") + "depths, one for each of hidden_sizes";
        return names;
    }
    std::string names = missing({{"hidden_size", &model.hidden},
                                 {"intermediate_size", &model.intermediate},
                                 {"num_attention_heads", &model.heads},
                                 {"num_hidden_layers", &model.layers}});
    std::string more;
    if (!model.patch_size) more = missing({{"vocab_size", &model.vocabulary}});
    if (model.experts && more.empty()) more = missing({{"num_experts_per_tok", &model.experts_per_token}});
    if (model.kv_rank && more.empty())
        more = missing({{"qk_nope_head_dim", &model.qk_nope_dim},
                        {"qk_rope_head_dim", &model.qk_rope_dim},
                        {"v_head_dim", &model.v_dim}});
    return names + (names.empty() || more.empty() ? "" : ", ") + more;
}

/// Of a network of bottleneck blocks.
std::string contradiction_of_stages(const ModelDocument& model) {
    if (std::ranges::any_of(model.stage_widths, [](double width) { return std::fmod(width, 4) != 0; }))
        return "The width of a stage is no multiple of 4, which its bottlenecks divide it by";
    if (std::ranges::any_of(model.stage_depths, [](double blocks) { return blocks > most_layers; }))
        return fmt::format("A stage has more than {} blocks", format_count(most_layers));
    return {};
}

/// Sizes that do not go together.
std::string contradiction(const ModelDocument& model) {
    if (model.is_convolutional()) return contradiction_of_stages(model);
    if (*model.layers > most_layers)
        return fmt::format("There are more than {} layers", format_count(most_layers));
    const auto divides = [](const std::optional<double>& part, const std::optional<double>& whole) {
        return !part || !whole || std::fmod(*whole, *part) == 0;
    };
    if (!model.head_dim && !model.kv_rank && !divides(model.heads, model.hidden))
        return "num_attention_heads does not divide hidden_size, and there is no head_dim";
    if (!model.layer_types.empty() && static_cast<double>(model.layer_types.size()) != *model.layers)
        return "layer_types has not one for each of num_hidden_layers";
    if (!divides(model.kv_heads, model.heads))
        return "num_key_value_heads does not divide num_attention_heads";
    if (model.experts && *model.experts_per_token > *model.experts)
        return "A token passes more experts than there are";
    if (model.dense_layers && *model.dense_layers > *model.layers)
        return "first_k_dense_replace is more than num_hidden_layers";
    if (model.kv_rank && std::fmod(*model.qk_nope_dim + *model.qk_rope_dim + *model.v_dim, 2) != 0)
        return "The sizes of keys and values of latent attention have an odd sum";
    if (model.patch_size && model.image_size && *model.patch_size > *model.image_size)
        return "A patch is larger than the image";
    return {};
}

constexpr std::string_view encoders =
    " bert roberta xlm-roberta distilbert electra albert camembert deberta deberta-v2 mpnet modernbert nomic_bert "
    "clip siglip t5 mt5 umt5 bart mbart pegasus marian whisper ";
constexpr std::string_view recurrent = " mamba mamba2 falcon_mamba rwkv rwkv5 ";

/// What its operations would be told falsely for.
std::string other_network(const ModelDocument& model) {
    const std::string word = " " + model.type + " ";
    if (model.type.find(' ') != std::string::npos || model.type.empty()) return {};
    if (contains(encoders, word))
        return fmt::format("A model of the kind {} has an encoder, and no decoder alone", model.type);
    if (contains(recurrent, word))
        return fmt::format("A model of the kind {} keeps a state, and has no attention", model.type);
    return {};
}

/// "Qwen2-7B" of "Qwen2-7B/config.json", and of "models--Qwen--Qwen2-7B/snapshots/0a1b/config.json".
std::string name_from(const std::filesystem::path& file) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::absolute(file, failed).lexically_normal();
    const std::filesystem::path folder = whole.parent_path();
    if (failed || file.stem() != "config" || folder.filename().empty())
        return clean_utf8(file.stem().string());
    if (folder.parent_path().filename() != "snapshots") return clean_utf8(folder.filename().string());
    const std::string cached = folder.parent_path().parent_path().filename().string();
    const std::size_t dashes = cached.rfind("--");
    return clean_utf8(dashes == std::string::npos ? cached : cached.substr(dashes + 2));
}

/// What a config.json leaves to the program that runs its kind.
void add_usual(ModelDocument& model) {
    const bool falcon = model.type == "falcon";
    if (!model.intermediate && model.hidden && (falcon || model.type == "gpt2"))
        model.intermediate = 4 * *model.hidden;
    if (falcon && model.multi_query && !model.grouped_query) model.kv_heads = 1;
    if (model.type.starts_with("llama4") && model.experts && !model.shared_experts) model.shared_experts = 1;
    if (model.experts && model.expert_step && model.layers)
        model.dense_layers = *model.layers - std::floor(*model.layers / *model.expert_step);
}

Result<ModelDocument> checked(ModelDocument model, const std::string& where) {
    add_usual(model);
    if (std::string why = other_network(model); !why.empty())
        return unexpected(ErrorCode::bad_schema, std::move(why), where,
                          "Known are language models that write text (decoders), ViT and ResNet.");
    if (const std::string names = missing(model); !names.empty())
        return unexpected(
            ErrorCode::bad_schema, "The model does not say " + names, where,
            "Its members are called as in the config.json of a language model, a ViT or a ResNet of "
            "today's model hubs.");
    if (std::string why = contradiction(model); !why.empty())
        return unexpected(ErrorCode::bad_schema, std::move(why), where);
    return model;
}

}  // namespace

void each_field(auto& field, ModelDocument& model) {
    field("name", model.name);
    field("description", model.description);
    field("model_type", model.type);
    for (const std::string_view name : {"hidden_act", "activation_function", "activation"})
        field(name, model.activation);
    field("rms_norm_eps", model.rms_norm_eps);
    field("tie_word_embeddings", model.tied_embeddings);
    for (const std::string_view name : {"hidden_size", "n_embd"})
        field(name, size(model.hidden));
    for (const std::string_view name : {"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"})
        field(name, size(model.intermediate));
    for (const std::string_view name : {"num_attention_heads", "n_head"})
        field(name, size(model.heads));
    for (const std::string_view name : {"num_key_value_heads", "num_kv_heads", "n_head_kv"})
        field(name, size(model.kv_heads));
    field("multi_query", model.multi_query);
    field("new_decoder_architecture", model.grouped_query);
    field("head_dim", size(model.head_dim));
    for (const std::string_view name : {"num_hidden_layers", "n_layer"})
        field(name, size(model.layers));
    field("vocab_size", size(model.vocabulary));
    field("text_config", coded<TextPart>(model));
    field("layer_types", model.layer_types);
    field("full_attention_interval", size(model.full_attention_interval));
    field("attention_chunk_size", size(model.chunk));
    field("sliding_window", size(model.window));
    field("use_sliding_window", model.uses_window);
    for (const std::string_view name : {"num_local_experts", "n_routed_experts", "num_experts"})
        field(name, size(model.experts));
    field("num_experts_per_tok", size(model.experts_per_token));
    field("n_shared_experts", size(model.shared_experts));
    field("shared_expert_intermediate_size", size(model.shared_intermediate));
    field("moe_intermediate_size", size(model.expert_intermediate));
    field("first_k_dense_replace", size(model.dense_layers));
    field("intermediate_size_mlp", size(model.dense_intermediate));
    field("interleave_moe_layer_step", size(model.expert_step));
    field("q_lora_rank", size(model.q_rank));
    field("kv_lora_rank", size(model.kv_rank));
    field("qk_nope_head_dim", size(model.qk_nope_dim));
    field("qk_rope_head_dim", size(model.qk_rope_dim));
    field("v_head_dim", size(model.v_dim));
    field("image_size", size(model.image_size));
    field("patch_size", size(model.patch_size));
    field("num_channels", size(model.channels));
    field("num_labels", size(model.labels));
    field("embedding_size", size(model.embedding));
    field("hidden_sizes", coded<Sizes>(model.stage_widths));
    field("depths", coded<Sizes>(model.stage_depths));
}

bool TextPart::read(const JsonValue& value, ModelDocument& target) {
    target.text_part = true;
    return read_json(value, target);
}

bool ModelDocument::is_like_llama() const {
    constexpr std::array<std::string_view, 14> families{"llama", "mistral", "mixtral",  "qwen2",    "qwen3",
                                                        "gemma", "phi3",    "deepseek", "gpt_oss",  "olmo",
                                                        "glm4",  "smollm3", "granite",  "ministral"};
    return std::ranges::any_of(families, [&](std::string_view family) { return type.starts_with(family); });
}

Result<ModelDocument> read_model(std::string_view text, const std::string& where) {
    if (text.size() > most_bytes)
        return unexpected(ErrorCode::too_large, "A model is described in at most 1 MiB", where,
                          "Its config.json is meant, not its weights.");
    return read_json_document<ModelDocument>(text, "model", where).and_then([&](ModelDocument model) {
        if (model.name.empty()) model.name = name_from(where);
        return checked(std::move(model), where);
    });
}

Result<ModelDocument> built_in_model(std::string_view id) {
    const std::string lower = lower_case(id);
    std::vector<std::string_view> names;
    for (const ModelText& model : models_json()) {
        if (model.id == lower) return read_model(model.json, std::string(model.id) + ".json");
        names.push_back(model.id);
    }
    const auto nearest = nearest_names(lower, names);
    return unexpected(ErrorCode::bad_argument, "There is no built-in model " + quoted_word(id), "--model",
                      (nearest.empty() ? "" : "Did you mean " + joined(nearest, ", ") + "? ") + "Known are " +
                          joined(names, ", ") + "; the config.json of another one opens too.");
}

}  // namespace roofwalk
