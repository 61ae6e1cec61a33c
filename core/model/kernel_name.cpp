// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/kernel_name.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr std::string_view ellipsis = "…";
/// Bytes of a name that are looked at, more only where there is room for more: the longest that compilers
/// write have less.
constexpr std::size_t usual_name_read = std::size_t{1} << 14U;
constexpr std::size_t longest_name_read = std::size_t{1} << 16U;

std::size_t bytes_read(std::size_t max_chars) {
    return std::clamp(max_chars, usual_name_read, longest_name_read);
}

bool continues_utf8(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

std::size_t length_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !continues_utf8(c); }));
}

bool is_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Length of the name of an operator function at `at` ("operator<<", "operator ()"), 0 when there is none.
std::size_t operator_name(std::string_view text, std::size_t at) {
    constexpr std::string_view keyword = "operator";
    if (text.compare(at, keyword.size(), keyword) != 0 || (at > 0 && is_word(text[at - 1]))) return 0;
    std::size_t end = at + keyword.size();
    if (end < text.size() && is_word(text[end])) return 0;
    std::size_t symbol = end;
    while (symbol < text.size() && text[symbol] == ' ')
        ++symbol;
    for (const std::string_view pair : {"()", "[]"})
        if (text.compare(symbol, pair.size(), pair) == 0) return symbol + pair.size() - at;
    const std::size_t first = symbol;
    while (symbol < text.size() &&
           std::string_view("<>=!+-*/%^&|~,").find(text[symbol]) != std::string_view::npos)
        ++symbol;
    // "operator<<int>": of three brackets or of two before a word, the last opens template arguments.
    if (symbol - first >= 2 && text[symbol - 1] == '<' && symbol < text.size() && text[symbol] != '(' &&
        text[symbol] != ' ')
        --symbol;
    return symbol > first ? symbol - at : end - at;
}

/// Walks over a demangled name and knows how deep it is in brackets. Parentheses close over angle brackets
/// left open inside them, so that comparisons in template arguments do no harm.
class BracketWalk {
  public:
    explicit BracketWalk(std::string_view text) : text_(text) {}

    [[nodiscard]] std::size_t depth() const { return open_.size(); }
    /// How many of these brackets open template arguments.
    [[nodiscard]] std::size_t lists() const { return lists_; }

    /// The end of the token at `at`: an operator name, an arrow or one character.
    std::size_t step(std::size_t at) {
        if (const std::size_t length = operator_name(text_, at)) return at + length;
        if (text_.compare(at, 2, "->") == 0) return at + 2;
        const char c = text_[at];
        if (c == '<' || c == '(' || c == '[' || c == '{') {
            open_.push_back(c);
            if (c == '<') ++lists_;
        } else if (c == '>') {
            close_list();
        } else if (c == ')' || c == ']' || c == '}') {
            while (close_list()) {
            }
            if (!open_.empty()) open_.pop_back();
        }
        return at + 1;
    }

  private:
    bool close_list() {
        if (open_.empty() || open_.back() != '<') return false;
        open_.pop_back();
        --lists_;
        return true;
    }

    std::string_view text_;
    std::vector<char> open_;
    std::size_t lists_ = 0;
};

void drop_suffix(std::string_view& text, std::string_view suffix) {
    if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
}

/// "ns::Kernel<Gemm<…>>": the names that a mangled name begins with, of one that nobody demangled.
std::string leading_names(std::string_view mangled) {
    std::string out;
    std::size_t lists = 0;
    bool joined = false;
    for (std::size_t at = 2; at < mangled.size();) {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(&mangled[at], mangled.data() + mangled.size(), length);
        if (error == std::errc()) {
            at = static_cast<std::size_t>(end - mangled.data());
            if (length > mangled.size() - at) break;
            out += (joined ? "::" : "") + std::string(mangled.substr(at, length));
            at += length;
            joined = true;
        } else if (mangled[at] == 'S') {  // a name that was said before
            at = std::min(mangled.find('_', at), mangled.size() - 1) + 1;
        } else if (mangled[at] == 'I' && joined) {
            out += '<';
            ++lists;
            joined = false;
            ++at;
        } else if (mangled[at++] != 'N') {
            break;
        }
    }
    return out + (lists > 0 ? std::string(ellipsis) : "") + std::string(lists, '>');
}

