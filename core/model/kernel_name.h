// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roofwalk {

/// A C++ kernel name in at most `max_chars` characters (UTF-8 code points) that a person still recognises.
/// The parameter list, "void" and the casts before literals ("(int)128") always go; then, as far as needed,
/// the enclosing namespaces, the namespaces inside template arguments, template arguments from the innermost
/// outwards ("<…>"; where that would leave more than a fourth of the room empty, their end instead), then
/// "<…>" itself, and at last the middle of what is left ("…"). Text that is no signature, as the name of an
/// NVTX range, is only cut, and an operation ("gemm m=64 n=128") behind a whole argument. Control characters
/// and marks of direction become spaces. Takes time in proportion to the name, of which the first 16 KiB are
/// read at most, and up to 64 KiB where `max_chars` has room for more.
[[nodiscard]] std::string shorten_kernel_name(std::string_view demangled, std::size_t max_chars);

/// The same, unless another name `like` would read the same: then a part of the room goes to where both
/// differ, "Kernel<GemmUniver…64, 3>".
[[nodiscard]] std::string shorten_kernel_name(std::string_view demangled, std::size_t max_chars,
                                              std::string_view like);

/// A name as people are shown it: "unnamed" where it is empty.
[[nodiscard]] std::string name_or_placeholder(std::string name);

/// Any text in at most `max_chars` characters: the middle of a longer one goes, "a_long…name".
[[nodiscard]] std::string cut_middle(std::string_view text, std::size_t max_chars);
/// Where a text differs from others.
struct DifferingPart {
    std::string text;          ///< "12"
    bool begins_late = false;  ///< what it begins with is that of all

    [[nodiscard]] std::string marked() const { return (begins_late ? "…" : "") + text; }
};
/// Each of different texts by where it differs from the others: without what all of them begin and end with,
/// and the end of what is longer than about `max_chars`. "…7" and "…12" of the ranks of a run.
[[nodiscard]] std::vector<DifferingPart> differing_parts(const std::vector<std::string_view>& texts,
                                                         std::size_t max_chars);
/// cut_middle() of each text, at least 8 characters of it, by the text; where that would make some read the
/// same, where they differ stays, "a_lon…rank_12…name", or at last a number tells them apart. Takes time in
/// proportion to the texts.
[[nodiscard]] std::unordered_map<std::string_view, std::string> cut_apart(
    const std::vector<std::string_view>& texts, std::size_t max_chars);

/// "cutlass::gemm" of "void cutlass::gemm<float, 128>(float*)": what instances of one template have in
/// common.
[[nodiscard]] std::string kernel_base_name(std::string_view demangled);

/// A kernel's name without what programs differ in: spaces, casts before literals, mangling. "void
/// Kernel2<2>(Params)" of ncu's CSV has the bare parts of "void cutlass::Kernel2<(int)2>(T1::Params)" of its
/// report.
struct KernelSpelling {
    struct Parts {
        std::string function;    ///< "Kernel2": what every spelling has
        std::string arguments;   ///< the function with those of its template; empty where none are told
        std::string parameters;  ///< in brackets; empty where they are not told
    };
    Parts whole;
    Parts bare;  ///< without namespaces
    bool mangled = false;
};
/// Empty for names that are longer than any a compiler writes.
[[nodiscard]] KernelSpelling spelling_of(std::string_view kernel);

/// Which names of a list begin alike, so that their short forms need not read the same: instances of one
/// template may differ only in their last arguments. The names live as long as this.
class SimilarNames {
  public:
    SimilarNames() = default;
    explicit SimilarNames(std::vector<std::string_view> names);

    /// The other name with the longest common start; empty where there is none, or `name` is not listed.
    [[nodiscard]] std::string_view to(std::string_view name) const;
    /// shorten_kernel_name() with the name that is similar. The short forms of listed names are made
    /// once: not for several threads at a time.
    [[nodiscard]] std::string shortened(std::string_view name, std::size_t max_chars) const;

  private:
    struct SimilarName {
        std::string_view similar;
        mutable std::unordered_map<std::size_t, std::string> shortened;  ///< by room
    };
    std::unordered_map<std::string_view, SimilarName> listed_;
};

}  // namespace roofwalk
