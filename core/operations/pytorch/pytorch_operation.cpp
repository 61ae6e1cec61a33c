// SPDX-License-Identifier: GPL-3.0-or-later
// Which inputs an operator takes, and in which order, stands in PyTorch's
// aten/src/ATen/native/native_functions.yaml.
#include "core/operations/pytorch/pytorch_operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <span>

#include "core/operations/data_type.h"

namespace roofwalk {

namespace {

using Sizes = PytorchOp::Sizes;

double product_of(std::span<const double> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 1.0, std::multiplies());
}

/// Elements of a tensor; 0 of an input that is a number, a list of numbers or absent.
double elements(const Sizes& sizes) {
    return sizes.empty() ? 0 : product_of(sizes);
}

const Sizes& input(const PytorchOp& op, std::size_t index) {
    static const Sizes none;
    return index < op.sizes.size() ? op.sizes[index] : none;
}

/// "c10::Half" is fp16, "short int" none that operations know.
std::optional<DataType> type_of(const PytorchOp& op, std::size_t index) {
    if (index >= op.types.size()) return std::nullopt;
    std::string_view name = op.types[index];
    if (name.starts_with("c10::")) name.remove_prefix(5);
    if (name == "unsigned char" || name == "signed char" || name == "bool") return DataType::int8;
    if (name == "int") return DataType::int32;
    if (name == "long int" || name == "long") return DataType::int64;
    std::string lower(name);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower.starts_with("float8") ? DataType::fp8 : data_type_from_name(lower);
}

/// The text of an operation, a parameter after the other.
class Text {
  public:
    explicit Text(std::string_view operation,
                  std::initializer_list<std::pair<std::string_view, double>> sizes = {})
        : text_(operation) {
        for (const auto& [name, value] : sizes)
            with(name, value);
    }

    Text& with(std::string_view name, double value) {
        text_ += fmt::format(" {}={:.0f}", name, value);
        return *this;
    }
    Text& unless(double usual, std::string_view name, double value) {
        return value == usual ? *this : with(name, value);
    }
    Text& typed(std::string_view name, std::optional<DataType> type) {
        if (type) text_ += fmt::format(" {}={}", name, name_of(*type));
        return *this;
    }
    /// With indices of 32 bits where they are not of the usual 64.
    Text& indexed(const PytorchOp& op, std::size_t index) {
        if (type_of(op, index) == DataType::int32) text_ += " index=int32";
        return *this;
    }
    [[nodiscard]] PytorchOperation done() const { return {text_, {}, false}; }
    /// With the type of the first input.
    [[nodiscard]] PytorchOperation done(const PytorchOp& op) { return typed("dtype", type_of(op, 0)).done(); }