/// The name without its parameter list and "void": kernels return nothing else. Text that is no signature, as
/// an NVTX range "step (warm-up)", stays as it is.
std::string_view without_signature(std::string_view name) {
    std::string_view head = name;
    drop_suffix(head, " const");
    if (!head.ends_with(')')) return name;
    std::size_t depth = 0;
    std::size_t at = head.size();
    do {
        --at;
        if (head[at] == ')') ++depth;
        if (head[at] == '(') --depth;
    } while (at > 0 && depth > 0);
    if (depth > 0 || at == 0 || head[at - 1] == ' ') return name;
    head = head.substr(0, at);
    if (head.ends_with("operator")) return name;
    constexpr std::string_view returns = "void ";
    if (head.starts_with(returns)) head.remove_prefix(returns.size());
    return head;
}

/// "::" before a lambda or an operator joins it to the function or class that tells what it is.
bool belongs_to_what_follows(std::string_view text, std::size_t after) {
    return after < text.size() &&
           (text[after] == '[' || text[after] == '{' || operator_name(text, after) > 0);
}

std::string_view without_enclosing_namespaces(std::string_view name) {
    BracketWalk walk(name);
    std::size_t start = 0;
    for (std::size_t at = 0; at < name.size();) {
        if (walk.depth() == 0 && name.compare(at, 2, "::") == 0) {
            if (!belongs_to_what_follows(name, at + 2)) start = at + 2;
            at += 2;
        } else {
            at = walk.step(at);
        }
    }
    return name.substr(start);
}

/// "tile<128>" of "tile<(int)128>": demanglers and profilers write the type of each literal.
std::string without_casts(std::string_view name) {
    std::string out;
    out.reserve(name.size());
    char before = 0;  // the last character but spaces
    for (std::size_t at = 0; at < name.size(); ++at) {
        const char c = name[at];
        if (c == '(' && (before == '<' || before == ',')) {
            std::size_t end = at + 1;
            while (end < name.size() && (is_word(name[end]) || name[end] == ' ' || name[end] == ':'))
                ++end;
            const bool literal = end + 1 < name.size() && name[end] == ')' &&
                                 (name[end + 1] == '-' || (name[end + 1] >= '0' && name[end + 1] <= '9'));
            if (literal) {
                at = end;
                continue;
            }
        }
        if (c != ' ') before = c;
        out += c;
    }
    return out;
}

/// Without the namespaces of template arguments.
std::string without_inner_namespaces(std::string_view name) {
    std::string out;
    std::vector<std::size_t> starts{0};  // where the qualified name being read begins in `out`, by depth
    BracketWalk walk(name);
    for (std::size_t at = 0; at < name.size();) {
        if (name.compare(at, 2, "::") == 0) {
            if (belongs_to_what_follows(name, at + 2))
                out += "::";
            else
                out.resize(starts.back());
            at += 2;
            continue;
        }
        const std::size_t before = walk.depth();
        const std::size_t end = walk.step(at);
        out += name.substr(at, end - at);
        if (walk.depth() > before) {
            starts.push_back(out.size());
        } else {
            starts.resize(walk.depth() + 1);
            const char c = name[at];
            if (c == ' ' || c == ',' || c == '*' || c == '&') starts.back() = out.size();
        }
        at = end;
    }
    return out;
}

/// Code points of a name by how many template argument lists they lie in, counted in one walk: what is left
/// of it for every depth at which lists become "<…>" is a sum of these.
class ListDepths {
  public:
    explicit ListDepths(std::string_view name) {
        BracketWalk walk(name);
        for (std::size_t at = 0; at < name.size();) {
            const std::size_t before = walk.lists();
            const std::size_t end = walk.step(at);
            const std::size_t lists = walk.lists();
            if (lists >= chars_.size()) {
                chars_.push_back(0);
                lists_.push_back(0);
            }
            chars_[lists] += length_of(name.substr(at, end - at));
            if (lists > before) ++lists_[lists];
            at = end;
        }
    }

