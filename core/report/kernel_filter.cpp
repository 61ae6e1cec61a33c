// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/kernel_filter.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <unordered_map>
#include <utility>

#include "core/base/nearest_names.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"

namespace roofwalk {

namespace {

constexpr int deepest_nesting = 64;
/// Each part of a condition calls the next when it is asked about a kernel: the stack bounds its length.
constexpr std::size_t longest_condition = std::size_t{16} << 10U;  // [bytes]
constexpr std::size_t points_between_looks = 4096;

// What can be compared.

/// What the right side of a comparison must be.
enum class OperandKind : std::uint8_t {
    number,  ///< a bare number
    share,   ///< a number, with or without "%"
    time,    ///< "5ms", or where a column knows it a share of the whole: "5%"
    amount,  ///< in a unit, with a prefix: "1.2T", "900 GFLOP/s"
    text,
};

OperandKind operand_kind_of(const ReportColumn& column) {
    if (!column.numeric()) return OperandKind::text;
    if (column.kind == ColumnKind::share) return OperandKind::share;
    if (column.unit == "s") return OperandKind::time;
    return column.unit.empty() || column.unit.ends_with("/byte") ? OperandKind::number : OperandKind::amount;
}

const std::string& word_of(const KernelColumn& column) {
    return column.column.word.empty() ? column.column.id : column.column.word;
}

bool same_word(std::string_view a, std::string_view b) {
    return lower_case(a) == lower_case(b);
}

/// Of a heading as of a name: "of_limit" of "Of limit".
std::string in_one_word(std::string_view name) {
    std::string word = lower_case(name);
    std::ranges::replace_if(
        word, [](char c) { return c == ' ' || c == '.'; }, '_');
    return word;
}

/// By its heading as it stands, else whatever the case by its word, its id in a CSV or its heading. "verdict"
/// is another word for "class", "dram_bytes" for "hbm_bytes". Null when there is no such column.
const KernelColumn* find_column(const std::vector<KernelColumn>& columns, std::string_view name) {
    for (const KernelColumn& column : columns)
        if (column.column.title == name) return &column;
    const std::string meant = same_word(name, "verdict") ? "class" : lower_case(name);
    for (const std::string ReportColumn::*called : {&ReportColumn::word, &ReportColumn::id})
        for (const KernelColumn& column : columns)
            if (same_word(column.column.*called, meant)) return &column;
    for (const KernelColumn& column : columns)
        if (in_one_word(column.column.title) == in_one_word(meant)) return &column;
    const std::string dram = lower_case(label_of(MemoryName::dram));
    if (!contains(meant, dram)) return nullptr;
    return find_column(columns, std::string(meant).replace(meant.find(dram), dram.size(), "hbm"));
}

/// "Did you mean time?"; empty where nothing is near.
std::string names_near(std::string_view word, std::span<const std::string> names) {
    const auto near = nearest_names(word, std::vector<std::string_view>(names.begin(), names.end()));
    return near.empty() ? std::string() : fmt::format("Did you mean {}?", fmt::join(near, " or "));
}

/// What is near, or the names of what is read first, and how the others go.
std::string columns_to_try(std::string_view word) {
    std::vector<std::string> words;
    std::vector<std::string> first;
    std::vector<std::string> all;
    for (const KernelColumn& rule : filter_columns()) {
        const ReportColumn& column = rule.column;
        if (!column.word.empty()) words.push_back(column.word);
        if (!column.word.empty() && column.window > 0 && column.place == ColumnPlace::main &&
            column.gives_way == 0)
            first.push_back(column.word);
        all.push_back(column.id);
        all.push_back(in_one_word(column.title));
    }
    for (const std::vector<std::string>& names : {words, all})
        if (std::string near = names_near(lower_case(word), names); !near.empty()) return near;
    return fmt::format("Try {} or a heading.", joined(first, ", "));
}

/// What is near, or some of what there is.
std::string classes_to_try(std::string_view word, std::span<const std::string> classes) {
    constexpr std::size_t some = 5;
    const std::string near = names_near(word, classes);
    return near.empty() ? fmt::format("There are {} and others.", fmt::join(classes.first(some), ", "))
                        : near;
}

// Searching names.

re2::StringPiece piece(std::string_view text) {
    return {text.data(), text.size()};
}

/// Something to find in a name, whatever the case, in time proportional to the name.
std::shared_ptr<const re2::RE2> expression(std::string_view text, bool literal) {
    re2::RE2::Options options(re2::RE2::Quiet);
    options.set_case_sensitive(false);
    options.set_literal(literal);
    return std::make_shared<const re2::RE2>(piece(text), options);
}

/// Memory is found by either name, whichever a view gives it.
std::string with_other_memory_name(std::string_view limit) {
    const std::string_view dram = label_of(MemoryName::dram);
    const std::string_view hbm = label_of(MemoryName::hbm);
    if (limit == hbm) return std::string(dram);
    std::string other(limit);
    if (const std::size_t at = limit.find(dram); at != std::string::npos) other.replace(at, dram.size(), hbm);
    return other;
}

std::string shown_name(std::string_view name) {
    return shorten_kernel_name(name, name.size());
}

/// Launches of one kernel share its name, and shortening a name costs more than a pattern.
class NameCondition {
  public:
    using Test = std::function<bool(std::string_view name)>;

