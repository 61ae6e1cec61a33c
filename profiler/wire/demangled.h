// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cxxabi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Mangled names refer back to what they said before, so that few bytes can stand for a name of any length:
/// each step that says the last one twice doubles it. A name whose references could do that is demangled with
/// few of them first, then with more, for as long as the result stays short.
namespace roofwalk::wire {

namespace demangling {

/// Bytes of a demangled name; the longest real ones have some 10,000.
inline constexpr std::size_t longest = std::size_t{1} << 16U;

[[nodiscard]] inline bool is_digit_of_36(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
}

struct BackReference {
    std::size_t at = 0;
    std::size_t length = 0;
};

/// Whatever looks like "S_" or "S1A_": a reference to an earlier part of the name, or letters inside a word.
/// A name of the most characters that are demangled has fewer parts than two digits of 36 can count.
[[nodiscard]] inline std::vector<BackReference> back_references(std::string_view name) {
    constexpr std::size_t most_digits = 2;
    std::vector<BackReference> references;
    for (std::size_t end = name.find('_'); end != std::string_view::npos; end = name.find('_', end + 1)) {
        const std::size_t before = end < most_digits + 1 ? 0 : end - most_digits - 1;
        std::size_t at = name.find('S', before);
        while (at < end && !std::ranges::all_of(name.substr(at, end - at), is_digit_of_36))
            at = name.find('S', at + 1);
        if (at < end) references.push_back({at, end + 1 - at});
    }
    return references;
}

/// Whether references to template arguments ("T_") can make the name long: each function inside another one
/// ("Z") can say the arguments of the outer one several times.
[[nodiscard]] inline bool nests_template_arguments(std::string_view name) {
    constexpr double most = 4096;
    double arguments = 1;
    double functions = 0;
    for (std::size_t at = 2; at < name.size(); ++at) {
        arguments += name[at] == 'T' ? 1 : 0;
        functions += name[at] == 'Z' ? 1 : 0;
    }
    double growth = 1;
    for (double level = 0; level <= functions && growth <= most; ++level)
        growth *= arguments / (functions + 1) + 1;
    return growth > most;
}

/// `name` where the references from `first` on are "Sa", which stands for itself.
[[nodiscard]] inline std::string with_references(std::string_view name,
                                                 const std::vector<BackReference>& references,
                                                 std::size_t first) {
    std::string shorter;
    std::size_t copied = 0;
    for (std::size_t i = first; i < references.size(); ++i) {
        shorter += name.substr(copied, references[i].at - copied);
        shorter += "Sa";
        copied = references[i].at + references[i].length;
    }
    return shorter += name.substr(copied);
}

[[nodiscard]] inline std::optional<std::string> demangle(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? std::optional<std::string>(text.get()) : std::nullopt;
}

}  // namespace demangling

/// "void ns::saxpy<float>(float*)" of "_ZN2ns5saxpyIfEEvPT_"; `mangled` itself where it is no mangled name of
/// C++ or stands for more than 64 KiB.
[[nodiscard]] inline std::string demangled(std::string_view mangled) {
    constexpr std::size_t at_once =
        4;  // references: so much longer than at the step before it gets, 2^4 times
    if (!mangled.starts_with("_Z") || mangled.size() > demangling::longest ||
        mangled.find('\0') != std::string_view::npos || demangling::nests_template_arguments(mangled))
        return std::string(mangled);
    const auto references = demangling::back_references(mangled);
    for (std::size_t known = at_once; known < references.size(); known += at_once) {
        const auto part = demangling::demangle(demangling::with_references(mangled, references, known));
        if (!part || part->size() > demangling::longest) return std::string(mangled);
    }
    const auto whole = demangling::demangle(std::string(mangled));
    return whole && whole->size() <= demangling::longest ? *whole : std::string(mangled);
}

}  // namespace roofwalk::wire
