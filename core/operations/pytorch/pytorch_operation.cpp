// SPDX-License-Identifier: GPL-3.0-or-later
// Which inputs an operator takes, and in which order, stands in PyTorch's
// aten/src/ATen/native/native_functions.yaml.
#include "core/operations/pytorch/pytorch_operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/operations/data_type.h"
#include "core/operations/op_parser.h"
#include "core/operations/op_table.h"
#include "core/operations/pytorch/pytorch_inputs.h"

namespace roofwalk {

namespace {

using namespace pytorch;

/// A B with A[..., m, k] and B[..., k, n] at the first two places, and C at the third where it is read.
Known matrix_product(const PytorchCall& op, const Family& family) {
    const Sizes& a = input(op, family.first);
    const Sizes& b = input(op, family.second);
    if (a.size() < 2 || b.size() < 2 || a.back() != b[b.size() - 2]) return std::nullopt;
    const double rows = product_of(std::span(a).first(a.size() - 1));
    const double batch = product_of(std::span(b).first(b.size() - 2));
    if (b.size() > 2 && product_of(std::span(a).first(a.size() - 2)) != batch) return std::nullopt;
    const double m = rows / batch;
    Text text("gemm");
    text.with("m", m).with("n", b.back()).with("k", a.back()).unless(1, "batch", batch);
    text.typed("dtype", type_of(op, family.first));
    if (type_of(op, family.first) != type_of(op, family.second)) text.typed("b", type_of(op, family.second));
    const auto beta = family.third == nowhere ? std::vector<double>() : numbers_at(op, 3);
    const bool added = beta.empty() || beta.front() != 0;
    if (added && elements(input(op, family.third)) == batch * m * b.back()) text.with("beta", 1);
    return text.done();
}

constexpr Family plain_product{"", matrix_product, Extent::own, OperationBasis::by_sizes, 0, 1, nowhere};

Known integer_product(const PytorchCall& op, const Family& family) {
    auto operation = matrix_product(op, family);
    if (operation) operation->text += op.types.empty() ? " dtype=int8 c=int32" : " c=int32";
    return operation;
}

/// With weights of fewer bits, so many rows of which are one at the first place, times scales of theirs.
Known packed_product(const PytorchCall& op, const Family& family) {
    const Sizes& x = input(op, 0);
    const Sizes& weights = input(op, 1);
    if (x.size() != 2 || weights.empty()) return std::nullopt;
    const double n = weights.front() * static_cast<double>(family.first);
    auto operation = Text("gemm", {{"m", x[0]}, {"n", n}, {"k", x[1]}}).done(op);
    operation.text += fmt::format(" b={}", family.operation);
    operation.assumed = "nothing for scales";
    return operation;
}

/// A[rows, k] with B[e, k, n], to each of which go as many rows as the offsets at the first place say; or the
/// gradients of B, of A[m, rows] and B[rows, n].
Known grouped_product(const PytorchCall& op, const Family& family) {
    const Sizes& a = input(op, 0);
    const Sizes& b = input(op, 1);
    const double groups = elements(input(op, family.first));
    if (a.size() == 3 && b.size() == 3 && groups == 0) return matrix_product(op, plain_product);
    if (a.size() != 2 || b.size() < 2 || groups == 0 || a[1] != b[b.size() - 2]) return std::nullopt;
    if (b.size() == 3)
        return Text("grouped_gemm", {{"tokens", a[0]}, {"experts", b[0]}, {"n", b[2]}, {"k", a[1]}}).done(op);
    if (b.size() != 2 || std::fmod(a[1], groups) != 0) return std::nullopt;
    return Text("gemm", {{"m", a[0]}, {"n", b[1]}, {"k", a[1] / groups}, {"batch", groups}}).done(op);
}

/// The type that shares its scales among so many bytes of a row: blocks of 32 or 16, FP4 two in a byte. By
/// their types or how they are made where a trace tells them; else by their number, in whole tiles of 128
/// rows by 4 blocks.
std::optional<DataType> block_scaled_type(const PytorchCall& op) {
    constexpr std::size_t scales = 2;
    constexpr std::array blocks{std::pair(DataType::mxfp8, 32.0), std::pair(DataType::mxfp4, 16.0),
                                std::pair(DataType::nvfp4, 8.0)};
    const Sizes& a = input(op, 0);
    if (op.types.size() > scales) {
        const auto recipe = numbers_at(op, scales + 1);
        const bool of_32 = contains(op.types[scales], "e8m0") || (!recipe.empty() && recipe.front() == 3);
        if (contains(op.types[0], "Float4")) return of_32 ? DataType::mxfp4 : DataType::nvfp4;
        return of_32 ? std::optional(DataType::mxfp8) : std::nullopt;
    }
    for (const auto& [type, bytes] : blocks)
        if (a.size() == 2 &&
            elements(input(op, scales)) == 512 * std::ceil(a[0] / 128) * std::ceil(a[1] / bytes / 4))
            return type;
    return std::nullopt;
}

/// Of narrow types with scales, where the first place has offsets a grouped one. Its result is as wide as the
/// value at the third place says: 16 bits with the types of most calls, else that of the inputs.
Known scaled_product(const PytorchCall& op, const Family& family) {
    const std::size_t out_type = family.third;
    constexpr std::array<std::pair<std::string_view, DataType>, 3> scalar_types{
        {{"5", DataType::fp16}, {"6", DataType::fp32}, {"15", DataType::bf16}}};
    PytorchCall typed = op;
    if (const auto type = block_scaled_type(op)) {
        typed.types.assign(2, std::string(name_of(*type)));
        if (bits_of(*type) == 4 && op.sizes.size() > 1 && !op.sizes[0].empty() && op.sizes[1].size() > 1) {
            typed.sizes[0].back() *= 2;
            typed.sizes[1][op.sizes[1].size() - 2] *= 2;
        }
    }
    auto operation = family.first > 0 ? grouped_product(typed, family) : matrix_product(typed, plain_product);
    const bool told = out_type < op.values.size();
    if (!operation || (told && op.values[out_type].empty())) return operation;
    const auto* const type = std::ranges::find_if(
        scalar_types, [&](const auto& known) { return told && known.first == op.values[out_type]; });
    if (type != scalar_types.end())
        operation->text += fmt::format(" c={}", name_of(type->second));
    else if (!told) {
        operation->assumed = typed.types.empty() ? "dtype=fp8 c=bf16" : "c=bf16";
        operation->text += " " + operation->assumed;
    }
    return operation;
}

Known linear(const PytorchCall& op, const Family&) {
    const Sizes& x = input(op, 0);
    const Sizes& weights = input(op, 1);
    if (x.empty() || weights.size() != 2 || x.back() != weights[1]) return std::nullopt;
    return Text("gemm", {{"m", elements(x) / x.back()}, {"n", weights[0]}, {"k", weights[1]}}).done(op);
}

Known inner_product(const PytorchCall& op, const Family&) {
    const Sizes& x = input(op, 0);
    if (x.size() != 1 || input(op, 1) != x) return std::nullopt;
    return Text("gemv", {{"m", 1}, {"n", x[0]}}).done(op);
}

/// The sum of a batch of products is one whose k is that of all.
Known summed_product(const PytorchCall& op, const Family& family) {
    const Sizes& a = input(op, family.first);
    const Sizes& b = input(op, family.second);
    if (a.size() != 3 || b.size() != 3 || a[0] != b[0] || a[2] != b[1]) return std::nullopt;
    PytorchCall joined = op;
    joined.sizes[family.first] = {a[1], a[0] * a[2]};
    joined.sizes[family.second] = {b[0] * b[1], b[2]};
    return matrix_product(joined, family);
}

/// The gradients of x and of the weights: x and the gradient of the result stand first.
Known linear_backward(const PytorchCall& op, const Family&) {
    const Sizes& x = input(op, 0);
    const Sizes& weights = input(op, 2);
    if (x.empty() || weights.size() != 2 || x.back() != weights[1] ||
        elements(input(op, 1)) * x.back() != elements(x) * weights[0])
        return std::nullopt;
    return Text("gemm_backward", {{"m", elements(x) / x.back()}, {"n", weights[0]}, {"k", x.back()}})
        .done(op);
}

/// A x with A and x at the first two places.
Known matrix_vector(const PytorchCall& op, const Family& family) {
    const Sizes& a = input(op, family.first);
    if (a.size() != 2 || input(op, family.second) != Sizes{a[1]}) return std::nullopt;
    return Text("gemv", {{"m", a[0]}, {"n", a[1]}}).typed("dtype", type_of(op, family.first)).done();
}

/// The mask that the value at `place` tells: whether a query sees only the keys before it, absent where
/// nobody says, and whether its diagonal ends at the last key, as FlashAttention's does. Memory-efficient
/// attention has a number: 0 none, 1 from the top left corner, 2 from the bottom right one.
std::pair<std::optional<bool>, bool> causal_mask(const PytorchCall& op, std::size_t place) {
    if (op.name.starts_with("_efficient_attention")) {
        const auto kind = numbers_at(op, place);
        if (kind.empty()) return {std::nullopt, false};
        return {kind.front() > 0, kind.front() == 2};
    }
    const bool told = place < op.values.size() && !op.values[place].empty();
    return {told ? std::optional(is_told(op, place)) : std::nullopt, contains(op.name, "flash")};
}

/// With a dimension of one head where it has none.
Sizes with_heads(Sizes sizes) {
    while (sizes.size() == 2 || sizes.size() == 3)
        sizes.insert(sizes.end() - 2, 1);
    return sizes;
}

/// How many keys, its own and those before, a query sees at most; 0: all. flash_attn has behind the mask how
/// many there are before its own, or -1, as PyTorch's flash form later, whose efficient one has all of them.
double window_of(const PytorchCall& op, std::size_t causal) {
    const bool efficient = op.name.starts_with("_efficient");
    if (!efficient && !op.name.starts_with("_flash")) return 0;
    const bool late = efficient || op.name.ends_with("_backward");
    const auto told = numbers_at(op, causal + (op.name.starts_with("_flash_attn") ? 1 : late ? 4 : 3));
    return told.empty() || told.front() < 0 ? 0 : told.front() + (efficient ? 0 : 1);
}

/// Q, K and V from the first place on: Q[b, h, s, d], K and V[b, kv heads, t, d], or in flash and efficient
/// attention itself heads and positions the other way round. At the second place stand lengths of sequences,
/// where such are packed. The value at the third tells the mask.
Known attention(const PytorchCall& op, const Family& family) {
    const std::size_t first = family.first;
    const std::size_t causal = family.third;
    const bool heads_last = op.name.starts_with("_flash") || op.name.starts_with("_efficient");
    // Sequences of different lengths, one after another, are not told by the sizes.
    if (family.second > 0 && !input(op, family.second).empty()) return std::nullopt;
    const Sizes q = heads_last ? input(op, first) : with_heads(input(op, first));
    const Sizes k = heads_last ? input(op, first + 1) : with_heads(input(op, first + 1));
    Sizes v = heads_last ? input(op, first + 2) : with_heads(input(op, first + 2));
    if (q.size() != 4 || k.size() != 4 || v.size() != 4 || q[0] != k[0] || q[3] != k[3]) return std::nullopt;
    const double v_dim = std::exchange(v[3], k[3]);
    if (v != k) return std::nullopt;
    const std::size_t heads = heads_last ? 2 : 1;
    const std::size_t positions = heads_last ? 1 : 2;
    const auto [masks, bottom_right] = causal_mask(op, causal);
    const bool top_left = !bottom_right && q[positions] != k[positions];
    const bool decode =
        first == 0 && q[positions] == 1 && v_dim == q[3] && !(top_left && masks.value_or(false));
    const double window = window_of(op, causal);
    if (window > 0 && (decode || !masks.value_or(false))) return std::nullopt;
    Text text(first > 0 ? "attention_backward" : decode ? "attention_decode" : "attention_prefill");
    if (decode)
        text.with("context", k[positions]);
    else
        text.with("seq", q[positions]).unless(q[positions], "kv_seq", k[positions]);
    text.with("head_dim", q[3])
        .unless(q[3], "v_dim", v_dim)
        .with("heads", q[heads])
        .unless(q[heads], "kv_heads", k[heads]);
    text.unless(1, "batch", q[0]);
    if (decode)
        text.with("query_output", 1);
    else if (masks)
        text.with("causal", *masks ? 1 : 0);
    text.unless(0, "window", window);
    const std::size_t mask = first == 0                       ? 3
                             : contains(op.name, "cudnn")     ? 8
                             : contains(op.name, "efficient") ? 4
                                                              : nowhere;
    const bool masked = input(op, mask).size() > 1;
    // What is called within has a mask that is expanded to all heads, of which a row may stand for many.
    const bool expanded = op.name.starts_with('_');
    if (masked)
        text.with("mask",
                  expanded ? product_of(std::span(input(op, mask)).last(2)) : elements(input(op, mask)));
    // Whether the mask learns, one value of it or the last of several says.
    const std::size_t wanted = op.name.starts_with("_scaled") ? 10 : 15;
    if (masked && first > 0 && wanted < op.values.size())
        if (const std::string& learns = op.values[wanted];
            contains(learns.substr(learns.rfind(' ') + 1), "True"))
            text.with("mask_gradient", elements(input(op, mask)));
    text.typed("dtype", type_of(op, first));
    if (masked) text.typed("mask_dtype", type_of(op, mask));
    auto operation = text.done();
    if (top_left && !decode && masks.value_or(true)) operation.text += " diagonal=top_left";
    if (masked && expanded)
        operation.assumed = "one mask for all heads";
    else if (masked && op.types.empty())
        operation.assumed = "a mask as wide as Q";
    return operation;
}

/// Over rows as long as the weights, or as the last dimension: the places of x and of the weights, and how
/// many vectors of them there are at most.
Known norm(const PytorchCall& op, const Family& family) {
    const Sizes& x = input(op, family.first);
    if (x.empty()) return std::nullopt;
    double given = 0;
    for (std::size_t i = 0; i < family.third; ++i)
        given += input(op, family.second + i).empty() ? 0 : 1;
    const double cols = given > 0 ? elements(input(op, family.second)) : x.back();
    if (cols == 0 || std::fmod(elements(x), cols) != 0) return std::nullopt;
    return Text(family.operation, {{"rows", elements(x) / cols}, {"cols", cols}})
        .unless(family.operation == "rmsnorm" ? 1 : 2, "weights", given)
        .typed("dtype", type_of(op, family.first))
        .done();
}

/// Going back the gradient is as large as the input; its rows are the positions, as wide as there are
/// channels.
Known batch_norm(const PytorchCall& op, const Family& family) {
    const Sizes& x = input(op, 0);
    if (x.size() < 2) return std::nullopt;
    const double channels = x[1];
    const double positions = elements(x) / channels;
    return (family.operation == "batchnorm"
                ? Text("batchnorm", {{"channels", channels}, {"positions", positions}})
                : Text("norm_backward", {{"rows", positions}, {"cols", channels}}))
        .done(op);
}

/// The dimension that one of the values names, from the front.
std::optional<std::size_t> dimension_of(const PytorchCall& op, double dimension) {
    const auto count = static_cast<double>(input(op, 0).size());
    if (dimension >= count || dimension < -count) return std::nullopt;
    return static_cast<std::size_t>(dimension < 0 ? dimension + count : dimension);
}

std::optional<std::size_t> dimension_at(const PytorchCall& op, std::size_t place) {
    const auto numbers = numbers_at(op, place);
    return numbers.size() == 1 ? dimension_of(op, numbers.front()) : std::nullopt;
}

Known softmax(const PytorchCall& op, const Family&) {
    const Sizes& x = input(op, 0);
    if (x.empty()) return std::nullopt;
    const double cols = x[dimension_at(op, 1).value_or(x.size() - 1)];
    auto operation = Text("softmax", {{"rows", elements(x) / cols}, {"cols", cols}}).done(op);
    if (op.name.starts_with('_') && is_told(op, 2)) operation.text += " out_dtype=fp32";  // half_to_float
    return operation;
}

/// How many groups there are a value tells, at the first place; their weights are few beside them.
Known group_norm(const PytorchCall& op, const Family& family) {
    const auto groups = same_in_all(op, family.first);
    const Sizes& x = input(op, 0);
    if (x.size() < 2 || !groups || *groups <= 0) return std::nullopt;
    const double rows = x[0] * *groups;
    return Text(family.operation, {{"rows", rows}, {"cols", elements(x) / rows}, {"weights", 0}}).done(op);
}

/// Rows of a table; of bags the sums of theirs, whose first indices stand third: with a weight for each where
/// these are at the first place. The value at the second says whether the end of the last bag is among them.
Known embedding(const PytorchCall& op, const Family& family) {
    const Sizes& table = input(op, 0);
    const Sizes& tokens = input(op, 1);
    if (table.size() != 2 || tokens.empty()) return std::nullopt;
    return Text("embedding", {{"tokens", elements(tokens)}, {"dim", table[1]}, {"vocab", table[0]}})
        .unless(0, "bags", elements(input(op, 2)) - (is_told(op, family.second) ? 1 : 0))
        .unless(0, "weighted", input(op, family.first).empty() ? 0 : 1)
        .indexed(op, 1)
        .done(op);
}

Known gather(const PytorchCall& op, const Family&) {
    if (input(op, 2).empty()) return std::nullopt;
    return Text("gather", {{"n", elements(input(op, 2))}}).indexed(op, 2).done(op);
}

/// Slices of x along one dimension, `n` of them: the dimension `told`, else that which makes the output as
/// large as it is, else the first.
Known slices(const PytorchCall& op, double n, std::optional<std::size_t> told) {
    const Sizes& x = input(op, 0);
    const bool known = !op.output.empty();
    for (std::size_t i = 0; known && !told && i < x.size(); ++i)
        if (elements(op.output) == n * elements(x) / x[i]) told = i;
    if (n == 0 || (known && !told) || told.value_or(0) >= x.size()) return std::nullopt;
    const double length = x[told.value_or(0)];
    PytorchOperation operation =
        Text("embedding", {{"tokens", n}, {"dim", elements(x) / length}, {"vocab", length}})
            .indexed(op, op.name == "index" ? 1 : 2)
            .done(op);
    if (!told && std::ranges::any_of(x, [&](double size) { return size != length; }))
        operation.assumed = "dim=0";
    return operation;
}

bool is_mask(const PytorchCall& op, std::size_t index) {
    return index < op.types.size() && (op.types[index] == "bool" || op.types[index] == "unsigned char");
}

bool like_a_mask(const Sizes& picked, const Sizes& x) {
    return picked.size() <= x.size() && std::equal(picked.begin(), picked.end(), x.begin());
}

/// x[i]; a list of indices does not tell which dimensions have none. NVTX ranges name what made each, missing
/// ones too, up to the last that there is.
Known index_of_one(const PytorchCall& op) {
    const Sizes& x = input(op, 0);
    const Sizes& picked = input(op, 1);
    if (picked.empty() || is_mask(op, 1) || (like_a_mask(picked, x) && op.output.empty()))
        return std::nullopt;
    const double n = elements(picked);
    std::optional<std::size_t> told;
    if (const std::size_t last = op.made_by.size() - 2; op.made_by.size() > 1 && last < x.size()) told = last;
    if (told && !op.output.empty() && elements(op.output) != n * elements(x) / x[*told]) told = {};
    if (x.size() > 1) return slices(op, n, told);
    return Text("gather", {{"n", n}, {"indices", 1}}).done(op);
}

Known index_select(const PytorchCall& op, const Family&) {
    return input(op, 0).empty() ? std::nullopt : slices(op, elements(input(op, 2)), dimension_at(op, 1));
}

/// The rows of the gradient are those of the table, where the call, by the value at the first place, or its
/// result tells them; of bags with a weight for each token where these are at the second.
Known embedding_backward(const PytorchCall& op, const Family& family) {
    const Sizes& given = input(op, 0);
    if (given.empty() || input(op, 1).empty()) return std::nullopt;
    const auto told = numbers_at(op, family.first);
    constexpr std::size_t sparse_of_bags = 9;
    const bool sparse = op.name == "_embedding_bag_sparse_backward" ||
                        (op.name == "_embedding_bag_backward" && op.values.size() > sparse_of_bags &&
                         op.values[sparse_of_bags] == "True");
    const double rows = sparse                  ? 0
                        : op.output.size() == 2 ? op.output.front()
                        : told.empty()          ? 0
                                                : told.front();
    PytorchOperation operation =
        Text("embedding_backward", {{"tokens", elements(input(op, 1))}, {"dim", given.back()}})
            .unless(0, "vocab", rows)
            .unless(0, "bags", contains(op.name, "bag") ? given.front() : 0)
            .unless(0, "weighted", input(op, family.second).empty() ? 0 : 1)
            .indexed(op, 1)
            .done(op);
    if (rows == 0 && !sparse) operation.assumed = "a gradient of the rows of these tokens alone";
    return operation;
}

/// x[i, j, ...] with an index for every dimension, or x[i].
Known index(const PytorchCall& op, const Family&) {
    const Sizes& x = input(op, 0);
    const std::size_t indices = op.sizes.size() - 1;
    if (x.empty() || indices == 0) return std::nullopt;
    if (indices == 1) return index_of_one(op);
    if (indices != x.size() || input(op, 1).empty()) return std::nullopt;
    double n = 0;
    for (std::size_t i = 1; i <= indices; ++i)
        n = std::max(n, elements(input(op, i)));
    return Text("gather", {{"n", n}, {"indices", static_cast<double>(indices)}}).done(op);
}

/// All inputs once, one after another.
Known concatenation(const PytorchCall& op, const Family&) {
    double n = 0;
    for (const Sizes& sizes : op.sizes)
        n += elements(sizes);
    if (n == 0) return std::nullopt;
    return Text("copy", {{"n", n}}).done(op);
}

Known copy(const PytorchCall& op, const Family&) {
    const Sizes& from = input(op, 1);
    const double n = product_of(input(op, 0));  // 1 of a tensor without dimensions
    if (n == 0 || op.sizes.empty()) return std::nullopt;
    if (op.name == "copy" && from.empty() && n > 1)  // of one element to all
        return Text("elementwise", {{"n", n}, {"inputs", 0}, {"flops", 0}}).done(op);
    const bool alike = from.empty() || op.types.size() < 2 || op.types[0] == op.types[1];
    if (alike && (from.empty() || elements(from) == n)) return Text("copy", {{"n", n}}).done(op);
    const auto to = element_bytes(op, 0);
    return to ? of_bytes(op, 1, 0, n * *to) : std::nullopt;
}

Known fill(const PytorchCall& op, const Family&) {
    const bool absent = input(op, 0).empty() && !op.types.empty() && !type_of(op, 0);
    if (op.sizes.empty() || absent) return std::nullopt;
    return Text("elementwise", {{"n", product_of(input(op, 0))}, {"inputs", 0}, {"flops", 0}}).done(op);
}

/// What shapes give that broadcast to one.
Sizes broadcast(std::span<const Sizes> shapes) {
    Sizes result;
    for (const Sizes& sizes : shapes) {
        if (sizes.size() > result.size()) result.insert(result.begin(), sizes.size() - result.size(), 1);
        for (std::size_t i = 1; i <= sizes.size(); ++i) {
            double& dimension = result[result.size() - i];
            dimension = dimension == 1 ? sizes[sizes.size() - i] : dimension;
        }
    }
    return result;
}

double broadcast_elements(const PytorchCall& op) {
    return elements(broadcast(op.sizes));
}

/// Inputs of one shape, or of shapes that broadcast to it. Of several types the result has the widest,
/// integers last, or in place that of the first.
Known elementwise(const PytorchCall& op, const Family&) {
    const double n = broadcast_elements(op);
    if (n == 0 && input(op, 0).empty() && type_of(op, 0))  // a tensor without dimensions
        return Text("elementwise", {{"n", 1}}).done(op);
    if (n == 0) return std::nullopt;
    const auto whole = std::ranges::count(op.sizes, n, elements);
    std::set<std::pair<bool, double>> types;
    double smaller = 0;
    for (std::size_t i = 0; i < op.sizes.size(); ++i) {
        const auto type = type_of(op, i);
        if (type && !op.sizes[i].empty()) types.emplace(!is_integer(*type), bytes_of(*type));
        smaller += elements(op.sizes[i]) == n ? 0 : elements(op.sizes[i]);
    }
    if (types.size() > 1) {
        const auto first = type_of(op, 0);
        const bool in_place = op.text.starts_with("aten::" + op.name + "_") && first;
        return of_bytes(op, 0, n, n * (in_place ? bytes_of(*first) : types.rbegin()->second));
    }
    return Text("elementwise", {{"n", n}})
        .unless(1, "inputs", static_cast<double>(whole))
        .unless(0, "broadcast", smaller)
        .done(op);
}

/// One byte for each element tells how it compares.
Known comparison(const PytorchCall& op, const Family&) {
    const double n = broadcast_elements(op);
    return n == 0 ? std::nullopt : of_bytes(op, 0, n, n);
}

/// Elements picked by a mask: the type of the result is that of the input at the first place.
Known masked(const PytorchCall& op, const Family& family) {
    const double n = broadcast_elements(op);
    const auto bytes = element_bytes(op, family.first);
    return n == 0 || !bytes ? std::nullopt : of_bytes(op, 0, 0, n * *bytes);
}

/// What is left of the dimensions that the call names at `place`; of all of them where it names none. Absent
/// where its values are not known.
std::optional<double> reduced_outputs(const PytorchCall& op, std::size_t place) {
    if (op.sizes.size() <= place + 1) return 1;
    if (place >= op.values.size()) return std::nullopt;
    const auto dimensions = numbers_at(op, place);
    double outputs = dimensions.empty() ? 1 : elements(input(op, 0));
    for (const double number : dimensions) {
        const auto dimension = dimension_of(op, number);
        if (!dimension) return std::nullopt;
        outputs /= input(op, 0)[*dimension];
    }
    return outputs;
}

/// Over the dimensions that the value at the first place names; the second: FLOP of an element other than 1.
Known reduction(const PytorchCall& op, const Family& family) {
    if (input(op, 0).empty()) return std::nullopt;
    const bool of_two = !input(op, 1).empty();
    if (of_two && (op.name == "max" || op.name == "min")) return elementwise(op, family);
    const auto told =
        op.output.empty() ? reduced_outputs(op, family.first) : std::optional(elements(op.output));
    const bool gives_indices = op.name.starts_with("arg");
    const bool and_indices = (op.name == "max" || op.name == "min") && op.sizes.size() > 1;
    PytorchOperation operation = Text("reduction", {{"n", elements(input(op, 0))}})
                                     .unless(1, "outputs", told.value_or(1))
                                     .unless(0, "indices", and_indices ? 8 : 0)
                                     .unless(0, "flops", static_cast<double>(family.second))
                                     .done(op);
    if (gives_indices) operation.text += " out_dtype=int64";
    if (!told) operation.assumed = "outputs=1";
    return operation;
}

/// In as many bins as its result has or the value at the first place says, else the usual number, the second.
Known histogram(const PytorchCall& op, const Family& family) {
    if (input(op, 0).empty()) return std::nullopt;
    const auto told = op.output.empty() ? numbers_at(op, family.first) : Sizes{elements(op.output)};
    const double bins = told.empty() ? static_cast<double>(family.second) : told.front();
    auto operation = Text("histogram", {{"n", elements(input(op, 0))}, {"bins", bins}}).done(op);
    if (told.empty()) operation.assumed = fmt::format("bins={}", bins);
    return operation;
}

Known over_elements(const PytorchCall& op, const Family& family) {
    if (input(op, 0).empty()) return std::nullopt;
    const Sizes& x = input(op, 0);
    Text text(family.operation);
    text.with("n", elements(x));
    if (family.operation == "sort") text.with("indices", 8);
    if (family.operation != "scan") return text.done(op);
    const auto along = dimension_at(op, 1);
    auto operation = text.unless(1, "rows", along ? elements(x) / x[*along] : 1).done(op);
    if (!along && x.size() > 1) operation.assumed = "rows=1";
    return operation;
}

/// So many arrays of one size in and one out, and FLOP for each element: the first two places.
Known of_arrays(const PytorchCall& op, const Family& family) {
    if (input(op, 0).empty()) return std::nullopt;
    return Text("elementwise", {{"n", elements(input(op, 0))},
                                {"inputs", static_cast<double>(family.first)},
                                {"flops", static_cast<double>(family.second)}})
        .done(op);
}

/// Adam and SGD in one kernel over lists that are summed up: parameters, gradients and what is kept of each.
Known fused_optimizer(const PytorchCall& op, const Family&) {
    const double n = elements(input(op, 0));
    if (n == 0 || op.types.empty()) return std::nullopt;
    const auto arrays = static_cast<double>(std::ranges::count(op.sizes, Sizes{n}));
    const bool adam = op.name.starts_with("_fused_adam");
    return Text("elementwise", {{"n", n},
                                {"inputs", arrays},
                                {"outputs", arrays - 1},
                                {"flops", adam ? 14 : 2 * (arrays - 1)}})
        .done();
}

/// So many largest of each row, each with a 64-bit number that says which it was.
Known largest(const PytorchCall& op, const Family&) {
    const auto count = numbers_at(op, 1);
    const auto dimension = dimension_at(op, 2);
    const auto bytes = element_bytes(op, 0);
    if (count.empty() || !dimension || !bytes) return std::nullopt;
    const double n = elements(input(op, 0)) / input(op, 0)[*dimension] * count.front();
    return of_bytes(op, 0, 0, n * (*bytes + 8));
}

/// Transforms of complex or of real numbers, over the dimensions that a value names.
Known fourier(const PytorchCall& op, const Family&) {
    double n = 1;
    for (const double number : numbers_at(op, 1))
        if (const auto dimension = dimension_of(op, number)) n *= input(op, 0)[*dimension];
    const auto type = type_of(op, 0);
    if (n <= 1 || !type) return std::nullopt;
    const bool wide = type == DataType::complex128 || type == DataType::fp64;
    return Text("fft", {{"n", n}})
        .unless(1, "batch", elements(input(op, 0)) / n)
        .unless(0, "real", complex_factor(*type) > 1 ? 0 : 1)
        .typed("dtype", wide ? DataType::fp64 : DataType::fp32)
        .done();
}

Known factorisation(const PytorchCall& op, const Family& family) {
    const Sizes& a = input(op, 0);
    const Sizes& b = input(op, 1);
    if (a.size() < 2 || a.back() != a[a.size() - 2]) return std::nullopt;
    const double m = a.back();
    const double batch = elements(a) / (m * m);
    if (b.empty()) return Text(family.operation, {{"n", m}}).unless(1, "batch", batch).done(op);
    if (b.size() < 2) return std::nullopt;
    const std::array shapes{Sizes(a.begin(), a.end() - 2), Sizes(b.begin(), b.end() - 2)};
    const double results = product_of(broadcast(shapes));
    const double n = b.back() * b[b.size() - 2] / m * results / batch;  // all that one triangle solves
    return Text("trsm", {{"m", m}, {"n", n}})
        .unless(1, "batch", batch)
        .unless(batch, "b_batch", elements(b) / (m * n))
        .done(op);
}

/// The elements on one side of a diagonal, and zeros, which alone are written in place.
Known triangle(const PytorchCall& op, const Family&) {
    const Sizes& x = input(op, 0);
    const auto told = numbers_at(op, 1);
    if (x.size() < 2) return std::nullopt;
    const double cols = x.back();
    const double rows = x[x.size() - 2];
    const double off = told.empty() ? 0 : told.front();
    const double lower = lower_triangle(rows, cols, op.name == "tril" ? off : off - 1);
    const double kept = elements(x) / (rows * cols) * (op.name == "tril" ? lower : rows * cols - lower);
    const bool in_place = op.text.starts_with("aten::" + op.name + "_");
    const double bytes = bytes_of(type_of(op, 0).value_or(DataType::fp32));
    auto operation =
        custom(0, in_place ? 0 : kept * bytes, (in_place ? elements(x) - kept : elements(x)) * bytes);
    if (!type_of(op, 0)) operation.assumed = "dtype=fp32";
    if (told.empty()) operation.assumed += operation.assumed.empty() ? "diagonal=0" : " diagonal=0";
    return operation;
}

/// Start, end and step are values; each element is a product and a sum.
Known range_of_numbers(const PytorchCall& op, const Family&) {
    constexpr std::size_t out = 3;
    std::array<double, out> told{};
    for (std::size_t i = 0; i < out; ++i) {
        const auto numbers = numbers_at(op, i);
        if (op.sizes.size() != out + 1 || numbers.size() != 1) return std::nullopt;
        told[i] = numbers.front();
    }
    const double n = std::ceil((told[1] - told[0]) / told[2]);
    if (!(n >= 1)) return std::nullopt;
    return Text("elementwise", {{"n", n}, {"inputs", 0}, {"flops", 2}})
        .typed("dtype", type_of(op, out))
        .done();
}

/// x[i, ...] = values, which stand before as many inputs as the first place says. What the indices take is
/// left out: traces do not tell their sizes.
Known index_put(const PytorchCall& op, const Family& family) {
    const std::size_t after = family.first;
    const Sizes& x = input(op, 0);
    if (op.sizes.size() < after + 2 || x.empty()) return std::nullopt;
    const std::size_t last = op.sizes.size() - after - 1;
    double n = elements(input(op, last));
    for (std::size_t i = 1; i < last; ++i)
        if (is_mask(op, i) || like_a_mask(input(op, i), x) != input(op, i).empty()) return std::nullopt;
    if (n <= 1 && last == x.size() + 1)  // one value everywhere, and an index for each dimension
        for (std::size_t i = 1; i < last; ++i)
            n = std::max(n, elements(input(op, i)));
    else if (n <= 1)
        return std::nullopt;
    const std::size_t accumulates = 3;
    const bool told = accumulates < op.values.size();
    const bool adds = is_told(op, accumulates);
    auto operation =
        (adds ? Text("elementwise", {{"n", n}, {"inputs", 2}}) : Text("copy", {{"n", n}})).done(op);
    operation.assumed = told ? "no repeated value and nothing for the indices"
                             : "no sum, no repeated value and nothing for the indices";
    return operation;
}

/// The gates of a cell after its products, or their gradients: where the state stands, how many arrays of its
/// size are written, the gates for the backward pass among them, and the FLOP for each of its elements
/// without biases. LSTM: 4 sums, 5 functions, c = f c + i g, h = o tanh(c); back 3 for each of 4 gates, 11
/// through the state. GRU: 3 sums, 3 functions, n's product, h; back 5, 5 and 4 for the gates, 2 products.
Known recurrent_cell(const PytorchCall& op, const Family& family) {
    const Sizes& state = input(op, family.first);
    if (state.empty()) return std::nullopt;
    double arrays = 0;
    double biases = 0;
    for (const Sizes& sizes : op.sizes)
        if (sizes.size() > 1)
            arrays += elements(sizes) / elements(state);
        else
            biases += elements(sizes) / state.back();
    if (arrays != std::floor(arrays)) return std::nullopt;
    return Text("elementwise", {{"n", elements(state)},
                                {"inputs", arrays},
                                {"outputs", static_cast<double>(family.second)},
                                {"flops", static_cast<double>(family.third) + biases}})
        .done(op);
}

/// The products of all layers and steps: x[t, b, i], then a list of weights. The FLOP of the gates are few
/// beside them. The places are that of the value that says whether there are two directions, and how often
/// the products are computed.
Known recurrent_layers(const PytorchCall& op, const Family& family) {
    const Sizes& x = input(op, 0);
    double matrices = 0;
    double weights = 0;
    std::size_t end = 1;
    for (; !input(op, end).empty(); ++end) {
        weights += elements(input(op, end));
        if (input(op, end).size() == 2) matrices += elements(input(op, end));
    }
    const Sizes& state = input(op, end + 2);  // after a number and a copy of the weights
    const auto bytes = element_bytes(op, 0);
    if (x.size() != 3 || state.size() != 3 || !bytes || op.values.size() <= family.first) return std::nullopt;
    const double steps = x[0] * x[1];
    const double result = steps * state[2] * (is_told(op, family.first) ? 2 : 1);
    const auto times = static_cast<double>(family.second);
    const bool backward = family.second > 1;  // gradients of the result in, those of x and of the weights out
    const double read = elements(x) + weights + elements(state) + (backward ? 2 * result : 0);
    auto operation = custom(times * 2 * steps * matrices, *bytes * read,
                            *bytes * (backward ? elements(x) + weights : result));
    if (*bytes == 2) operation.text += fmt::format(" pipe=tensor.{}", name_of(*type_of(op, 0)));
    return operation;
}

/// Of operators whose inputs differ in size and type: "22 23 to 20" reads as many elements as input 2 has, of
/// its type and of that of input 3, and writes as many of the type of input 0; "0b" of a byte each. The
/// elements of the input at the first place take as many FLOP as the second says.
Known by_terms(const PytorchCall& op, const Family& family) {
    const auto bytes = [&](std::string_view terms) -> std::optional<double> {
        double sum = 0;
        for (std::size_t at = 0; at < terms.size(); at += 3) {
            const double n = elements(input(op, static_cast<std::size_t>(terms[at] - '0')));
            const auto width = terms[at + 1] == 'b'
                                   ? std::optional(1.0)
                                   : element_bytes(op, static_cast<std::size_t>(terms[at + 1] - '0'));
            if (n == 0 || !width) return std::nullopt;
            sum += n * *width;
        }
        return sum;
    };
    constexpr std::string_view to = " to ";
    const std::size_t end = family.operation.find(to);
    const bool of_number = op.name == "scatter" && input(op, 3).empty();
    const auto read = bytes(family.operation.substr(0, of_number ? 2 : end));
    const auto written = bytes(family.operation.substr(end + to.size()));
    if (!read || !written) return std::nullopt;
    return custom(static_cast<double>(family.second) * elements(input(op, family.first)), *read, *written);
}

using enum Extent;
using enum OperationBasis;

constexpr std::array families{
    Family{
        " conv1d conv2d conv3d convolution _convolution cudnn_convolution cudnn_convolution_relu "
        "cudnn_convolution_add_relu miopen_convolution miopen_depthwise_convolution miopen_convolution_relu "
        "miopen_convolution_add_relu _conv_depthwise2d conv_depthwise3d thnn_conv2d _slow_conv2d_forward "
        "slow_conv3d slow_conv3d_forward slow_conv_dilated2d slow_conv_dilated3d convolution_backward "
        "conv_transpose1d conv_transpose2d conv_transpose3d ",
        convolution, whole, by_values},
    Family{" mm matmul bmm ", matrix_product, own, by_sizes, 0, 1, nowhere},
    Family{" _scaled_mm ", scaled_product, own, by_both, 0, 0, 6},
    Family{" _scaled_mm_v2 ", scaled_product, own, by_both, 0, 0, 9},
    Family{" _scaled_grouped_mm ", scaled_product, own, by_both, 4, 0, 7},
    Family{" _scaled_grouped_mm_v2 ", scaled_product, own, by_both, 8, 0, 10},
    Family{" _grouped_mm ", grouped_product, own, by_sizes, 2},
    Family{" _weight_int8pack_mm ", packed_product, own, by_sizes, 1, 0, 0, "int8"},
    Family{" _weight_int4pack_mm ", packed_product, own, by_sizes, 8, 0, 0, "int4"},
    Family{" _int_mm ", integer_product, own, by_sizes, 0, 1, nowhere},
    Family{" addmm _addmm_activation baddbmm ", matrix_product, own, by_both, 1, 2},
    Family{" linear ", linear, whole},
    Family{" dot vdot ", inner_product, own},
    Family{" addbmm ", summed_product, whole, by_both, 1, 2},
    Family{" linear_backward ", linear_backward, whole},
    Family{" mv ", matrix_vector, own, by_sizes, 0, 1},
    Family{" addmv ", matrix_vector, own, by_sizes, 1, 2},
    Family{" scaled_dot_product_attention _scaled_dot_product_attention_math "
           "_scaled_dot_product_fused_attention_overrideable ",
           attention, whole, by_both, 0, 0, 5},
    Family{" _scaled_dot_product_flash_attention ", attention, whole, by_both, 0, 0, 4},
    Family{" _scaled_dot_product_efficient_attention _scaled_dot_product_cudnn_attention ", attention, whole,
           by_both, 0, 0, 6},
    Family{" _cudnn_attention_forward ", attention, whole, by_both, 0, 4, 10},
    Family{" _flash_attention_forward ", attention, whole, by_both, 0, 3, 8},
    Family{" _flash_attn_forward ", attention, whole, by_both, 0, 0, 5},
    Family{" _flash_attn_backward ", attention, whole, by_both, 1, 0, 11},
    Family{" _efficient_attention_forward ", attention, whole, by_both, 0, 4, 9},
    Family{" _scaled_dot_product_flash_attention_backward _scaled_dot_product_efficient_attention_backward ",
           attention, whole, by_both, 1, 0, 11},
    Family{" _scaled_dot_product_cudnn_attention_backward _cudnn_attention_backward ", attention, whole,
           by_both, 1, 9, 14},
    Family{" _flash_attention_backward ", attention, whole, by_both, 1, 6, 11},
    Family{" _efficient_attention_backward ", attention, whole, by_both, 1, 6, 14},
    Family{" layer_norm native_layer_norm ", norm, whole, by_sizes, 0, 2, 2, "layernorm"},
    Family{" rms_norm _fused_rms_norm ", norm, whole, by_sizes, 0, 2, 1, "rmsnorm"},
    Family{" native_layer_norm_backward ", norm, whole, by_sizes, 0, 5, 2, "norm_backward"},
    Family{" _fused_rms_norm_backward ", norm, whole, by_sizes, 0, 4, 1, "norm_backward"},
    Family{
        " native_batch_norm_backward cudnn_batch_norm_backward miopen_batch_norm_backward batch_norm_backward ",
        batch_norm, whole},
    Family{" group_norm ", group_norm, whole, by_values, 1, 0, 0, "layernorm"},
    Family{" native_group_norm ", group_norm, whole, by_values, 6, 0, 0, "layernorm"},
    Family{" native_group_norm_backward ", group_norm, whole, by_values, 8, 0, 0, "norm_backward"},
    Family{" batch_norm native_batch_norm cudnn_batch_norm _batch_norm_impl_index "
           "_batch_norm_with_update _native_batch_norm_legit miopen_batch_norm ",
           batch_norm, whole, by_sizes, 0, 0, 0, "batchnorm"},
    Family{" softmax _softmax log_softmax _log_softmax ", softmax, own, by_both},
    Family{" _softmax_backward_data _log_softmax_backward_data ", of_arrays, own, by_sizes, 2, 4},
    Family{" mse_loss ", of_arrays, own, by_sizes, 2, 2},
    Family{" embedding ", embedding, sealed, by_sizes, nowhere, nowhere},
    Family{" embedding_bag _embedding_bag _embedding_bag_forward_only ", embedding, sealed, by_both, 6, 7},
    Family{" embedding_dense_backward ", embedding_backward, own, by_both, 2, nowhere},
    Family{" _embedding_bag_backward ", embedding_backward, sealed, by_both, 6, 10},
    Family{" _embedding_bag_dense_backward _embedding_bag_sparse_backward ", embedding_backward, sealed,
           by_both, 5, 8},
    Family{" gather ", gather},
    Family{" index ", index},
    Family{" index_select ", index_select, sealed, by_both},
    Family{" index_put ", index_put, sealed, by_both, 1},
    Family{" _index_put_impl ", index_put, sealed, by_both, 2},
    Family{" cat stack ", concatenation},
    Family{" copy clone roll flip ", copy},
    Family{" _foreach_copy _foreach_clone ", copy, whole},
    Family{" fill zero _foreach_zero ", fill},
    Family{" tril triu ", triangle, own, by_both},
    Family{" arange ", range_of_numbers, own, by_values},
    Family{" eq ne lt le gt ge logical_and logical_or logical_xor logical_not isnan isinf isneginf isposinf ",
           comparison},
    Family{" where ", masked, own, by_sizes, 1},
    Family{" masked_fill ", masked},
    Family{" scatter_add ", by_terms, sealed, by_sizes, 2, 1, 0, "22 23 20 to 20"},
    Family{" scatter ", by_terms, sealed, by_sizes, 0, 0, 0, "22 23 to 20"},
    Family{" index_add ", by_terms, sealed, by_sizes, 3, 1, 0, "22 33 30 to 30"},
    Family{" index_copy ", by_terms, sealed, by_sizes, 0, 0, 0, "22 33 to 30"},
    Family{" batch_norm_stats ", by_terms, sealed, by_sizes, 0, 3, 0, "00 to "},
    Family{" batch_norm_elemt ", by_terms, sealed, by_sizes, 0, 4, 0, "00 to 00"},
    Family{" batch_norm_backward_reduce ", by_terms, sealed, by_sizes, 0, 4, 0, "00 11 to "},
    Family{" batch_norm_backward_elemt ", by_terms, sealed, by_sizes, 0, 5, 0, "00 11 to 10"},
    Family{" native_dropout ", by_terms, sealed, by_sizes, 0, 1, 0, "00 to 00 0b"},
    Family{" mse_loss_backward ", by_terms, sealed, by_sizes, 1, 3, 0, "11 22 to 11"},
    Family{" native_dropout_backward ", by_terms, sealed, by_sizes, 0, 2, 0, "00 11 to 00"},
    Family{" max_pool2d_with_indices_backward max_pool3d_with_indices_backward ", by_terms, sealed, by_sizes,
           0, 1, 0, "00 77 to 10"},
    Family{" adaptive_max_pool2d_backward ", by_terms, sealed, by_sizes, 0, 1, 0, "00 22 to 10"},
    Family{
        " avg_pool2d_backward avg_pool3d_backward _adaptive_avg_pool2d_backward _adaptive_avg_pool3d_backward "
        "reflection_pad1d_backward reflection_pad2d_backward replication_pad1d_backward "
        "replication_pad2d_backward replication_pad3d_backward ",
        by_terms, sealed, by_sizes, 0, 1, 0, "00 to 10"},
    Family{" nll_loss_forward nll_loss2d_forward ", by_terms, sealed, by_sizes, 1, 1, 0, "11 10 to "},
    Family{" nll_loss_backward nll_loss2d_backward ", by_terms, sealed, by_sizes, 2, 1, 0, "22 to 11"},
    Family{" max_pool2d_with_indices max_pool3d_with_indices avg_pool2d avg_pool3d ", pooling, own,
           by_values},
    Family{" topk ", largest, sealed, by_values},
    Family{
        " constant_pad_nd reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d "
        "replication_pad3d ",
        padded, sealed, by_values},
    Family{" _adaptive_avg_pool2d _adaptive_avg_pool3d adaptive_max_pool2d ", resized, sealed, by_values, 0},
    Family{" upsample_nearest1d upsample_nearest2d upsample_nearest3d _upsample_nearest_exact1d "
           "_upsample_nearest_exact2d _upsample_nearest_exact3d upsample_nearest1d_backward "
           "upsample_nearest2d_backward upsample_nearest3d_backward _upsample_nearest_exact1d_backward "
           "_upsample_nearest_exact2d_backward _upsample_nearest_exact3d_backward ",
           resized, sealed, by_values, 1},
    Family{" upsample_linear1d upsample_linear1d_backward ", resized, sealed, by_values, 2},
    Family{" upsample_bilinear2d upsample_bilinear2d_backward ", resized, sealed, by_values, 4},
    Family{" upsample_trilinear3d upsample_trilinear3d_backward ", resized, sealed, by_values, 8},
    Family{" upsample_bicubic2d upsample_bicubic2d_backward ", resized, sealed, by_values, 16},
    Family{" grid_sampler_2d ", sampled, sealed, by_values, 2, 4},
    Family{" grid_sampler_3d ", sampled, sealed, by_values, 2, 8},
    Family{" grid_sampler_2d_backward ", sampled, sealed, by_values, 3, 4},
    Family{" grid_sampler_3d_backward ", sampled, sealed, by_values, 3, 8},
    Family{" cudnn_grid_sampler cudnn_grid_sampler_backward ", sampled, sealed, by_sizes, nowhere, 4},
    Family{" _fft_c2c _fft_r2c ", fourier, whole, by_values},
    Family{" linalg_cholesky_ex ", factorisation, sealed, by_sizes, 0, 0, 0, "cholesky"},
    Family{" linalg_lu_factor_ex ", factorisation, sealed, by_sizes, 0, 0, 0, "lu"},
    Family{" linalg_solve_triangular ", factorisation, sealed, by_sizes, 0, 0, 0, "trsm"},
    Family{" _cudnn_rnn ", recurrent_layers, sealed, by_values, 13, 1},
    Family{" _cudnn_rnn_backward ", recurrent_layers, sealed, by_values, 17, 2},
    Family{" _thnn_fused_lstm_cell ", recurrent_cell, own, by_sizes, 2, 6, 13},
    Family{" _thnn_fused_gru_cell ", recurrent_cell, own, by_sizes, 2, 6, 10},
    Family{" _thnn_fused_lstm_cell_backward_impl ", recurrent_cell, own, by_sizes, 2, 5, 23},
    Family{" _thnn_fused_gru_cell_backward ", recurrent_cell, own, by_sizes, 0, 7, 16},
    Family{" _fused_adam _fused_adamw _fused_sgd _fused_adagrad ", fused_optimizer, whole},
    Family{" _foreach_norm _foreach_max ", reduction, whole, by_sizes, nowhere},
    Family{
        " _foreach_add _foreach_sub _foreach_mul _foreach_div _foreach_lerp _foreach_addcmul "
        "_foreach_addcdiv _foreach_sqrt _foreach_neg _foreach_abs _foreach_exp _foreach_maximum "
        "_foreach_minimum _foreach_clamp_min _foreach_clamp_max _foreach_log _foreach_reciprocal "
        "_foreach_pow _foreach_rsqrt _foreach_sigmoid _foreach_tanh _foreach_sign _foreach_expm1 _foreach_log1p "
        "_foreach_cos _foreach_sin _foreach_floor _foreach_ceil _foreach_round _amp_foreach_non_finite_check_and_unscale ",
        elementwise, whole},
    Family{" sum mean max min amax amin prod any all var var_mean std std_mean nansum argmax argmin ",
           reduction, own, by_both, 1},
    Family{" norm linalg_vector_norm ", reduction, own, by_both, 2},
    Family{" cumsum cumprod logcumsumexp ", over_elements, own, by_both, 0, 0, 0, "scan"},
    Family{" sort ", over_elements, sealed, by_sizes, 0, 0, 0, "sort"},
    Family{" logsumexp ", reduction, whole, by_both, 1, 4},
    Family{" histc ", histogram, own, by_both, 1, 100},
    Family{" bincount ", histogram, own, by_sizes, nowhere, 256},
    Family{
        " add sub rsub mul div relu gelu silu sigmoid tanh exp exp2 expm1 log log2 log10 log1p sqrt rsqrt neg "
        "abs pow square reciprocal sin cos tan atan atan2 erf erfc clamp clamp_min clamp_max threshold maximum "
        "minimum fmax fmin lerp addcmul addcdiv remainder fmod floor_divide bitwise_and bitwise_or "
        "bitwise_xor bitwise_not hardtanh hardswish hardsigmoid leaky_relu elu softplus mish log_sigmoid_forward "
        "sign floor ceil trunc round nan_to_num gelu_backward silu_backward sigmoid_backward tanh_backward "
        "threshold_backward leaky_relu_backward hardswish_backward hardsigmoid_backward elu_backward "
        "softplus_backward mish_backward hardtanh_backward log_sigmoid_backward logit_backward softshrink softshrink_backward "
        "hardshrink hardshrink_backward _prelu_kernel acos acosh asin asinh atanh cosh sinh erfinv frac lgamma digamma logit "
        "logaddexp logaddexp2 xlogy copysign hypot sgn ",
        elementwise}};

/// Null for an operator that is not known. Traces ask for every call of one.
const Family* family_of(std::string_view name) {
    static const auto by_name = [] {
        std::unordered_map<std::string_view, const Family*> map;
        for (const Family& row : families)
            for (std::size_t at = 1, end = 0; (end = row.names.find(' ', at)) != std::string_view::npos;
                 at = end + 1)
                map.emplace(row.names.substr(at, end - at), &row);
        return map;
    }();
    const auto family = by_name.find(name);
    return family == by_name.end() ? nullptr : family->second;
}

/// Why a call of a known operator is not told by what stands in its range; empty where too little does.
std::string misfit_words(const PytorchCall& op) {
    auto* const read = family_of(op.name)->read;
    if (op.types.empty() && read != attention)
        return op.values.empty() && family_of(op.name)->told == by_values
                   ? fmt::format(
                         "What {} does follows from its settings too, which PyTorch's NVTX ranges do not "
                         "hold. A trace of its profiler holds them.",
                         op.name)
                   : std::string();
    if (!op.types.empty() && !op.types.front().empty() && !input(op, 0).empty() && !type_of(op, 0))
        return fmt::format("The type of the first input of this {}, {}, is none that operations know.",
                           op.name, op.types.front());
    std::string_view why = "not all sizes or settings that it takes are told, or they do not fit together";
    if (read == convolution && op.name == "convolution_backward")
        why = "it computes the gradient of the bias alone, or its sizes do not fit together";
    else if (read == convolution)
        why = "its stride, padding and dilation are not told, or its sizes do not fit together";
    else if (read == pooling)
        why = "its windows are not told, or do not fit into the input";
    else if (read == attention)
        why = "its inputs do not have two to four dimensions, or its sequences and heads do not fit together";
    else if (read == factorisation)
        why = "its matrix is not square";
    return fmt::format("The operation of this {} is not known: {}.", op.name, why);
}

}  // namespace

bool is_convolution(const PytorchCall& op) {
    const Family* const family = family_of(op.name);
    return family != nullptr && family->read == convolution;
}

bool is_told_by_values(std::string_view name) {
    const Family* const family = family_of(operator_name(name));
    return family != nullptr && family->told != by_sizes;
}

std::optional<PytorchOperation> operation_of(const PytorchCall& op) {
    const Family* const family = family_of(op.name);
    if (family == nullptr) return std::nullopt;
    // NVTX ranges hold the tensors of lists one after another, and of many tensors nobody has the sizes.
    const bool lists = contains(op.name, "_foreach_");
    if (lists && (op.types.empty() || op.types.front() != "TensorList" || input(op, 0).empty()))
        return std::nullopt;
    // A type that no operation knows, as that of 16-bit integers, must not become the usual one.
    const bool told = !op.types.empty() && op.types.front() != "TensorList";
    if (told && !input(op, 0).empty() && !type_of(op, 0)) return std::nullopt;
    auto operation = family->read(op, *family);
    if (!operation) return std::nullopt;
    operation->whole = family->extent != Extent::own;
    operation->sealed = operation->sealed || family->extent == Extent::sealed;
    return operation;
}

std::optional<PytorchOperation> conversion_of(const PytorchCall& copy) {
    const double n = elements(input(copy, 0));
    if (n == 0) return std::nullopt;
    PytorchOperation operation = custom(0, 4 * n, 2 * n);
    operation.assumed = "a conversion from 32 to 16 bits";
    return operation;
}

std::string unknown_words(const PytorchCall& op) {
    if (family_of(op.name) != nullptr) {
        for (const Sizes& sizes : op.sizes)
            if (std::ranges::find(sizes, 0.0) != sizes.end())
                return fmt::format("An input of this {} has no elements, so there is nothing to do.",
                                   op.name);
        PytorchCall typed = op;
        typed.types.assign(op.sizes.size(), "float");
        if (const auto operation = operation_of(op)) {
            const auto model = model_operation(operation->text);
            if (!model) return fmt::format("{}. {}", model.error().what, model.error().hint);
            if (operation->assumed.empty() || !op.values.empty() || !is_convolution(op)) return {};
            return fmt::format(
                "PyTorch's NVTX ranges do not hold stride and padding of this {}, and no counted work agrees with "
                "{}. A trace of its profiler holds them.",
                op.name, operation->assumed);
        }
        if (!op.types.empty() || !operation_of(typed)) return misfit_words(op);
        return fmt::format(
            "The bytes of {} follow from its types, which PyTorch's NVTX ranges do not hold. A trace of its "
            "profiler holds them.",
            op.name);
    }
    constexpr std::string_view random =
        " normal uniform random bernoulli exponential geometric cauchy log_normal randperm multinomial ";
    if (random.find(fmt::format(" {} ", op.name)) != std::string_view::npos)
        return fmt::format(
            "{} draws random numbers. Sizes do not tell the work of their generator, so the "
            "operation is not known.",
            op.name);
    return fmt::format(
        "What {} does is not known from its sizes. By hand it is custom flops=FLOP read=BYTES "
        "write=BYTES.",
        op.name);
}

}  // namespace roofwalk