    /// The greatest depth at which lists become "<…>" and `max_chars` hold the name; 0 where none does.
    [[nodiscard]] std::size_t fitting(std::size_t max_chars) const {
        std::size_t fits = 0;
        std::size_t outside = 0;
        for (std::size_t depth = 1; depth < chars_.size(); ++depth) {
            outside += chars_[depth - 1];
            constexpr std::size_t bracket_and_ellipsis = 2;  // the closing bracket lies outside
            if (outside + lists_[depth] * bracket_and_ellipsis <= max_chars) fits = depth;
        }
        return fits;
    }

  private:
    std::vector<std::size_t> chars_{0};
    std::vector<std::size_t> lists_{0};  ///< that begin at this depth
};

/// Template arguments that lie at least `depth` lists deep become "<…>".
std::string collapse(std::string_view name, std::size_t depth) {
    std::string out;
    BracketWalk walk(name);
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t before = walk.lists();
        const std::size_t end = walk.step(at);
        if (walk.lists() < depth) {
            out += name.substr(at, end - at);
        } else if (before < depth) {
            out += "<";
            out += ellipsis;
        }
        at = end;
    }
    return out;
}

/// The first `chars` code points.
std::string_view head_of(std::string_view text, std::size_t chars) {
    std::size_t end = 0;
    while (end < text.size() && (continues_utf8(text[end]) || chars-- > 0))
        ++end;
    return text.substr(0, end);
}

/// "Kernel<Gemm<Mma<64, 64…>": the start of the template arguments tells more than "Kernel<…>".
std::string cut_arguments(std::string_view name, std::size_t max_chars) {
    std::string_view head = head_of(name, max_chars - 2);
    while (head.ends_with(' ') || head.ends_with(','))
        head.remove_suffix(1);
    return std::string(head) + std::string(ellipsis) + ">";
}

/// Where the word or number begins that holds the first difference; of a long word the difference itself.
std::size_t difference(std::string_view name, std::string_view like) {
    constexpr std::size_t long_word = 8;
    auto at = static_cast<std::size_t>(std::ranges::mismatch(name, like).in1 - name.begin());
    while (at > 0 && at < name.size() && continues_utf8(name[at]))
        --at;
    std::size_t start = at;
    while (start > 0 && at - start <= long_word && is_word(name[start - 1]))
        --start;
    return at - start <= long_word ? start : at;
}

/// The start of a name and what follows from `at` on: its word, and more only up to a third of the room.
std::string with_part_from(std::string_view name, std::size_t at, std::size_t max_chars) {
    const auto end = std::min(name.find_first_of(",<>() ", at), name.size());
    const std::size_t before = length_of(name.substr(0, at));
    const std::size_t word = length_of(name.substr(at, end - at)) + 1;
    const std::size_t room = std::max(max_chars / 3, std::min(word, 2 * max_chars / 3));
    std::string part(name.substr(at));
    if (length_of(part) > room) part = std::string(head_of(part, room - 1)) + std::string(ellipsis);
    const std::size_t head = max_chars - 1 - length_of(part);
    if (before <= head) return std::string(head_of(name, max_chars - 1)) + std::string(ellipsis);
    return std::string(head_of(name, head)) + std::string(ellipsis) + part;
}

/// The last `chars` code points.
std::string_view tail_of(std::string_view text, std::size_t chars) {
    std::size_t start = text.size();
    while (start > 0 && chars > 0)
        if (!continues_utf8(text[--start])) --chars;
    return text.substr(start);
}

/// What texts begin and end with alike, in bytes; of a word or number that begins alike nothing.
struct CommonEnds {
    std::size_t start = 0;
    std::size_t end = 0;
};

