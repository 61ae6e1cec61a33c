// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/operations/data_type.h"
#include "core/operations/pytorch/pytorch_call.h"
#include "core/operations/pytorch/pytorch_operation.h"

/// What the operators of PyTorch are read with.
namespace roofwalk::pytorch {

using Sizes = PytorchCall::Sizes;

constexpr std::size_t nowhere = 99;  ///< the place of no input

[[nodiscard]] double product_of(std::span<const double> sizes);
/// Elements of a tensor; 0 of an input that is a number, a list of numbers or absent.
[[nodiscard]] double elements(const Sizes& sizes);
[[nodiscard]] const Sizes& input(const PytorchCall& op, std::size_t index);
/// "c10::Half" is fp16, "short int" none that operations know.
[[nodiscard]] std::optional<DataType> type_of(const PytorchCall& op, std::size_t index);

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
    Text& indexed(const PytorchCall& op, std::size_t index) {
        if (type_of(op, index) == DataType::int32) text_ += " index=int32";
        return *this;
    }
    [[nodiscard]] PytorchOperation done() const { return {text_, {}, false}; }
    /// With the type of the first input.
    [[nodiscard]] PytorchOperation done(const PytorchCall& op) {
        return typed("dtype", type_of(op, 0)).done();
    }

  private:
    std::string text_;
};

using Known = std::optional<PytorchOperation>;

[[nodiscard]] bool is_told(const PytorchCall& op, std::size_t place);
/// The numbers of a value, "[2, -1]" or "3"; none where nobody says.
[[nodiscard]] std::vector<double> numbers_at(const PytorchCall& op, std::size_t place);
/// 2 of "[2, 2]"; absent where nobody says, and where the dimensions differ.
[[nodiscard]] std::optional<double> same_in_all(const PytorchCall& op, std::size_t index);
/// Bytes of an element of an input.
[[nodiscard]] std::optional<double> element_bytes(const PytorchCall& op, std::size_t index);
[[nodiscard]] inline PytorchOperation custom(double flops, double read, double written) {
    return Text("custom", {{"flops", flops}, {"read", read}, {"write", written}}).done();
}
/// Of arrays of different types: the inputs from `first` on as large as they are, and what is written.
[[nodiscard]] Known of_bytes(const PytorchCall& op, std::size_t first, double flops, double written);

enum class Extent : std::uint8_t { own, whole, sealed };  ///< as PytorchOperation has them
/// What an operation follows from; values are of inputs that are no tensors. By both: sizes tell it, values a
/// part of it that else is the usual one.
enum class OperationBasis : std::uint8_t { by_sizes, by_both, by_values };

/// Operators that are read in one way.
struct Family {
    std::string_view names;  ///< between spaces
    Known (*read)(const PytorchCall&, const Family&);
    Extent extent = Extent::own;
    OperationBasis told = OperationBasis::by_sizes;
    std::size_t first = 0;  ///< places of inputs, or numbers, as `read` says
    std::size_t second = 0;
    std::size_t third = 0;
    std::string_view operation = {};  ///< where `read` serves several: its name, or what is moved
};

/// Families of pytorch_convolutions.cpp, of windows over an input. Elements of those of pooling become one
/// each; a maximum says as a 64-bit number which it was.
[[nodiscard]] Known pooling(const PytorchCall& op, const Family& family);
[[nodiscard]] Known convolution(const PytorchCall& op, const Family& family);
/// Whose output is wider or narrower than the input.
[[nodiscard]] Known padded(const PytorchCall& op, const Family& family);
[[nodiscard]] Known resized(const PytorchCall& op, const Family& family);
[[nodiscard]] Known sampled(const PytorchCall& op, const Family& family);

}  // namespace roofwalk::pytorch
