// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>

#include "core/operations/op_spec.h"

/// The rows of the registry, each in the file of its formulas.
namespace roofwalk {

extern const std::span<const OperationSpec> products;
extern const std::span<const OperationSpec> attentions;
extern const std::span<const OperationSpec> attention_variants;
extern const std::span<const OperationSpec> feed_forward_operations;
extern const std::span<const OperationSpec> tiled_products;
extern const std::span<const OperationSpec> normalisations;
extern const std::span<const OperationSpec> token_operations;
extern const std::span<const OperationSpec> stream_operations;
extern const std::span<const OperationSpec> convolutions;
extern const std::span<const OperationSpec> scientific_operations;
extern const std::span<const OperationSpec> factorisations;
extern const std::span<const OperationSpec> custom_operations;

/// A combination of values that cannot be, each of which may.
[[nodiscard]] inline tl::unexpected<Error> refused(std::string_view operation, std::string what,
                                                   std::string hint) {
    return unexpected(ErrorCode::bad_argument, std::move(what), std::string(operation), std::move(hint));
}

/// The numbers that `names` call, in their order.
template <class... Names>
[[nodiscard]] std::array<double, sizeof...(Names)> numbers_of(const OperationArguments& arguments,
                                                              Names... names) {
    return {arguments.number(names)...};
}

/// The work of matrix products of one type, on the pipe that was chosen or is usual.
[[nodiscard]] inline PipeWork matrix_work(const OperationArguments& arguments, DataType type, Flops work) {
    return {arguments.pipe_or(matrix_pipe(type)), work, !arguments.chooses_pipe()};
}

/// The elements of a matrix up to a diagonal, which is `off` to the right of that of its top left corner.
[[nodiscard]] inline double lower_triangle(double rows, double cols, double off) {
    const auto up_to = [cols](double last) {  // min(1, cols) + ... + min(last, cols)
        const double rising = std::clamp(last, 0.0, cols);
        return rising * (rising + 1) / 2 + std::max(0.0, last - cols) * cols;
    };
    return up_to(rows + off) - up_to(off);
}

/// What attention looks at; none with a mask that cannot be: of fewer keys than queries from the bottom right
/// corner, or of a window alone.
struct SeenScores {
    double pairs = 0;  ///< of a query and a key
    double keys = 0;   ///< that a query sees
};
[[nodiscard]] inline std::optional<SeenScores> seen_scores(const OperationArguments& arguments) {
    const double seq = arguments.number("seq");
    const double keys = arguments.number("kv_seq");
    const double window = arguments.number("window");
    const bool causal = arguments.flag("causal");
    // How many keys after the first the first query sees.
    const double diagonal = !causal ? keys : arguments.text("diagonal") == "top_left" ? 0 : keys - seq;
    if (diagonal < 0 || (window > 0 && !causal)) return std::nullopt;
    const double pairs = lower_triangle(seq, keys, diagonal);
    if (window == 0) return SeenScores{pairs, std::min(keys, seq + diagonal)};
    return SeenScores{pairs - lower_triangle(seq, keys, diagonal - window),
                      std::min(keys, seq + diagonal) - std::max(0.0, diagonal - window + 1)};
}

/// Parameters that many operations have.
constexpr ParameterSpec dtype_parameter(std::string_view default_value) {
    return {"dtype", "type", ParameterKind::type, default_value, "", "type of an element", ""};
}
constexpr ParameterSpec type_parameter(std::string_view name, std::string_view meaning) {
    return {name, "", ParameterKind::type, "=dtype", "", meaning, ""};
}
constexpr ParameterSpec flag_parameter(std::string_view name, std::string_view default_value,
                                       std::string_view meaning) {
    return {name, "", ParameterKind::flag, default_value, "", meaning, ""};
}
constexpr ParameterSpec count_parameter(std::string_view name, std::string_view default_value,
                                        std::string_view unit, std::string_view meaning, double minimum = 1) {
    return {name, "", ParameterKind::count, default_value, unit, meaning, "", minimum};
}
constexpr ParameterSpec beta_parameter(std::string_view meaning) {
    return {"beta", "", ParameterKind::number, "0", "", meaning, ""};
}
inline constexpr ParameterSpec pipe_parameter{
    "pipe", "", ParameterKind::pipe, "auto", "", "pipe that does the work", ""};
inline constexpr ParameterSpec diagonal_parameter{
    "diagonal",
    "",
    ParameterKind::choice,
    "bottom_right",
    "",
    "causal: corner of the scores on the diagonal; bottom_right: the last query sees all keys",
    "bottom_right|top_left"};
inline constexpr auto window_parameter =
    count_parameter("window", "0", "tokens", "causal: keys that a query sees at most; 0: all", 0);
inline constexpr auto mask_parameter =
    count_parameter("mask", "0", "elements", "elements of a mask or bias of the scores, read once", 0);
inline constexpr auto mask_dtype_parameter = type_parameter("mask_dtype", "type of the mask");
inline constexpr ParameterSpec fma_parameter{
    "fma", "", ParameterKind::choice, "2", "FLOP", "how many FLOP one FMA counts", "1|2"};

}  // namespace roofwalk