    explicit NameCondition(Test test) : test_(std::move(test)) {}

    bool operator()(const std::string& name) {
        const auto [entry, unknown] = known_.try_emplace(name);
        if (unknown) entry->second = test_(name);
        return entry->second;
    }

  private:
    Test test_;
    std::unordered_map<std::string, bool> known_;
};

/// Whether any of the expressions is found in a name, whole or as it is shown.
KernelFilter name_search(std::vector<std::shared_ptr<const re2::RE2>> any_of) {
    const auto found = [any_of = std::move(any_of)](std::string_view name) {
        const auto in = [&](std::string_view text) {
            return std::ranges::any_of(any_of, [&](const std::shared_ptr<const re2::RE2>& one) {
                return re2::RE2::PartialMatch(piece(text), *one);
            });
        };
        return in(name) || in(shown_name(name));
    };
    return [condition = NameCondition(found)](const KernelPoint& point) mutable {
        return condition(point.name);
    };
}

Result<KernelFilter> name_pattern(std::string_view pattern) {
    auto compiled = expression(pattern, false);
    if (compiled->ok()) return name_search({std::move(compiled)});
    return unexpected(
        ErrorCode::bad_argument, fmt::format("The regular expression is not valid: {}.", compiled->error()),
        fmt::format("/{}/", pattern), "Patterns are RE2 expressions: no look-ahead, no back-references.");
}

Result<KernelFilter> name_text(std::string_view text) {
    std::vector<std::shared_ptr<const re2::RE2>> any_of{expression(text, true)};
    if (!any_of.front()->ok())
        return unexpected(ErrorCode::bad_argument, "The text of the filter cannot be used", std::string(text),
                          any_of.front()->error() + ".");
    const bool may_be_pattern = text.find_first_of("^$|\\?[") != std::string_view::npos ||
                                contains(text, ".*") || contains(text, ".+");
    if (auto pattern = may_be_pattern ? expression(text, false) : nullptr; pattern && pattern->ok())
        any_of.push_back(std::move(pattern));
    return name_search(std::move(any_of));
}

/// Low use is "SM-bound" too, as class_label() tells it.
std::vector<std::string> class_labels() {
    std::vector<std::string> labels;
    for (const KernelClass kernel_class : enumerators<KernelClass>)
        labels.emplace_back(label_of(kernel_class));
    for (const std::string_view other : {roof_not_known, bound_by_launch, class_not_judged})
        labels.emplace_back(other);
    for (const HardwareUnit unit : all_hardware_units)
        labels.push_back(fmt::format("{}-bound", label_of(unit, MemoryName::dram)));
    labels.push_back(fmt::format("{}-bound", label_of(HardwareUnit::dram, MemoryName::hbm)));
    return labels;
}

bool is_among(const std::vector<std::string>& labels, const re2::RE2& wanted, bool in_part) {
    return std::ranges::any_of(labels, [&](std::string_view label) {
        return in_part ? re2::RE2::PartialMatch(piece(label), wanted)
                       : re2::RE2::FullMatch(piece(label), wanted);
    });
}

/// Whether each of its words may stand in the parentheses of class_text(), in part where `in_part`.
bool may_be_cause(std::string_view text, bool in_part) {
    std::string known =
        " launches near low use of every roof busy by bytes work throughput time at least most no ceiling "
        "known for not counted judged mostly integer tensor counters contradict and flop compute l1/smem "
        "fewer next less ";
    for (const MemoryName memory : {MemoryName::hbm, MemoryName::dram}) {
        for (const HardwareUnit unit : all_hardware_units)
            known += lower_case(label_of(unit, memory)) + " ";
        for (const MemoryLevel level : all_levels)
            known += lower_case(label_of(level, memory)) + " ";
    }
    for (const PipeKind kind : all_pipe_kinds)
        known += lower_case(label_of(Pipe{kind, true})) + " ";
    std::ranges::replace_if(
        known, [](char c) { return c == '(' || c == ')'; }, ' ');
    static const re2::RE2 word(R"([ (),;]*([^ (),;]+))");
    re2::StringPiece rest = piece(text);
    for (std::string one; re2::RE2::Consume(&rest, word, &one);) {
        const std::string lower = lower_case(one);
        const bool is_count = lower.find_first_not_of("0123456789") == std::string::npos;
        if (!is_count && !contains(known, in_part ? lower : " " + lower + " ")) return false;
    }
    return true;
}

// Expressions.

struct Token {
    enum class Kind : std::uint8_t { word, quoted, comparison, open, close, unknown, number, end };