CommonEnds common_ends(const std::vector<std::string_view>& texts, std::size_t least_start) {
    constexpr std::size_t long_word = 8;
    const std::string_view first = texts.front();
    CommonEnds common{first.size(), first.size()};
    for (const std::string_view text : texts) {
        const auto start = std::ranges::mismatch(first, text).in1 - first.begin();
        const auto end = std::mismatch(first.rbegin(), first.rend(), text.rbegin(), text.rend()).first;
        common.start = std::min(common.start, static_cast<std::size_t>(start));
        common.end = std::min(common.end, static_cast<std::size_t>(end - first.rbegin()));
    }
    const std::size_t least = std::max(least_start, common.start - std::min(common.start, long_word));
    while (common.start > least && is_word(first[common.start - 1]) && first[common.start - 1] != '_')
        --common.start;
    while (common.start > 0 && common.start < first.size() && continues_utf8(first[common.start]))
        --common.start;
    while (common.end > 0 && continues_utf8(first[first.size() - common.end]))
        --common.end;
    return common;
}

/// Both ends of a text, and between them a part of half the room at most.
std::string cut_around(std::string_view text, CommonEnds common, std::size_t max_chars) {
    const std::size_t after = std::min(common.end, text.size() - common.start);
    const std::string part =
        cut_middle(text.substr(common.start, text.size() - common.start - after), max_chars / 2);
    const std::size_t rest = max_chars - 2 - length_of(part);
    return std::string(head_of(text.substr(0, common.start), rest - rest / 2)) + std::string(ellipsis) +
           part + std::string(ellipsis) + std::string(tail_of(text.substr(text.size() - after), rest / 2));
}

/// Without what steers a terminal or the direction of text: names come from strangers.
std::string steady(std::string name) {
    const bool plain = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
    return plain ? name : one_line(name);
}

/// Where the last whole "name=value" of an operation ends that leaves room for " …", since half a size reads
/// as another; 0 without one.
std::size_t end_of_arguments(std::string_view text, std::size_t max_chars) {
    std::size_t end = 0;
    if (text.find('=') == std::string_view::npos) return end;
    for (std::size_t at = text.find(' '); at != std::string_view::npos; at = text.find(' ', at + 1))
        if (length_of(text.substr(0, at)) + 2 <= max_chars) end = at;
    return end;
}

