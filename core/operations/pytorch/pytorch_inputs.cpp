// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/pytorch/pytorch_inputs.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>

#include "core/base/text.h"

namespace roofwalk::pytorch {

double product_of(std::span<const double> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 1.0, std::multiplies());
}

double elements(const Sizes& sizes) {
    return sizes.empty() ? 0 : product_of(sizes);
}

const Sizes& input(const PytorchCall& op, std::size_t index) {
    static const Sizes none;
    return index < op.sizes.size() ? op.sizes[index] : none;
}

std::optional<DataType> type_of(const PytorchCall& op, std::size_t index) {
    if (index >= op.types.size()) return std::nullopt;
    std::string_view name = op.types[index];
    if (name.starts_with("c10::")) name.remove_prefix(5);
    if (name == "unsigned char" || name == "signed char" || name == "bool") return DataType::int8;
    if (name == "int") return DataType::int32;
    if (name == "long int" || name == "long") return DataType::int64;
    const std::string lower = lower_case(name);
    if (lower.starts_with("float4")) return DataType::int8;  // two in a byte, which the sizes count
    return lower.starts_with("float8") ? DataType::fp8 : data_type_from_name(lower);
}

bool is_told(const PytorchCall& op, std::size_t place) {
    return place < op.values.size() && op.values[place] == "True";
}

std::vector<double> numbers_at(const PytorchCall& op, std::size_t place) {
    std::vector<double> numbers;
    const std::string_view list = place < op.values.size() ? std::string_view(op.values[place]) : "";
    for (std::size_t at = 0; (at = list.find_first_of("-0123456789", at)) != std::string_view::npos;
         at = std::min(list.find(' ', at), list.size())) {
        double number = 0;
        std::from_chars(list.data() + at, list.data() + list.size(), number);
        numbers.push_back(number);
    }
    return numbers;
}

std::optional<double> same_in_all(const PytorchCall& op, std::size_t index) {
    const auto numbers = numbers_at(op, index);
    if (numbers.empty() || std::ranges::count(numbers, numbers.front()) != std::ssize(numbers))
        return std::nullopt;
    return numbers.front();
}

std::optional<double> element_bytes(const PytorchCall& op, std::size_t index) {
    const auto type = type_of(op, index);
    return type ? std::optional(bytes_of(*type)) : std::nullopt;
}

Known of_bytes(const PytorchCall& op, std::size_t first, double flops, double written) {
    double read = 0;
    for (std::size_t i = first; i < op.sizes.size(); ++i) {
        const auto bytes = element_bytes(op, i);
        if (elements(op.sizes[i]) > 0 && !bytes) return std::nullopt;
        read += elements(op.sizes[i]) * bytes.value_or(0);
    }
    return custom(flops, read, written);
}

}  // namespace roofwalk::pytorch