    Kind kind = Kind::end;
    std::string text;    ///< the word, the text between quotes, the operator, or the number as typed
    std::string unit;    ///< of a number: "%", "ms", "TFLOP/s"; may be empty
    std::size_t at = 0;  ///< byte where it starts
};
using Kind = Token::Kind;

struct TokenShape {
    Kind kind;
    re2::RE2 shape;
};

/// The last token is `end`.
std::vector<Token> tokens_of(std::string_view text) {
    static const std::array<TokenShape, 7> shapes{{
        {Kind::number, {R"((-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?))"}},
        {Kind::quoted, {R"re("([^"]*)")re"}},
        {Kind::comparison, {"(<=|>=|!=|==|=|<|>|~)"}},
        {Kind::open, {R"((\())"}},
        {Kind::close, {R"((\)))"}},
        {Kind::word, {"([A-Za-z_][A-Za-z0-9_.-]*)"}},
        {Kind::unknown, {R"((\S))"}},
    }};
    static const re2::RE2 space(R"(\s*)");
    static const re2::RE2 unit(R"(\s*(%|[A-Za-zµ][A-Za-zµ/]*))");
    std::vector<Token> tokens;
    re2::StringPiece rest = piece(text);
    while (re2::RE2::Consume(&rest, space) && !rest.empty()) {
        Token token;
        token.at = text.size() - rest.size();
        for (const TokenShape& one : shapes) {
            if (!re2::RE2::Consume(&rest, one.shape, &token.text)) continue;
            token.kind = one.kind;
            break;
        }
        if (token.kind == Kind::end) {  // no UTF-8
            token.kind = Kind::unknown;
            rest.remove_prefix(1);
        }
        re2::StringPiece after = rest;
        if (std::string word; token.kind == Kind::number && re2::RE2::Consume(&after, unit, &word) &&
                              !same_word(word, "and") && !same_word(word, "or")) {
            token.unit = word;
            rest = after;
        }
        tokens.push_back(std::move(token));
    }
    tokens.push_back({Kind::end, {}, {}, text.size()});
    return tokens;
}

bool joins_conditions(const Token& token) {
    return token.kind == Kind::word &&
           (same_word(token.text, "and") || same_word(token.text, "or") || same_word(token.text, "not"));
}

struct ColumnName {
    std::string text;  ///< "share", of a heading "of limit"; empty where none stands here
    std::size_t behind = 0;
};

ColumnName column_name(const std::vector<Token>& tokens, std::size_t at) {
    if (tokens[at].kind == Kind::quoted) return {tokens[at].text, at + 1};
    ColumnName name{{}, at};
    for (; tokens[name.behind].kind == Kind::word && !joins_conditions(tokens[name.behind]); ++name.behind)
        name.text += (name.text.empty() ? "" : " ") + tokens[name.behind].text;
    return name;
}

/// A filter before its end: absent where a number or a text is not known of the kernel, so that `not` does
/// not turn an unknown into a match.
using Condition = std::function<std::optional<bool>(const KernelPoint&)>;

Condition either_of(Condition a, Condition b) {
    return [a = std::move(a), b = std::move(b)](const KernelPoint& point) -> std::optional<bool> {
        const std::optional<bool> left = a(point);
        if (left == true) return true;
        const std::optional<bool> right = b(point);
        if (right == true) return true;
        return left && right ? std::optional(false) : std::nullopt;
    };
}

Condition both_of(Condition a, Condition b) {
    return [a = std::move(a), b = std::move(b)](const KernelPoint& point) -> std::optional<bool> {
        const std::optional<bool> left = a(point);
        if (left == false) return false;
        const std::optional<bool> right = b(point);
        if (right == false) return false;
        return left && right ? std::optional(true) : std::nullopt;
    };
}

Condition opposite_of(Condition a) {
    return [a = std::move(a)](const KernelPoint& point) -> std::optional<bool> {
        const std::optional<bool> value = a(point);
        return value ? std::optional(!*value) : std::nullopt;
    };
}

bool compare(double left, std::string_view comparison, double right) {
    if (comparison == "<") return left < right;
    if (comparison == "<=") return left <= right;
    if (comparison == ">") return left > right;
    if (comparison == ">=") return left >= right;
    return (left == right) != (comparison == "!=");
}

class Parser {
  public:
    /// The condition refers to `columns`.
    Parser(std::string_view text, const std::vector<KernelColumn>& columns)
        : text_(text), tokens_(tokens_of(text)), columns_(columns) {}

    Result<Condition> parse() {
        Result<Condition> filter = either();
        if (filter && peek().kind != Kind::end)
            return fail(fmt::format("Expected \"and\" or \"or\" here, not \"{}\".", peek().text));
        return filter;
    }

  private:
    Result<Condition> either() {
        Result<Condition> left = both();
        while (left && take_word("or"))
            left = both().map([&](Condition right) { return either_of(*std::move(left), std::move(right)); });
        return left;
    }

    Result<Condition> both() {
        Result<Condition> left = single();
        while (left && take_word("and"))
            left = single().map([&](Condition right) { return both_of(*std::move(left), std::move(right)); });
        return left;
    }

    Result<Condition> single() {
        if (++depth_ > deepest_nesting) return fail("The filter is nested too deeply.");
        Result<Condition> filter = negated_or_grouped();
        --depth_;
        return filter;
    }

    Result<Condition> negated_or_grouped() {
        if (take_word("not")) return single().map(opposite_of);
        if (peek().kind != Kind::open) return comparison();
        ++next_;
        Result<Condition> inner = either();
        if (inner && peek().kind != Kind::close) return fail("A closing parenthesis is missing.");
        ++next_;
        return inner;
    }

    Result<Condition> comparison() {
        const auto [name, behind] = column_name(tokens_, next_);
        if (name.empty()) return fail("Expected the name of a column.", columns_to_try({}));
        const KernelColumn* column = find_column(columns_, name);
        if (column == nullptr)
            return fail(fmt::format("There is no column \"{}\".", name), columns_to_try(name));
        next_ = behind;
        if (peek().kind != Kind::comparison)
            return fail(fmt::format("Expected a comparison behind \"{}\": <, <=, >, >=, =, != or ~.", name));
        const std::string comparison = peek().text;
        ++next_;
        Result<Condition> condition = column->column.numeric() ? compare_number(*column, comparison)
                                                               : compare_text(*column, comparison);
        if (condition) ++next_;
        return condition;
    }

    [[nodiscard]] Result<Condition> compare_text(const KernelColumn& column,
                                                 const std::string& comparison) const {
        const Token& value = peek();
        if (value.kind != Kind::word && value.kind != Kind::quoted)
            return fail(fmt::format("\"{}\" is compared with a word or a text in quotes.", word_of(column)));
        if (comparison.starts_with('<') || comparison.starts_with('>'))
            return fail(fmt::format("\"{}\" is a text: compare it with =, != or ~.", word_of(column)));
        const bool is_name = column.column.kind == ColumnKind::name;
        const bool is_limit = column.column.kind == ColumnKind::limit;
        const auto wanted = expression(value.text, true);
        const bool is_class = column.column.kind == ColumnKind::kernel_class;
        const std::size_t cause = is_class ? value.text.find(" (") : std::string::npos;
        const bool in_part = comparison == "~";
        const auto named = expression(value.text.substr(0, cause), true);
        const bool known_cause =
            cause == std::string::npos || may_be_cause(value.text.substr(cause), in_part);
        const std::vector<std::string> classes = is_class ? class_labels() : std::vector<std::string>();
        if (!known_cause || (is_class && !is_among(classes, *named, in_part)))
            return fail(fmt::format("There is no class \"{}\".", value.text),
                        classes_to_try(value.text, classes));
        using Spelling = std::string (*)(std::string_view text);
        const Spelling other = is_name ? shown_name : is_limit ? with_other_memory_name : Spelling{};
        const auto wanted_other = is_name ? expression(shown_name(value.text), true) : wanted;
        const auto test = [=](std::string_view has) {
            if (comparison == "~")
                return re2::RE2::PartialMatch(piece(has), *wanted) ||
                       (other && re2::RE2::PartialMatch(other(has), *wanted));
            const bool equal = re2::RE2::FullMatch(piece(has), *wanted) ||
                               (other && re2::RE2::FullMatch(other(has), *wanted_other));
            return equal != (comparison == "!=");
        };
        const bool as_shown = cause != std::string::npos;
        return [&column, as_shown,
                results = NameCondition(test)](const KernelPoint& point) mutable -> std::optional<bool> {
            const std::optional<std::string> known =
                as_shown ? std::optional(column.cell(point).text) : column.text_of(point);
            return known ? std::optional(results(*known)) : std::nullopt;
        };
    }

    [[nodiscard]] Result<Condition> compare_number(const KernelColumn& column,
                                                   const std::string& comparison) const {
        const Token& value = peek();
        if (comparison == "~")
            return fail(fmt::format("\"{}\" is a number: ~ is for texts.", word_of(column)));
        if (value.kind != Kind::number)
            return fail(fmt::format("\"{}\" is compared with a number.", word_of(column)));
        double number = 0;  // whatever the locale
        if (std::from_chars(value.text.data(), value.text.data() + value.text.size(), number).ec !=
            std::errc())
            return fail(fmt::format("{} is beyond what a number can be.", value.text));
        if (operand_kind_of(column.column) == OperandKind::time && value.unit == "%" && column.share)
            return condition_on(column.share, comparison, number / 100);
        return limit_of(column, number, value.unit).map([&](double limit) {
            const double scale = operand_kind_of(column.column) == OperandKind::share ? 100 : 1;
            const auto scaled = [&column, scale](const KernelPoint& point) {
                const std::optional<double> has = column.number_of(point);
                return has ? std::optional(*has * scale) : std::nullopt;
            };
            return condition_on(scaled, comparison, limit);
        });
    }

    template <class Number>
    static Condition condition_on(Number number_of, const std::string& comparison, double limit) {
        return [=](const KernelPoint& point) -> std::optional<bool> {
            const std::optional<double> has = number_of(point);
            return has ? std::optional(compare(*has, comparison, limit)) : std::nullopt;
        };
    }

    /// The number to compare with, in the column's own unit. A bare number for a time is an error: it could
    /// be seconds or a share.
    [[nodiscard]] Result<double> limit_of(const KernelColumn& column, double number,
                                          const std::string& unit) const {
        switch (operand_kind_of(column.column)) {
            case OperandKind::share:
                if (unit == "%" || (unit.empty() && (number >= 1 || number == 0))) return number;
                return fail(fmt::format("\"{}\" is given in per cent, as in {}.", word_of(column),
                                        filter_example(column)));
            case OperandKind::time:
            case OperandKind::amount:
                for (const std::string_view base :
                     {unit_behind_prefix(column.column), std::string_view(column.column.unit)})
                    if (const auto amount = scaled_value(number, unit, base)) return *amount;
                return fail(fmt::format("Give \"{}\" {}, as in {}.", word_of(column),
                                        column.column.unit == "s" ? "a unit" : "a prefix or a unit",
                                        filter_example(column)));
            case OperandKind::number:
            case OperandKind::text:
                break;
        }
        if (unit.empty() || unit == "x") return number;
        return fail(fmt::format("\"{}\" is a number without a unit.", word_of(column)));
    }

    [[nodiscard]] const Token& peek() const { return tokens_[next_]; }

    bool take_word(std::string_view word) {
        if (peek().kind != Kind::word || !same_word(peek().text, word)) return false;
        ++next_;
        return true;
    }

    [[nodiscard]] tl::unexpected<Error> fail(std::string what, std::string hint = {}) const {
        const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
        const auto before = std::ranges::count_if(text_.substr(0, peek().at), begins_character);
        return unexpected(ErrorCode::bad_argument, std::move(what),
                          peek().kind == Kind::end ? "at the end" : fmt::format("character {}", before + 1),
                          std::move(hint));
    }

    std::string_view text_;
    std::vector<Token> tokens_;
    const std::vector<KernelColumn>& columns_;
    std::size_t next_ = 0;
    int depth_ = 0;
};

/// Whether the text wants to be an expression. Names of C++ templates hold `<` and `>`, those of operations
/// `m=8`. So a comparison counts only behind a column's short name or a name in quotes, with a blank before
/// it and a value behind it, or where a whole number behind it can be no end of a template, as in `gap>3` and
/// `roof<9%`.
bool looks_like_expression(std::string_view text) {
    static const std::string name_first = R"re(^[\s(]*(?:not[\s(]+)*("[^"]*"|[\w.-]+(?:\s+[\w.-]+)*))re";
    static const re2::RE2 spaced(name_first + R"re(\s+(?:<=|>=|!=|==|=|<|>|~)\s*-?[\d."\w])re");
    static const re2::RE2 whole(name_first + R"re(\s*(?:(?:<=|>=|!=|==|>)\s*-?[\d.]+[%\w/]*|)re"
                                             R"re(<\s*-?[\d.]+(?:%|[mnuµ]?s))\s*(?:$|\)|and\b|or\b))re");
    static const re2::RE2 named(name_first + R"re(\s*(?:<=|>=|!=|==|=|<|>|~))re");
    if (re2::RE2::PartialMatch(piece(text), spaced) || re2::RE2::PartialMatch(piece(text), whole))
        return true;
    std::string name;
    if (!re2::RE2::PartialMatch(piece(text), named, &name)) return false;
    if (name.starts_with('"')) return true;
    const KernelColumn* column = find_column(filter_columns(), name);
    return column != nullptr && !column->column.word.empty();
}

}  // namespace

const std::vector<KernelColumn>& filter_columns() {
    static const Profile no_profile;
    static const Analysis no_analysis;
    static const std::vector<KernelColumn> columns = filter_columns(no_profile, no_analysis);
    return columns;
}

std::string filter_example(const KernelColumn& column) {
    switch (operand_kind_of(column.column)) {
        case OperandKind::share:
            return "80%";
        case OperandKind::time:
            return column.share ? "5ms, or 5% of the whole" : "5ms";
        case OperandKind::amount:
            return fmt::format("1.2T or 900 G{}", unit_behind_prefix(column.column));
        case OperandKind::number:
        case OperandKind::text:
            break;
    }
    return {};
}

Result<KernelFilter> parse_kernel_filter(std::string_view text, const Profile* profile,
                                         const Analysis* analysis) {
    constexpr std::string_view blanks = " \t\r\n\f\v";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    text.remove_suffix(text.size() - (text.find_last_not_of(blanks) + 1));
    if (text.empty()) return KernelFilter();
    if (text.size() > 2 && text.starts_with('/') && text.ends_with('/'))
        return name_pattern(text.substr(1, text.size() - 2));
    if (!looks_like_expression(text)) return name_text(text);
    if (text.size() > longest_condition)
        return unexpected(ErrorCode::bad_argument, "The filter is too long", "", "At most 16 KiB.");
    std::shared_ptr<const std::vector<KernelColumn>> columns;
    if (profile && analysis)
        columns = std::make_shared<std::vector<KernelColumn>>(filter_columns(*profile, *analysis));
    return Parser(text, columns ? *columns : filter_columns())
        .parse()
        .map([&](Condition condition) -> KernelFilter {
            return [columns, condition = std::move(condition)](const KernelPoint& point) {
                return condition(point).value_or(false);
            };
        });
}

std::vector<std::string> columns_without_values(std::string_view filter, const Profile& profile,
                                                const Analysis& analysis) {
    std::vector<std::string> names;
    if (!looks_like_expression(filter)) return names;
    const std::vector<KernelColumn> columns = filter_columns(profile, analysis);
    const std::vector<Token> tokens = tokens_of(filter);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto [name, behind] = column_name(tokens, i);
        if (name.empty() || tokens[behind].kind != Kind::comparison) continue;
        const KernelColumn* column = find_column(columns, name);
        const auto known = [&](const KernelPoint& point) {
            return column->column.numeric() ? column->number_of(point).has_value()
                                            : column->text_of(point).has_value();
        };
        if (column && std::ranges::none_of(analysis.points, known)) names.push_back(name);
        i = behind;
    }
    return names;
}

std::optional<std::string> equal_condition(std::string_view column, std::string_view text) {
    if (text.find_first_of("\"\r\n") != std::string_view::npos) return std::nullopt;
    return fmt::format("{} = \"{}\"", column, text);
}

std::optional<std::string> with_condition(std::string_view filter, std::string_view condition) {
    if (filter.find_first_not_of(' ') == std::string_view::npos) return std::string(condition);
    if (looks_like_expression(filter)) return fmt::format("({}) and {}", filter, condition);
    if (filter.find_first_of("/\"") != std::string_view::npos) return std::nullopt;
    return fmt::format("name ~ \"{}\" and {}", filter, condition);
}

std::optional<std::vector<bool>> matching_points(const Analysis& analysis, const KernelFilter& filter,
                                                 const Progress& progress) {
    if (!filter) return std::vector<bool>();
    std::vector<bool> matches(analysis.points.size());
    for (std::size_t i = 0; i < matches.size(); ++i) {
        if (i % points_between_looks == 0 && progress.cancelled()) return std::nullopt;
        matches[i] = filter(analysis.points[i]);
    }
    return matches;
}

}  // namespace roofwalk