std::size_t common_start(std::string_view a, std::string_view b) {
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

std::string shorten_kernel_name(std::string_view demangled, std::size_t max_chars) {
    if (const std::size_t most = bytes_read(max_chars); demangled.size() > most) {
        if (max_chars == 0) return {};
        return shorten_kernel_name(head_of(demangled.substr(0, most), most / 4), max_chars - 1) +
               std::string(ellipsis);
    }
    if (demangled.starts_with("_Z") && demangled.size() > max_chars)
        if (const std::string names = leading_names(demangled); !names.empty())
            return shorten_kernel_name(names, max_chars);
    std::string whole = steady(without_casts(without_signature(demangled)));
    if (length_of(whole) <= max_chars) return whole;
    const std::string_view unqualified = without_enclosing_namespaces(whole);
    if (length_of(unqualified) <= max_chars) return std::string(unqualified);
    std::string bare = without_inner_namespaces(unqualified);
    if (length_of(bare) <= max_chars) return bare;
    if (const std::size_t depth = ListDepths(bare).fitting(max_chars)) {
        const std::string collapsed = collapse(bare, depth);
        const bool wasteful = length_of(collapsed) * 4 < max_chars * 3 && bare.ends_with('>');
        return wasteful ? cut_arguments(bare, max_chars) : collapsed;
    }
    // "<…>" alone would take room from the name that tells more.
    const std::string collapsed = collapse(bare, 1);
    std::string_view head = collapsed;
    drop_suffix(head, "<…>");
    if (length_of(head) < max_chars) return std::string(head) + std::string(ellipsis);
    if (length_of(head) == max_chars) return std::string(head);
    if (const std::size_t end = end_of_arguments(head, max_chars)) {
        // The type tells apart what sizes do not: "gemm m=64 n=128 … bf16".
        constexpr std::string_view type_name = " dtype=";
        const std::size_t type = head.find(type_name, end);
        std::string cut = std::string(head.substr(0, end)) + " " + std::string(ellipsis);
        if (type == std::string_view::npos) return cut;
        const std::string_view word = head.substr(type + type_name.size());
        const std::string typed = cut + " " + std::string(word.substr(0, word.find(' ')));
        return length_of(typed) <= max_chars ? typed : cut;
    }
    return cut_middle(head, max_chars);
}

std::string shorten_kernel_name(std::string_view demangled, std::size_t max_chars, std::string_view like) {
    constexpr std::size_t least_room = 12;
    std::string usual = shorten_kernel_name(demangled, max_chars);
    if (like.empty() || max_chars < least_room || shorten_kernel_name(like, max_chars) != usual) return usual;
    const auto bare = [max_chars](std::string_view name) {
        const std::string whole =
            steady(without_casts(without_signature(name.substr(0, bytes_read(max_chars)))));
        return without_inner_namespaces(without_enclosing_namespaces(whole));
    };
    const std::string name = bare(demangled);
    const std::size_t at = difference(name, bare(like));
    const bool has_difference = at > 0 && at < name.size() && length_of(name) > max_chars;
    return has_difference ? with_part_from(name, at, max_chars) : usual;
}

std::string name_or_placeholder(std::string name) {
    return name.empty() ? "unnamed" : std::move(name);
}

std::string cut_middle(std::string_view text, std::size_t max_chars) {
    if (max_chars == 0) return {};
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (!continues_utf8(text[i])) starts.push_back(i);
    if (starts.size() <= max_chars) return std::string(text);
    const std::size_t tail = (max_chars - 1) / 2;
    const std::size_t head = max_chars - 1 - tail;
    std::string out(text.substr(0, starts[head]));
    out += ellipsis;
    if (tail > 0) out += text.substr(starts[starts.size() - tail]);
    return out;
}

std::unordered_map<std::string_view, std::string> cut_apart(const std::vector<std::string_view>& texts,
                                                            std::size_t max_chars) {
    std::unordered_map<std::string_view, std::string> cut;
    std::map<std::string, std::vector<std::string_view>> alike;  // by what cut_middle() makes of them
    for (const std::string_view text : texts)
        if (const auto [place, fresh] = cut.try_emplace(text); fresh)  // many rows have the same
            alike[place->second = cut_middle(text, max_chars)].push_back(text);
    std::unordered_map<std::string, std::size_t> uses;
    for (const auto& [form, group] : alike)
        if (group.size() == 1) uses[form] = 1;
    for (const auto& [form, group] : alike) {
        if (group.size() == 1) continue;
        const CommonEnds common = common_ends(group, max_chars / 2);
        for (const std::string_view text : group) {
            const std::string told = cut_around(text, common, max_chars);
            std::string& shown = cut[text] = told;
            while (++uses[shown] > 1) {
                const std::size_t use = shown == told ? uses[told] : ++uses[told];
                const std::string number = " #" + std::to_string(use);
                shown = cut_middle(told, max_chars - number.size()) + number;
            }
        }
    }
    return cut;
}

constexpr std::string_view between_words = "_.- ";

std::vector<DifferingPart> differing_parts(const std::vector<std::string_view>& texts,
                                           std::size_t max_chars) {
    if (texts.empty()) return {};
    if (texts.size() == 1) return {{std::string(texts.front())}};
    const auto cut_end = [&](std::string_view text, CommonEnds common) {
        DifferingPart part{std::string(text.substr(
                               common.start, text.size() - std::min(text.size(), common.start + common.end))),
                           common.start > 0};
        const std::size_t room = max_chars - (part.begins_late ? 1 : 0);
        if (length_of(part.text) > room) {
            const std::string_view head = head_of(part.text, room - 1);
            const bool whole = between_words.find(part.text[head.size()]) != std::string_view::npos;
            const std::size_t word = whole ? head.size() : head.find_last_of(between_words);
            const std::size_t last = head.substr(0, word).find_last_not_of(between_words);
            part.text = std::string(last == std::string_view::npos ? head : head.substr(0, last + 1)) +
                        std::string(ellipsis);
        }
        return part;
    };
    CommonEnds common = common_ends(texts, 0);
    const std::string_view end = texts.front().substr(texts.front().size() - common.end);
    common.end -= std::min(end.find_first_of(between_words), end.size());  // whole words
    std::map<std::string, std::vector<std::string_view>> alike;
    for (const std::string_view text : texts)
        alike[cut_end(text, common).text].push_back(text);
    std::unordered_map<std::string_view, DifferingPart> told;
    std::set<std::string> used;
    for (const auto& [part, group] : alike) {
        const std::size_t start =
            group.size() == 1 ? common.start : common_ends(group, std::string_view::npos).start;
        for (const std::string_view text : group)
            used.insert((told[text] = cut_end(text, {start, common.end})).marked());
    }
    if (used.size() < told.size())
        for (auto& [text, cut] : cut_apart(texts, max_chars))
            told[text] = {std::move(cut)};
    std::vector<DifferingPart> parts;
    for (const std::string_view text : texts)
        parts.push_back(told.at(text));
    return parts;
}

std::string kernel_base_name(std::string_view demangled) {
    const std::string_view name = without_signature(demangled);
    BracketWalk walk(name);
    std::string base;
    std::size_t list = 0;  // bracket depth of the template arguments being left out, 0 for none
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t before = walk.depth();
        const std::size_t end = walk.step(at);
        if (list == 0 && walk.depth() > before && name[at] == '<') list = walk.depth();
        if (list == 0) base += name.substr(at, end - at);
        if (list > walk.depth()) list = 0;
        at = end;
    }
    return base;
}

