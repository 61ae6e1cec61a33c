// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/measured_type.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "core/model/kernel_name.h"
#include "core/operations/op_parser.h"

namespace roofwalk {

namespace {

constexpr double nearly_all = 0.9;

std::optional<DataType> type_of(PipeKind pipe) {
    if (pipe == PipeKind::tensor_fp16_acc16 || pipe == PipeKind::fp16) return DataType::fp16;
    for (const DataType type : all_data_types)
        if (!is_integer(type) && matrix_pipe(type).kind == pipe) return type;
    return pipe == PipeKind::tensor_fp64 ? std::optional(DataType::fp64) : std::nullopt;
}

bool is_floating(const WorkSample& sample) {
    return sample.pipe.kind != PipeKind::int32 && sample.pipe.kind != PipeKind::tensor_int8 &&
           sample.pipe.kind != PipeKind::tensor_int4 && sample.pipe.kind != PipeKind::tensor_int1;
}

/// What only moves elements is compiled for their size: "OpaqueType<2u>".
std::optional<DataType> opaque_type(std::string_view kernel) {
    constexpr std::string_view opening = "OpaqueType<";
    std::size_t at = kernel.find(opening);
    if (at == std::string_view::npos) return std::nullopt;
    int size = 0;
    at = std::min(kernel.find_first_of("0123456789", at), kernel.size());  // behind "(unsigned int)" of ncu
    std::from_chars(kernel.data() + at, kernel.data() + kernel.size(), size);
    for (const DataType type : {DataType::fp64, DataType::fp32, DataType::fp16, DataType::int8})
        if (bytes_of(type) == size) return type;
    return std::nullopt;
}

/// The words of a name, in small letters.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words(1);
    for (const char c : name) {
        const bool capital = c >= 'A' && c <= 'Z';
        if (capital || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            words.back() += capital ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    return words;
}

struct TypeWord {
    std::string_view word;
    DataType type;
};

/// Longer ones before those that they begin with.
constexpr std::array type_words{
    TypeWord{"tf32", DataType::tf32},      TypeWord{"tfloat32", DataType::tf32},
    TypeWord{"bf16", DataType::bf16},      TypeWord{"bfloat16", DataType::bf16},
    TypeWord{"fp16", DataType::fp16},      TypeWord{"f16", DataType::fp16},
    TypeWord{"half", DataType::fp16},      TypeWord{"e4m3", DataType::fp8},
    TypeWord{"e5m2", DataType::fp8},       TypeWord{"fp8", DataType::fp8},
    TypeWord{"cf32", DataType::complex64}, TypeWord{"cf64", DataType::complex128},
    TypeWord{"f32", DataType::fp32},       TypeWord{"float", DataType::fp32},
    TypeWord{"f64", DataType::fp64},       TypeWord{"double", DataType::fp64},
    TypeWord{"i8", DataType::int8},        TypeWord{"i32", DataType::int32},
};

/// The type that a word begins with, which is taken off.
std::optional<DataType> take_type(std::string_view& word) {
    for (const auto& [text, type] : type_words) {
        if (!word.starts_with(text)) continue;
        word.remove_prefix(text.size());
        return type;
    }
    return std::nullopt;
}

/// cuDNN and cuBLAS write the types of the operands, of the products with their sums, and of the scale:
/// "sm80_xmma_gemm_f32f32_tf32f32_f32_nn".
std::optional<DataType> type_of_pairs(const std::vector<std::string>& words) {
    int pairs = 0;
    for (std::string_view word : words) {
        const auto first = take_type(word);
        if (!first || !take_type(word) || !word.empty()) continue;
        if (++pairs == 2 || complex_factor(*first) > 1) return first;
    }
    return std::nullopt;
}

/// "nvjet_sm90_tst_256x128_64x4_1x2_h_bz_NNT" multiplies bf16 (t), "hsh" fp16, "qqtst" e4m3 by e4m3.
std::optional<DataType> type_of_nvjet(const std::vector<std::string>& words) {
    if (words.empty() || words.front() != "nvjet") return std::nullopt;
    const auto types = std::find_if(words.begin() + 1, words.end(), [](const std::string& word) {
        return !word.starts_with("sm");  // not the architecture, which not every name has
    });
    if (types == words.end() || types->empty()) return std::nullopt;
    const char operand = types->front();
    if (operand == 't') return DataType::bf16;
    if (operand == 'h') return DataType::fp16;
    return operand == 'q' || operand == 'r' ? std::optional(DataType::fp8) : std::nullopt;
}

/// "s16816gemm": the type of the sums, the shape of the instruction and what it was widened from.
struct ProductWord {
    char sums = 0;
    std::string_view shape;
    std::optional<DataType> type;
};

std::optional<ProductWord> product_word(std::string_view word) {
    if (word.empty() || std::string_view("sdhicz").find(word.front()) == std::string_view::npos) return {};
    ProductWord product{word.front(), {}, {}};
    word.remove_prefix(1);
    const std::size_t shape = std::min(word.find_first_not_of("0123456789x"), word.size());
    product.shape = word.substr(0, shape);
    word.remove_prefix(shape);
    product.type = take_type(word);
    for (const std::string_view kind : {"gemm", "cudnn", "fprop", "dgrad", "wgrad"})
        if (word.starts_with(kind) && (!product.shape.empty() || kind == "gemm" || kind == "cudnn"))
            return product;
    return {};
}

/// Without the name of a type; the instruction of CUTLASS's TF32 is named so from Ampere on.
std::optional<DataType> type_of(const ProductWord& product, bool before_ampere) {
    if (product.shape.empty()) {
        if (product.sums == 's') return DataType::fp32;
        if (product.sums == 'c') return DataType::complex64;
        if (product.sums == 'z') return DataType::complex128;
    }
    if (product.sums == 'd') return DataType::fp64;
    if (product.sums == 'i') return DataType::int8;
    if (product.sums == 'h') return DataType::fp16;
    return product.shape == "1688" && !before_ampere ? std::optional(DataType::tf32) : std::nullopt;
}

/// The one narrow type among the words; fp8 where its products are stored in a wider one.
std::optional<DataType> narrow_type(const std::vector<std::string>& words) {
    std::optional<DataType> found;
    for (std::string_view word : words) {
        const auto type = take_type(word);
        const bool whole = word.empty() || word == "t" || word == "fn" || word == "fnuz";
        if (!type || !whole || *type == DataType::fp32 || *type == DataType::fp64 || is_integer(*type))
            continue;
        if (*type == DataType::fp8) return type;
        if (found && found != type) return std::nullopt;
        found = type;
    }
    return found;
}

/// The type whose products a launch computed: that of the pipe that did nearly all of its floating-point work
/// (the rest is scaling and the like). Absent where no pipe did, or where the pipe is that of more than one
/// type.
std::optional<DataType> measured_type(const Launch& launch) {
    const Flops all = counted_work(launch);
    if (all.value() <= 0 || launch.uncounted.any()) return std::nullopt;
    for (const WorkSample& sample : launch.work)
        if (is_floating(sample) && sample.work >= all * nearly_all) return type_of(sample.pipe.kind);
    return std::nullopt;
}

}  // namespace

std::optional<DataType> product_type_in_name(std::string_view kernel) {
    // Parameters are those of any kernel that is called so.
    const std::vector<std::string> words = words_of(shorten_kernel_name(kernel, kernel.size()));
    const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
    // cuDNN's fused attention is named after one 16-bit type for both.
    if (has("sdpa")) return std::nullopt;
    if (const auto type = type_of_nvjet(words)) return type;
    if (has("xmma"))
        if (const auto type = type_of_pairs(words)) return type;
    const auto narrow = narrow_type(words);
    for (const std::string& word : words) {
        const auto product = product_word(word);
        if (!product) continue;
        if (product->type) return product->type;
        // Halves that are multiplied as FP32: no type says both.
        if (narrow) return product->shape.empty() ? std::nullopt : narrow;
        return type_of(*product, has("turing") || has("volta") || has("75") || has("70"));
    }
    if (narrow) return narrow;
    const bool of_cublas = std::ranges::any_of(
        words, [](std::string_view word) { return word.starts_with("gemm") || word.starts_with("gemv"); });
    if (!of_cublas || has("float") == has("double")) return std::nullopt;
    return has("float") ? DataType::fp32 : DataType::fp64;
}

std::optional<Pipe> tensor_pipe_in_name(std::string_view kernel) {
    const auto type = product_type_in_name(kernel);
    const Pipe pipe = type ? matrix_pipe(*type) : Pipe();
    return is_tensor(pipe) ? std::optional(pipe) : std::nullopt;
}

Flops counted_work(const Launch& launch) {
    Flops all;
    for (const WorkSample& sample : launch.work)
        if (is_floating(sample)) all += sample.work;
    return all;
}

std::optional<DataType> type_in_name(std::string_view kernel) {
    const auto has = [&](std::string_view word) { return kernel.find(word) != std::string_view::npos; };
    if (!has("at::native::")) return std::nullopt;
    const bool half = has("c10::Half");
    const bool bfloat = has("c10::BFloat16");
    if (half || bfloat)
        return half && bfloat ? std::nullopt : std::optional(half ? DataType::fp16 : DataType::bf16);
    if (has("float") != has("double")) return has("float") ? DataType::fp32 : DataType::fp64;
    if (has("MathFunctor<float,")) return DataType::fp32;  // an optimizer's, with steps and rates in FP64
    // Of indices too: only a functor's own type, "CUDAFunctorOnSelf_add<long>".
    if (has("Functor_add<long>") || has("OnSelf_add<long>") || has("Functor<long")) return DataType::int64;
    return opaque_type(kernel);
}

bool multiplies_matrices(const OperationModel& model) {
    return model.operation == "gemm" || model.operation == "gemv" ||
           std::ranges::any_of(model.work, [](const PipeWork& part) { return part.matrix; });
}

std::optional<DataType> type_by_pipe(const OperationModel& model, const Launch& launch) {
    if (!multiplies_matrices(model) || assumed_type(model).empty()) return std::nullopt;
    // For a vector the other pipes than tensor cores widen what they are given.
    const auto type = measured_type(launch);
    return model.operation != "gemv" || (type && is_tensor(matrix_pipe(*type))) ? type : std::nullopt;
}

std::string with_type(std::string_view operation, DataType type) {
    auto written = read_operation(operation);
    if (!written) return std::string(operation);
    std::erase_if(written->arguments, [](const auto& argument) { return argument.name == "dtype"; });
    written->arguments.push_back({"dtype", std::string(name_of(type))});
    return to_text(*written);
}

}  // namespace roofwalk