  private:
    std::string text_;
};

using Known = std::optional<PytorchOperation>;

/// A B with A[..., m, k] and B[..., k, n] at two places of the inputs, and C where it is read.
template <std::size_t left, std::size_t right, int added = -1>
Known matrix_product(const PytorchOp& op) {
    const Sizes& a = input(op, left);
    const Sizes& b = input(op, right);
    if (a.size() < 2 || b.size() < 2 || a.back() != b[b.size() - 2]) return std::nullopt;
    const bool shared = b.size() == 2;
    const std::span<const double> batches(b.data(), b.size() - 2);
    const double rows = product_of(std::span(a).first(a.size() - 1));
    const double batch = product_of(batches);
    if (!shared && product_of(std::span(a).first(a.size() - 2)) != batch) return std::nullopt;
    const double m = rows / batch;
    Text text("gemm");
    text.with("m", m).with("n", b.back()).with("k", a.back()).unless(1, "batch", batch);
    text.typed("dtype", type_of(op, left));
    if (type_of(op, left) != type_of(op, right)) text.typed("b", type_of(op, right));
    if (added >= 0 && elements(input(op, static_cast<std::size_t>(added))) == batch * m * b.back())
        text.with("beta", 1);
    return text.done();
}

/// Its result is as wide as the call says: 16 bits with the types of most calls, else that of the inputs.
Known scaled_product(const PytorchOp& op) {
    constexpr std::size_t out_type = 6;
    constexpr std::array<std::pair<std::string_view, DataType>, 3> scalar_types{
        {{"5", DataType::fp16}, {"6", DataType::fp32}, {"15", DataType::bf16}}};
    auto operation = matrix_product<0, 1>(op);
    const bool told = out_type < op.values.size();
    if (!operation || (told && op.values[out_type].empty())) return operation;
    const auto* const type = std::ranges::find_if(
        scalar_types, [&](const auto& known) { return told && known.first == op.values[out_type]; });
    if (type != scalar_types.end())
        operation->text += fmt::format(" c={}", name_of(type->second));
    else if (!told && (op.types.empty() || type_of(op, 0) == DataType::fp8)) {
        operation->assumed = op.types.empty() ? "dtype=fp8 c=bf16" : "c=bf16";
        operation->text += " " + operation->assumed;
    }
    return operation;
}

Known integer_product(const PytorchOp& op) {
    auto operation = matrix_product<0, 1>(op);
    if (operation) operation->text += op.types.empty() ? " dtype=int8 c=int32" : " c=int32";
    return operation;
}

Known linear(const PytorchOp& op) {
    const Sizes& x = input(op, 0);
    const Sizes& weights = input(op, 1);
    if (x.empty() || weights.size() != 2 || x.back() != weights[1]) return std::nullopt;
    return Text("gemm", {{"m", elements(x) / x.back()}, {"n", weights[0]}, {"k", weights[1]}}).done(op);
}

Known matrix_vector(const PytorchOp& op) {
    const Sizes& a = input(op, 0);
    if (a.size() != 2 || input(op, 1) != Sizes{a[1]}) return std::nullopt;
    return Text("gemv", {{"m", a[0]}, {"n", a[1]}}).done(op);
}

/// Which input says whether a query sees only the keys before it.
std::optional<bool> is_causal(const PytorchOp& op) {
    constexpr std::array<std::pair<std::string_view, std::size_t>, 12> places{
        {{"scaled_dot_product_attention", 5},
         {"_scaled_dot_product_attention_math", 5},
         {"_cudnn_attention_forward", 10},
         {"_flash_attention_backward", 11},
         {"_cudnn_attention_backward", 14},
         {"_scaled_dot_product_cudnn_attention_backward", 14},
         {"_scaled_dot_product_flash_attention", 4},
         {"_scaled_dot_product_efficient_attention", 6},
         {"_scaled_dot_product_cudnn_attention", 6},
         {"_flash_attention_forward", 8},
         {"_scaled_dot_product_flash_attention_backward", 11},
         {"_scaled_dot_product_efficient_attention_backward", 11}}};
    for (const auto& [name, place] : places)
        if (op.name == name && place < op.values.size() && !op.values[place].empty())
            return op.values[place] == "True";
    return std::nullopt;
}

/// Q[b, h, s, d], K and V[b, kv heads, t, d] beginning at `first`; or heads and positions the other way
/// round.
template <std::size_t first, bool heads_last>
Known attention(const PytorchOp& op) {
    // Sequences of different lengths, one after another, are not told by the sizes.
    constexpr std::size_t lengths = first > 0 ? 6 : 3;
    const std::size_t at = first == 0 && op.name == "_efficient_attention_forward" ? lengths + 1 : lengths;
    if (heads_last && !input(op, at).empty()) return std::nullopt;
    const Sizes& q = input(op, first);
    const Sizes& k = input(op, first + 1);
    if (q.size() != 4 || k.size() != 4 || input(op, first + 2) != k || q[0] != k[0] || q[3] != k[3])
        return std::nullopt;
    const std::size_t heads = heads_last ? 2 : 1;
    const std::size_t positions = heads_last ? 1 : 2;
    const bool decode = first == 0 && q[positions] == 1;
    Text text(first > 0 ? "attention_backward" : decode ? "attention_decode" : "attention_prefill");
    if (decode)
        text.with("context", k[positions]);
    else
        text.with("seq", q[positions]).unless(q[positions], "kv_seq", k[positions]);
    text.with("head_dim", q[3]).with("heads", q[heads]).unless(q[heads], "kv_heads", k[heads]);
    text.unless(1, "batch", q[0]);
    if (decode)
        text.with("query_output", 1);
    else if (const auto causal = is_causal(op))
        text.with("causal", *causal ? 1 : 0);
    return text.typed("dtype", type_of(op, first)).done();
}

/// `operation` over rows as long as the weights, or as the last dimension.
Known norm_of(const PytorchOp& op, std::string_view operation, std::size_t first, std::size_t weights,
              std::size_t vectors) {
    const Sizes& x = input(op, first);
    if (x.empty()) return std::nullopt;
    double given = 0;
    for (std::size_t i = 0; i < vectors; ++i)
        given += input(op, weights + i).empty() ? 0 : 1;
    const double cols = given > 0 ? elements(input(op, weights)) : x.back();
    if (cols == 0 || std::fmod(elements(x), cols) != 0) return std::nullopt;
    return Text(operation, {{"rows", elements(x) / cols}, {"cols", cols}})
        .unless(operation == "rmsnorm" ? 1 : 2, "weights", given)
        .typed("dtype", type_of(op, first))
        .done();
}

Known layer_norm(const PytorchOp& op) {
    return norm_of(op, "layernorm", 0, 2, 2);
}
Known rms_norm(const PytorchOp& op) {
    return norm_of(op, "rmsnorm", 0, 2, 1);
}
Known layer_norm_backward(const PytorchOp& op) {
    return norm_of(op, "norm_backward", 0, 5, 2);
}

Known rms_norm_backward(const PytorchOp& op) {
    return norm_of(op, "norm_backward", 0, 4, 1);
}

/// The gradient as large as the input; its rows are the positions, as wide as there are channels.
Known batch_norm_backward(const PytorchOp& op) {
    const Sizes& x = input(op, 0);
    if (x.size() < 2) return std::nullopt;
    return Text("norm_backward", {{"rows", elements(x) / x[1]}, {"cols", x[1]}}).done(op);
}

Known batch_norm(const PytorchOp& op) {
    const Sizes& x = input(op, 0);
    if (x.size() < 2) return std::nullopt;
    return Text("batchnorm", {{"channels", x[1]}, {"positions", elements(x) / x[1]}}).done(op);
}

/// The whole numbers of a value, "[2, -1]" or "3"; none where nobody says.
std::vector<double> numbers_at(const PytorchOp& op, std::size_t place) {
    std::vector<double> numbers;
    const std::string_view list = place < op.values.size() ? std::string_view(op.values[place]) : "";
    for (std::size_t at = 0; (at = list.find_first_of("-0123456789", at)) != std::string_view::npos;
         at = std::min(list.find(' ', at), list.size())) {
        int number = 0;
        std::from_chars(list.data() + at, list.data() + list.size(), number);
        numbers.push_back(number);
    }
    return numbers;
}

/// 2 of "[2, 2]"; absent where nobody says, and where the dimensions differ.
std::optional<double> same_in_all(const PytorchOp& op, std::size_t index) {
    const auto numbers = numbers_at(op, index);
    if (numbers.empty() || std::ranges::count(numbers, numbers.front()) != std::ssize(numbers))
        return std::nullopt;
    return numbers.front();
}

/// The dimension that one of the values names, from the front.
std::optional<std::size_t> dimension_of(const PytorchOp& op, double dimension) {
    const auto count = static_cast<double>(input(op, 0).size());
    if (dimension >= count || dimension < -count) return std::nullopt;
    return static_cast<std::size_t>(dimension < 0 ? dimension + count : dimension);
}

std::optional<std::size_t> dimension_at(const PytorchOp& op, std::size_t place) {
    const auto numbers = numbers_at(op, place);
    return numbers.size() == 1 ? dimension_of(op, numbers.front()) : std::nullopt;
}

Known softmax(const PytorchOp& op) {
    const Sizes& x = input(op, 0);
    if (x.empty()) return std::nullopt;
    const double cols = x[dimension_at(op, 1).value_or(x.size() - 1)];
    return Text("softmax", {{"rows", elements(x) / cols}, {"cols", cols}}).done(op);
}

/// Groups are told by values alone; their weights are few beside them.
Known group_norm(const PytorchOp& op) {
    const auto groups = same_in_all(op, op.name == "group_norm" ? 1 : 6);
    const Sizes& x = input(op, 0);
    if (x.size() < 2 || !groups || *groups <= 0) return std::nullopt;
    const double rows = x[0] * *groups;
    return Text("layernorm", {{"rows", rows}, {"cols", elements(x) / rows}, {"weights", 0}}).done(op);
}

Known embedding(const PytorchOp& op) {
    const Sizes& table = input(op, 0);
    if (table.size() != 2 || input(op, 1).empty()) return std::nullopt;
    return Text("embedding", {{"tokens", elements(input(op, 1))}, {"dim", table[1]}, {"vocab", table[0]}})
        .indexed(op, 1)
        .done(op);
}

Known gather(const PytorchOp& op) {
    if (input(op, 2).empty()) return std::nullopt;
    return Text("gather", {{"n", elements(input(op, 2))}}).indexed(op, 2).done(op);
}

/// Slices of x along one dimension, `n` of them: the dimension `told`, else that which makes the output as
/// large as it is, else the first.
Known slices(const PytorchOp& op, double n, std::optional<std::size_t> told, const Sizes* output) {
    const Sizes& x = input(op, 0);
    for (std::size_t i = 0; output && !told && i < x.size(); ++i)
        if (elements(*output) == n * elements(x) / x[i]) told = i;
    if (n == 0 || (output && !told) || told.value_or(0) >= x.size()) return std::nullopt;
    const double length = x[told.value_or(0)];
    PytorchOperation operation =
        Text("embedding", {{"tokens", n}, {"dim", elements(x) / length}, {"vocab", length}})
            .indexed(op, op.name == "index" ? 1 : 2)
            .done(op);
    if (!told && std::ranges::any_of(x, [&](double size) { return size != length; }))
        operation.assumed = "dim=0";
    return operation;
}

bool is_mask(const PytorchOp& op, std::size_t index) {
    return index < op.types.size() && (op.types[index] == "bool" || op.types[index] == "unsigned char");
}

/// x[i]; a list of indices does not tell which dimensions have none.
Known index_of_one(const PytorchOp& op, const Sizes* output) {
    const Sizes& x = input(op, 0);
    const Sizes& picked = input(op, 1);
    const bool like_a_mask = picked.size() <= x.size() && std::equal(picked.begin(), picked.end(), x.begin());
    if (picked.empty() || is_mask(op, 1) || (like_a_mask && !output)) return std::nullopt;
    if (x.size() > 1) return slices(op, elements(picked), std::nullopt, output);
    return Text("gather", {{"n", elements(picked)}, {"indices", 1}}).done(op);
}

Known index_select(const PytorchOp& op, const Sizes* output) {
    return input(op, 0).empty() ? std::nullopt
                                : slices(op, elements(input(op, 2)), dimension_at(op, 1), output);
}

/// The rows of the gradient are those of the table, where the call or its result tells them.
Known embedding_backward(const PytorchOp& op, const Sizes* output) {
    const Sizes& given = input(op, 0);
    if (given.empty() || input(op, 1).empty()) return std::nullopt;
    const auto told = numbers_at(op, 2);
    const double rows = output && output->size() == 2 ? output->front() : told.empty() ? 0 : told.front();
    PytorchOperation operation =
        Text("embedding_backward", {{"tokens", elements(input(op, 1))}, {"dim", given.back()}})
            .unless(0, "vocab", rows)
            .done(op);
    if (rows == 0) operation.assumed = "a gradient of the rows of these tokens alone";
    return operation;
}

/// x[i, j, ...] with an index for every dimension, or x[i].
Known index(const PytorchOp& op, const Sizes* output) {
    const Sizes& x = input(op, 0);
    const std::size_t indices = op.sizes.size() - 1;
    if (x.empty() || indices == 0) return std::nullopt;
    if (indices == 1) return index_of_one(op, output);
    if (indices != x.size() || input(op, 1).empty()) return std::nullopt;
    double n = 0;
    for (std::size_t i = 1; i <= indices; ++i)
        n = std::max(n, elements(input(op, i)));
    return Text("gather", {{"n", n}, {"indices", static_cast<double>(indices)}}).done(op);
}

/// All inputs once, one after another.
Known concatenation(const PytorchOp& op) {
    double n = 0;
    for (const Sizes& sizes : op.sizes)
        n += elements(sizes);
    if (n == 0) return std::nullopt;
    return Text("copy", {{"n", n}}).done(op);
}

/// Bytes of an element of an input.
std::optional<double> element_bytes(const PytorchOp& op, std::size_t index) {
    const auto type = type_of(op, index);
    return type ? std::optional(bytes_of(*type)) : std::nullopt;
}

/// Of arrays of different types: the inputs from `first` on as large as they are, and what is written.
Known of_bytes(const PytorchOp& op, std::size_t first, double flops, double written) {
    double read = 0;
    for (std::size_t i = first; i < op.sizes.size(); ++i) {
        const auto bytes = element_bytes(op, i);
        if (elements(op.sizes[i]) > 0 && !bytes) return std::nullopt;
        read += elements(op.sizes[i]) * bytes.value_or(0);
    }
    return Text("custom", {{"flops", flops}, {"read", read}, {"write", written}}).done();
}

Known copy(const PytorchOp& op) {
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

Known fill(const PytorchOp& op) {
    if (op.sizes.empty()) return std::nullopt;
    return Text("elementwise", {{"n", product_of(input(op, 0))}, {"inputs", 0}, {"flops", 0}}).done(op);
}

/// Elements of what inputs give that broadcast to one shape.
double broadcast_elements(const PytorchOp& op) {
    Sizes result;
    for (const Sizes& sizes : op.sizes) {
        if (sizes.size() > result.size()) result.insert(result.begin(), sizes.size() - result.size(), 1);
        for (std::size_t i = 1; i <= sizes.size(); ++i) {
            double& dimension = result[result.size() - i];
            dimension = dimension == 1 ? sizes[sizes.size() - i] : dimension;
        }
    }
    return elements(result);
}

/// Inputs of one shape, or of shapes that broadcast to it and are too small to count. Of several types the
/// result has the widest, or in place that of the first.
Known elementwise(const PytorchOp& op) {
    const double n = broadcast_elements(op);
    if (n == 0 && input(op, 0).empty() && type_of(op, 0))  // a tensor without dimensions
        return Text("elementwise", {{"n", 1}}).done(op);
    if (n == 0) return std::nullopt;
    const auto whole = std::ranges::count(op.sizes, n, elements);
    std::set<double> widths;
    for (std::size_t i = 0; i < op.sizes.size(); ++i)
        if (const auto type = type_of(op, i); type && elements(op.sizes[i]) == n)
            widths.insert(bytes_of(*type));
    if (widths.size() > 1) {
        const auto first = type_of(op, 0);
        const bool in_place = op.text.starts_with("aten::" + op.name + "_") && first;
        return of_bytes(op, 0, n, n * (in_place ? bytes_of(*first) : *widths.rbegin()));
    }
    return Text("elementwise", {{"n", n}}).unless(1, "inputs", static_cast<double>(whole)).done(op);
}

/// One byte for each element tells how it compares.
Known comparison(const PytorchOp& op) {
    const double n = broadcast_elements(op);
    return n == 0 ? std::nullopt : of_bytes(op, 0, n, n);
}

/// Elements picked by a mask: the type of the result is that of the input at `kept`.
template <std::size_t kept>
Known masked(const PytorchOp& op) {
    const double n = broadcast_elements(op);
    const auto bytes = element_bytes(op, kept);
    return n == 0 || !bytes ? std::nullopt : of_bytes(op, 0, 0, n * *bytes);
}

/// What is left of the dimensions that the call names; of all of them where it names none. Absent where its
/// values are not known.
std::optional<double> reduced_outputs(const PytorchOp& op) {
    const bool of_norm = op.name == "norm" || op.name == "linalg_vector_norm";
    const std::size_t place = of_norm ? 2 : 1;
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

Known reduction(const PytorchOp& op, const Sizes* output) {
    if (input(op, 0).empty()) return std::nullopt;
    const bool of_two = !input(op, 1).empty();
    if (of_two && (op.name == "max" || op.name == "min")) return elementwise(op);
    const auto told = output ? std::optional(elements(*output)) : reduced_outputs(op);
    PytorchOperation operation =
        Text("reduction", {{"n", elements(input(op, 0))}}).unless(1, "outputs", told.value_or(1)).done(op);
    if (!told) operation.assumed = "outputs=1";
    return operation;
}

template <const char* operation>
Known over_elements(const PytorchOp& op) {
    if (input(op, 0).empty()) return std::nullopt;
    Text text(operation);
    text.with("n", elements(input(op, 0)));
    if (op.name == "sort") text.with("indices", 8);
    return text.done(op);
}

/// The gradient of the input of a softmax, of its output and of the gradient of that.
Known softmax_backward(const PytorchOp& op) {
    if (input(op, 0).empty()) return std::nullopt;
    return Text("elementwise", {{"n", elements(input(op, 0))}, {"inputs", 2}, {"flops", 4}}).done(op);
}

/// Adam and SGD in one kernel over lists that are summed up: parameters, gradients and what is kept of each.
Known fused_optimizer(const PytorchOp& op) {
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

/// Elements of windows become one each; a maximum says as a 64-bit number which it was.
Known pooling(const PytorchOp& op) {
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

/// Of an output that values tell: the last dimensions, how much wider each is, from the last on, or how many
/// elements of a row.
Known resized(const PytorchOp& op) {
    const Sizes& x = input(op, 0);
    const auto told = numbers_at(op, 1);
    const auto bytes = element_bytes(op, 0);
    if (told.empty() || !bytes) return std::nullopt;
    double n = elements(x);
    if (op.name == "topk") {
        const auto dimension = dimension_at(op, 2);
        if (!dimension) return std::nullopt;
        constexpr double index = 8;
        return of_bytes(op, 0, 0, n / x[*dimension] * told.front() * (*bytes + index));
    }
    const bool pads = op.name == "constant_pad_nd";
    const std::size_t dimensions = pads ? told.size() / 2 : told.size();
    if (dimensions > x.size()) return std::nullopt;
    for (std::size_t i = 0; i < dimensions; ++i) {
        const double length = x[x.size() - 1 - i];
        n *= (pads ? length + told[2 * i] + told[2 * i + 1] : told[dimensions - 1 - i]) / length;
    }
    const double flops = op.name.find("bilinear") != std::string::npos ? 7 : 0;
    const bool cubic = op.name.find("bicubic") != std::string::npos;
    return cubic ? std::nullopt : of_bytes(op, 0, flops * n, n * *bytes);
}

/// Transforms of complex or of real numbers, over the dimensions that a value names.
Known fourier(const PytorchOp& op) {
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

template <const char* operation>
Known factorisation(const PytorchOp& op) {
    const Sizes& a = input(op, 0);
    const Sizes& b = input(op, 1);
    if (a.size() < 2 || a.back() != a[a.size() - 2]) return std::nullopt;
    const double batch = elements(a) / (a.back() * a.back());
    Text text(operation);
    text.with(b.empty() ? "n" : "m", a.back());
    if (!b.empty()) text.with("n", elements(b) / (a.back() * batch));
    return text.unless(1, "batch", batch).done(op);
}
constexpr char scan_name[] = "scan";
constexpr char sort_name[] = "sort";
constexpr char histogram_name[] = "histogram";
constexpr char cholesky_name[] = "cholesky";
constexpr char lu_name[] = "lu";
constexpr char trsm_name[] = "trsm";

/// Bytes of operators whose inputs differ in size and type: "23" are as many elements as input 2 has, of the
/// type of input 3; "0b" of a byte each.
struct Moves {
    std::string_view names;
    std::string_view read;
    std::string_view written;
    std::size_t counted = 0;  ///< each element of this input takes `flops`
    double flops = 0;
};
constexpr std::array moves_of_operators{Moves{" scatter_add ", "22 23 20", "20", 2, 1},
                                        Moves{" scatter ", "22 23", "20"},
                                        Moves{" index_add ", "22 33 30", "30", 3, 1},
                                        Moves{" native_dropout ", "00", "00 0b", 0, 1},
                                        Moves{" native_dropout_backward ", "00 11", "00", 0, 2},
                                        Moves{" max_pool2d_with_indices_backward ", "00 77", "10", 0, 1},
                                        Moves{" avg_pool2d_backward ", "00", "10", 0, 1},
                                        Moves{" nll_loss_forward ", "11 10", "", 1, 1},
                                        Moves{" nll_loss_backward ", "22", "11", 2, 1}};

Known moved(const PytorchOp& op) {
    const auto* const moves = std::ranges::find_if(moves_of_operators, [&](const Moves& row) {
        return row.names.find(" " + op.name + " ") != std::string_view::npos;
    });
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
    const auto read = bytes(moves->read);
    const auto written = bytes(moves->written);
    if (!read || !written) return std::nullopt;
    return Text("custom", {{"flops", moves->flops * elements(input(op, moves->counted))},
                           {"read", *read},
                           {"write", *written}})
        .done();
}

/// Operators that are read in one way: their names between spaces.
struct Family {
    std::string_view names;
    Known (*read)(const PytorchOp&);
    bool whole = false;
    bool sealed = false;
};

constexpr std::array families{
    Family{" mm matmul bmm ", matrix_product<0, 1>},
    Family{" _scaled_mm ", scaled_product},
    Family{" _int_mm ", integer_product},
    Family{" addmm _addmm_activation baddbmm ", matrix_product<1, 2, 0>},
    Family{" linear ", linear, true},
    Family{" mv ", matrix_vector},
    Family{" scaled_dot_product_attention _scaled_dot_product_attention_math "
           "_scaled_dot_product_flash_attention _scaled_dot_product_efficient_attention "
           "_scaled_dot_product_cudnn_attention _scaled_dot_product_fused_attention_overrideable "
           "_cudnn_attention_forward ",
           attention<0, false>, true},
    Family{" _flash_attention_forward _efficient_attention_forward ", attention<0, true>, true},
    Family{" _scaled_dot_product_flash_attention_backward _scaled_dot_product_efficient_attention_backward "
           "_scaled_dot_product_cudnn_attention_backward _cudnn_attention_backward ",
           attention<1, false>, true},
    Family{" _flash_attention_backward _efficient_attention_backward ", attention<1, true>, true},
    Family{" layer_norm native_layer_norm ", layer_norm, true},
    Family{" rms_norm _fused_rms_norm ", rms_norm, true},
    Family{" native_layer_norm_backward ", layer_norm_backward, true},
    Family{" _fused_rms_norm_backward ", rms_norm_backward, true},
    Family{" native_batch_norm_backward cudnn_batch_norm_backward batch_norm_backward ", batch_norm_backward,
           true},
    Family{" group_norm native_group_norm ", group_norm, true},
    Family{" batch_norm native_batch_norm cudnn_batch_norm _batch_norm_impl_index "
           "_batch_norm_with_update _native_batch_norm_legit ",
           batch_norm, true},
    Family{" softmax _softmax log_softmax _log_softmax ", softmax},
    Family{" _softmax_backward_data _log_softmax_backward_data ", softmax_backward},
    Family{" embedding ", embedding, true, true},
    Family{" gather ", gather},
    Family{" cat stack ", concatenation},
    Family{" copy clone roll flip ", copy},
    Family{" fill zero _foreach_zero ", fill},
    Family{" eq ne lt le gt ge logical_and logical_or logical_xor logical_not isnan isinf isneginf isposinf ",
           comparison},
    Family{" where ", masked<1>},
    Family{" masked_fill ", masked<0>},
    Family{" scatter_add scatter index_add native_dropout native_dropout_backward nll_loss_forward "
           "max_pool2d_with_indices_backward avg_pool2d_backward nll_loss_backward ",
           moved, true, true},
    Family{" max_pool2d_with_indices avg_pool2d ", pooling},
    Family{" constant_pad_nd topk upsample_nearest2d _upsample_nearest_exact2d upsample_bilinear2d ", resized,
           true, true},
    Family{" _fft_c2c _fft_r2c ", fourier, true},
    Family{" linalg_cholesky_ex ", factorisation<cholesky_name>, true, true},
    Family{" linalg_lu_factor_ex ", factorisation<lu_name>, true, true},
    Family{" linalg_solve_triangular ", factorisation<trsm_name>, true, true},
    Family{" _fused_adam _fused_adamw _fused_sgd ", fused_optimizer, true},
    Family{" _foreach_add _foreach_sub _foreach_mul _foreach_div _foreach_lerp _foreach_addcmul "
           "_foreach_addcdiv _foreach_sqrt _foreach_neg _foreach_abs _foreach_exp _foreach_maximum "
           "_foreach_reciprocal _foreach_copy _foreach_pow ",
           elementwise, true},
    Family{" cumsum cumprod ", over_elements<scan_name>},
    Family{" sort ", over_elements<sort_name>, true, true},
    Family{" histc bincount ", over_elements<histogram_name>},
    Family{
        " add sub rsub mul div relu gelu silu sigmoid tanh exp log sqrt rsqrt neg abs pow square "
        "reciprocal sin cos erf clamp clamp_min clamp_max threshold maximum minimum lerp addcmul addcdiv "
        "bitwise_and bitwise_or bitwise_xor bitwise_not hardtanh hardswish hardsigmoid leaky_relu elu softplus mish sign floor ceil round "
        "gelu_backward silu_backward sigmoid_backward tanh_backward threshold_backward "
        "leaky_relu_backward hardswish_backward ",
        elementwise}};

/// Operators of which the sizes of the output tell more.
struct OutputFamily {
    std::string_view names;
    Known (*read)(const PytorchOp&, const Sizes* output);
    bool sealed = false;
};
constexpr std::array output_families{OutputFamily{" index ", index},
                                     OutputFamily{" index_select ", index_select, true},
                                     OutputFamily{" embedding_dense_backward ", embedding_backward},
                                     OutputFamily{" sum mean max min amax amin prod any all norm "
                                                  "linalg_vector_norm var std var_mean argmax argmin ",
                                                  reduction}};

/// The step and the margin that make these dimensions of the input these of the output, the usual first.
struct Sweep {
    double stride = 1;
    double padding = 0;
    double dilation = 1;
};

std::optional<Sweep> told_sweep(const PytorchOp& op) {
    const bool of_cudnn = op.name == "cudnn_convolution";
    const bool later = op.name == "convolution_backward" || op.name == "_conv_depthwise2d";
    const auto stride = same_in_all(op, later ? 4 : 3);
    const auto padding = same_in_all(op, of_cudnn ? 2 : later ? 5 : 4);
    const auto dilation = same_in_all(op, op.name.starts_with("conv_t") ? 7 : of_cudnn ? 4 : later ? 6 : 5);
    if (!stride || !padding || !dilation || *stride <= 0) return std::nullopt;
    return Sweep{*stride, *padding, *dilation};
}

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

bool is_told(const PytorchOp& op, std::size_t place) {
    return place < op.values.size() && op.values[place] == "True";
}

/// What a transposed convolution gives is the input of the convolution whose gradient it computes.
Sizes transposed_output(const PytorchOp& op, const Sweep& sweep) {
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

/// Which gradients a call computes.
std::string_view gradients(const PytorchOp& op, bool transposed) {
    const std::string_view mask = op.values.size() > 10 ? std::string_view(op.values[10]) : "";
    if (mask.starts_with("[True, F")) return transposed ? "forward" : "data";
    return mask.starts_with("[False, T") ? "weights" : "backward";
}

Known convolution(const PytorchOp& op, const Sizes* output) {
    const bool backward = op.name == "convolution_backward";
    const bool transposed = op.name.starts_with("conv_t") || is_told(op, backward ? 7 : 6);
    const Sizes& weights = input(op, backward ? 2 : 1);
    const auto told = told_sweep(op);
    Sizes x = input(op, backward && !transposed ? 1 : 0);
    if (weights.size() != x.size() || (x.size() != 4 && x.size() != 5)) return std::nullopt;
    if (backward) output = &input(op, transposed ? 1 : 0);
    if (transposed && !backward) {
        if (!told) return std::nullopt;
        x = transposed_output(op, *told);
    }
    const std::size_t dimensions = x.size() - 2;
    const double groups = x[1] / weights[1];
    if (groups != std::floor(groups) || std::fmod(weights[0], groups) != 0) return std::nullopt;
    const std::span<const double> in(x.data() + 2, dimensions);
    const std::span<const double> kernel(weights.data() + 2, dimensions);
    const bool known = told || (output && output->size() == x.size());
    Sweep sweep{1, std::floor((kernel[0] - 1) / 2)};
    if (told) {
        sweep = *told;
    } else if (known) {
        const auto found = sweep_between(in, kernel, std::span(*output).subspan(2));
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
    const std::string_view pass = backward ? gradients(op, transposed) : transposed ? "data" : "forward";
    if (pass != "forward") operation.text += fmt::format(" pass={}", pass);
    operation.whole = true;
    operation.sealed = transposed;
    return operation;
}

}  // namespace

bool is_convolution(const PytorchOp& op) {
    constexpr std::string_view names =
        " conv2d conv3d convolution _convolution cudnn_convolution cudnn_convolution_relu "
        "cudnn_convolution_add_relu _conv_depthwise2d conv_depthwise3d thnn_conv2d _slow_conv2d_forward "
        "slow_conv3d convolution_backward conv_transpose2d conv_transpose3d ";
    return names.find(" " + op.name + " ") != std::string_view::npos;
}

bool is_told_by_values(std::string_view name) {
    constexpr std::string_view others =
        " softmax _softmax log_softmax _log_softmax _scaled_mm group_norm native_group_norm _fft_c2c _fft_r2c "
        "max_pool2d_with_indices avg_pool2d constant_pad_nd topk upsample_nearest2d "
        "_upsample_nearest_exact2d upsample_bilinear2d ";
    if (const std::size_t colons = name.rfind("::"); colons != std::string_view::npos)
        name.remove_prefix(colons + 2);
    const std::string word = fmt::format(" {} ", name);
    const auto has = [&](std::string_view names) { return names.find(word) != std::string_view::npos; };
    return name.find("conv") != std::string_view::npos || name.find("attention") != std::string_view::npos ||
           has(others) ||
           std::ranges::any_of(output_families, [&](const auto& family) { return has(family.names); });
}

std::optional<PytorchOperation> operation_of(const PytorchOp& op, const PytorchOp::Sizes* output) {
    if (is_convolution(op)) return input(op, 0).size() < 3 ? std::nullopt : convolution(op, output);
    const std::string name = " " + op.name + " ";
    const auto is_named = [&](const auto& family) {
        return family.names.find(name) != std::string_view::npos;
    };
    const auto family = std::ranges::find_if(families, is_named);
    const auto by_output = std::ranges::find_if(output_families, is_named);
    if (family == families.end() && by_output == output_families.end()) return std::nullopt;
    // A type that no operation knows, as that of 16-bit integers, must not become the usual one.
    const bool told = !op.types.empty() && op.types.front() != "TensorList";
    if (told && !input(op, 0).empty() && !type_of(op, 0)) return std::nullopt;
    const bool by_result = by_output != output_families.end();
    auto operation = by_result ? by_output->read(op, output) : family->read(op);
    if (!operation) return std::nullopt;
    operation->sealed = by_result ? by_output->sealed : family->sealed;
    operation->whole = by_result ? by_output->sealed : family->whole;
    return operation;
}

}  // namespace roofwalk