namespace {

std::string without(std::string_view text, std::string_view part) {
    std::string out;
    for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part)) {
        out += text.substr(0, at);
        text.remove_prefix(at + part.size());
    }
    return out.append(text);
}

/// Without what one program writes and another does not. Of a mangled name only what it begins with.
std::string in_one_spelling(std::string_view name) {
    const bool mangled = name.starts_with("_Z");
    std::string text = mangled ? kernel_base_name(leading_names(name)) : without_casts(name);
    constexpr std::string_view unnamed = "_GLOBAL__N_";
    if (const auto at = text.find(unnamed); mangled && at != std::string::npos)
        text.erase(at, text.find("::", at) + 2 - at);
    return without(without(text, "<unnamed>::"), "(anonymous namespace)::");
}

std::string without_spaces(std::string_view part) {
    std::string text = without(part, " ");
    constexpr std::string_view whole = "unsignedint";
    for (auto at = text.find(whole); at != std::string::npos; at = text.find(whole, at))
        text.erase(at + whole.find("int"), 3);
    return text;
}

KernelSpelling::Parts parts_of(std::string_view name) {
    const std::string_view head = without_signature(name);
    KernelSpelling::Parts parts{
        .function = without_spaces(kernel_base_name(name)),
        .arguments = without_spaces(head),
        .parameters =
            without_spaces(name.substr(static_cast<std::size_t>(head.data() - name.data()) + head.size()))};
    if (parts.arguments == parts.function) parts.arguments.clear();
    return parts;
}

}  // namespace

KernelSpelling spelling_of(std::string_view kernel) {
    if (kernel.size() > usual_name_read) return {};
    const std::string text = in_one_spelling(kernel);
    return {.whole = parts_of(text),
            .bare = parts_of(without_inner_namespaces(without_enclosing_namespaces(text))),
            .mangled = kernel.starts_with("_Z")};
}

SimilarNames::SimilarNames(std::vector<std::string_view> names) {
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t before = i > 0 ? common_start(names[i], names[i - 1]) : 0;
        const std::size_t after = i + 1 < names.size() ? common_start(names[i], names[i + 1]) : 0;
        if (before > 0 || after > 0) listed_[names[i]].similar = names[before > after ? i - 1 : i + 1];
    }
}

std::string_view SimilarNames::to(std::string_view name) const {
    const auto found = listed_.find(name);
    return found != listed_.end() ? found->second.similar : std::string_view();
}

std::string SimilarNames::shortened(std::string_view name, std::size_t max_chars) const {
    const auto found = listed_.find(name);
    if (found == listed_.end()) return shorten_kernel_name(name, max_chars);
    const auto& [similar, shortened] = found->second;
    const auto [known, is_new] = shortened.try_emplace(max_chars);
    if (is_new) known->second = shorten_kernel_name(name, max_chars, similar);
    return known->second;
}

}  // namespace roofwalk
