// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/csv/ncu_text_reader.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/import/csv/ncu_csv_number.h"
#include "core/import/csv/ncu_csv_profile_builder.h"

namespace roofwalk {

namespace {

constexpr std::string_view section_word = "Section: ";

/// Without what quotes or comments it out in another text.
std::string_view content_of(std::string_view line) {
    return trimmed(line.substr(std::min(line.find_first_not_of(" \t>/*#|"), line.size())));
}

/// The line that ends at the next line break, without the number that grep -n, cat -n and viewers put before
/// it.
std::string_view first_line_of(std::string_view text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = std::min(line.find_first_not_of("0123456789", begin), line.size());
    const std::string_view rest = line.substr(end);
    const auto marks = {": ", "- ", ":\t", "\t", " "};
    return end > begin && std::ranges::any_of(marks, [&](auto mark) { return rest.starts_with(mark); })
               ? rest.substr(1)
               : line;
}

struct TextColumn {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// The columns of a line of dashes with gaps of one blank; empty for other lines and for other tables than
/// those of metric, unit and value or of metric, unit, minimum, maximum and average.
std::vector<TextColumn> columns_of_rule(std::string_view line) {
    std::vector<TextColumn> columns;
    if (const std::string_view rule = content_of(line);
        rule.find_first_not_of("- ") != std::string_view::npos)
        return columns;
    for (std::size_t at = line.find('-'); at < line.size(); at = line.find('-', columns.back().end)) {
        columns.push_back({at, std::min(line.find_first_not_of('-', at), line.size())});
        if (columns.size() > 5 || (columns.size() > 1 && at != columns[columns.size() - 2].end + 1))
            return {};
    }
    if (columns.size() != 3 && columns.size() != 5) columns.clear();
    return columns;
}

/// "Stream 7" of ", Stream 7" at the end of a line, which loses it; absent where that is another word.
std::optional<std::string_view> take_last(std::string_view& line, std::string_view word) {
    constexpr std::size_t longest = 64;
    const std::size_t begin = line.size() - std::min(line.size(), longest);
    std::string_view part = line.substr(begin);
    const std::size_t comma = part.rfind(", ");
    if (comma == std::string_view::npos && begin > 0) return std::nullopt;
    if (comma != std::string_view::npos) part.remove_prefix(comma + 2);
    if (!part.starts_with(word) || part.size() < word.size() + 2 || part[word.size()] != ' ')
        return std::nullopt;
    part.remove_prefix(word.size() + 1);
    if (part.find_first_not_of("0123456789.,") != std::string_view::npos) return std::nullopt;
    line = line.substr(0, comma == std::string_view::npos ? 0 : begin + comma);
    return part;
}

/// "828" of "[828] app@127.0.0.1".
std::optional<std::string_view> process_of(std::string_view line) {
    const std::size_t end = line.find("] ");
    if (!line.starts_with('[') || end == std::string_view::npos || !contains(line, "@")) return std::nullopt;
    const std::string_view number = line.substr(1, end - 1);
    return number.find_first_not_of("0123456789") == std::string_view::npos ? std::optional(number)
                                                                            : std::nullopt;
}

/// "copy(float *) (32, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.6"; until 2022 "copy(float *),
/// 2022-Jun-08 15:09:54, Context 1, Stream 7", and of averages "…, Device 0, CC 8.6, Invocations 4". Where a
/// long line was wrapped, the name stands on the line before. Averages by GPU are "copy(float *) (32, 1,
/// 1)x(256, 1, 1), Invocations 4" below a "Device 0, CC 8.6", which is returned without a name.
std::optional<NcuCsvKernel> kernel_of(std::string_view line, std::string_view line_before) {
    NcuCsvKernel kernel;
    if (const auto invocations = take_last(line, "Invocations")) kernel.invocations = *invocations;
    kernel.capability = take_last(line, "CC").value_or("");
    const auto device = take_last(line, "Device");
    const auto stream = take_last(line, "Stream");
    const auto context = take_last(line, "Context");
    const bool is_gpu = device && line.empty() && !kernel.capability.empty() && !kernel.invocations;
    const bool is_average = kernel.invocations && (device || contains(line, ")x("));
    if (!(context && stream) && !is_average && !is_gpu) return std::nullopt;
    kernel.device = device.value_or("");
    kernel.stream = stream.value_or("");
    kernel.context = context.value_or("");
    if (const std::size_t times = line.rfind(")x("); times != std::string_view::npos) {
        const std::size_t grid = std::min(line.rfind('(', times), line.size());
        kernel.grid = line.substr(grid, times + 1 - grid);
        kernel.block = line.substr(times + 2);
        line = line.substr(0, grid);
    } else if (const std::size_t date = line.rfind(", 20");
               date != std::string_view::npos && line.substr(date).substr(0, 7).ends_with('-')) {
        line = line.substr(0, date);
    }
    line = trimmed(line);
    kernel.name = line.empty() && !is_gpu ? line_before : line;
    return kernel;
}

struct TextRow {
    std::string_view label;
    std::string_view unit;
    std::string_view value;
};

/// What follows the last blank, which a text loses with it.
std::string_view take_word(std::string_view& text) {
    const std::size_t begin = text.find_last_of(" \t") + 1;
    const std::string_view word = text.substr(begin);
    text = trimmed(text.substr(0, begin));
    return word;
}

/// A row outside of a table, where grep has taken the rules: only what ncu has a metric for is one.
std::optional<TextRow> loose_row_of(std::string_view content, bool averages) {
    const auto names_metric = [](const TextRow& row) {
        return ncu_metric_of_label(row.label, row.unit) != row.label ||
               (contains(row.label, "__") && !contains(row.label, " "));
    };
    TextRow row{.label = content, .unit = {}, .value = {}};
    row.value = take_word(row.label);
    if (averages && (!ncu_csv_number(take_word(row.label)) || !ncu_csv_number(take_word(row.label))))
        return std::nullopt;
    if (!ncu_csv_number(row.value)) return std::nullopt;
    if (names_metric(row)) return row;
    row.unit = take_word(row.label);
    return names_metric(row) ? std::optional(row) : std::nullopt;
}

class TextReader {
  public:
    TextReader(std::string_view text, NcuCsvNumberStyle style, const MetricSearch* search)
        : text_(text), style_(style), search_(search) {}

    void read(const Progress& progress) {
        for (std::size_t at = 0; at < text_.size() && !progress.cancelled();) {
            const std::size_t end = text_.find('\n', at);
            const std::string_view line = first_line_of(text_.substr(at));
            // Of a last line without an end, digits may be missing.
            ends_in_table_ = end == std::string_view::npos && columns_of_rule(line).empty() &&
                             (!columns_.empty() || loose_row(line));
            if (ends_in_table_) break;
            read_line(line, at);
            at = std::min(end, text_.size() - 1) + 1;
            progress.at(static_cast<double>(at) / static_cast<double>(text_.size()));
        }
        ends_in_table_ = ends_in_table_ || !columns_.empty();
        if (!progress.cancelled()) begin({});
    }

    /// Of the numbers that were read.
    [[nodiscard]] NcuCsvNumberStyle style() const { return votes_.style(); }
    [[nodiscard]] bool ends_in_table() const { return ends_in_table_; }
    [[nodiscard]] NcuCsvProfileBuilder& builder() { return builder_; }

  private:
    void read_line(std::string_view line, std::size_t at) {
        const std::string_view content = content_of(line);
        fold(line);
        if (auto rule = columns_of_rule(line); !rule.empty()) {
            columns_ = has_rows_ || is_foreign_ ? std::vector<TextColumn>() : std::move(rule);
            has_rows_ = false;
        } else if (content.empty()) {
            end_table();
        } else if (content.starts_with(section_word)) {
            end_table();
            // The next kernel of a text that has lost the lines of its kernels.
            if (sections_.contains(content)) begin({});
            sections_.emplace(content);
        } else if (const auto process = process_of(content)) {
            process_ = *process;
        } else if (auto kernel = kernel_of(fold_.empty() ? content : content_of(fold_), line_before_)) {
            if (kernel->name.empty())
                gpu_ = std::move(*kernel);
            else
                begin(std::move(*kernel));
        } else if (!columns_.empty()) {
            read_row(line, at);
        } else if (const auto row = loose_row(content)) {
            if (contradicts(*row)) begin_unnamed();
            set(*row, at);
        }
        line_before_ = content;
    }

    /// A terminal folds a long line of a kernel, which begins with two blanks: what it has so far.
    void fold(std::string_view line) {
        constexpr std::size_t narrowest = 40;
        constexpr std::size_t most = 16384;  // it is searched with each line
        constexpr std::string_view indent = "  ";
        const bool goes_on = fold_width_ >= narrowest && fold_.size() % fold_width_ == 0 &&
                             fold_.size() < most && line.size() <= fold_width_ && !line.starts_with(indent);
        if (!goes_on) {
            fold_.clear();
            fold_width_ = line.find_first_not_of(' ') == indent.size() ? line.size() : 0;
        }
        if (fold_width_ > 0) fold_ += line;
    }

    [[nodiscard]] std::optional<TextRow> loose_row(std::string_view line) const {
        if (kernel_.capability.empty() || has_tables_) return std::nullopt;
        return loose_row_of(content_of(line), kernel_.invocations.has_value());
    }

    /// A figure that the kernel has comes again as another one: the line of the next kernel is lost.
    [[nodiscard]] bool contradicts(const TextRow& row) const {
        const std::string_view metric = ncu_metric_of_label(row.label, row.unit);
        NcuCsvKernel other;
        other.style = style_;
        other.set(metric, row.value, ncu_csv_unit_factor(metric, row.unit));
        const auto known = kernel_.values.find(metric);
        return known != kernel_.values.end() && !other.values.empty() && *known != *other.values.begin();
    }

    void begin_unnamed() {
        NcuCsvKernel next;
        next.capability = kernel_.capability;
        next.invocations = kernel_.invocations;
        begin(std::move(next));
    }

    void end_table() {
        columns_.clear();
        has_rows_ = has_header_ = is_foreign_ = false;
    }

    void read_row(std::string_view line, std::size_t at) {
        const TextColumn label_column = columns_[0];
        const TextColumn unit_column = columns_[1];
        const auto cell = [&](TextColumn column) {
            return trimmed(line.substr(std::min(column.begin, line.size()), column.end - column.begin));
        };
        const std::string_view unit = cell(unit_column);
        const std::string_view label = cell(label_column);
        if (line.size() <= columns_.back().begin || line[label_column.end] != ' ' ||
            line[unit_column.end] != ' ' || label.empty()) {
            // Of the program, above the names of the columns as well; or blanks were lost.
            const auto row =
                is_foreign_ ? std::nullopt : loose_row_of(content_of(line), kernel_.invocations.has_value());
            if (row && !kernel_.values.contains(ncu_metric_of_label(row->label, row->unit))) set(*row, at);
            has_rows_ = has_rows_ || has_header_ || row;
            return;
        }
        std::string_view value = trimmed(line.substr(columns_.back().begin));
        const bool is_header = label == "Metric Name" && (value == "Metric Value" || value == "Average");
        // Averages stand below their names; other tables of five columns are passed over to their end.
        is_foreign_ = columns_.size() > 3 && !is_header && !has_header_;
        has_header_ = has_header_ || is_header;
        if (is_header || is_foreign_) return;
        has_rows_ = true;
        constexpr std::string_view doubted = "(!) ";
        if (value.starts_with(doubted)) value.remove_prefix(doubted.size());
        // A remark that somebody wrote behind the number.
        if (const std::size_t end = columns_.back().end; !ncu_csv_number(value, style_) &&
                                                         line.find_first_of(" \t", end) == end &&
                                                         ncu_csv_number(cell(columns_.back()), style_))
            value = cell(columns_.back());
        set({label, unit, value}, at);
        has_tables_ = true;
    }

    void set(const TextRow& row, std::size_t at) {
        if (kernel_.name.empty()) kernel_.name = "(kernel without a name)";
        kernel_.style = style_;
        votes_.add(row.value);
        if (kernel_.values.empty() && kernel_.texts.empty()) kernel_.file_offset = at;
        const std::string_view metric = ncu_metric_of_label(row.label, row.unit);
        kernel_.set(metric, row.value, ncu_csv_unit_factor(metric, row.unit));
        if (search_) kernel_.units.insert_or_assign(std::string(metric), ncu_csv_base_unit(row.unit));
    }

    /// What is met from here on is of another kernel.
    void begin(NcuCsvKernel kernel) {
        end_table();
        const bool has_metrics = !kernel_.values.empty() || !kernel_.texts.empty();
        if (has_metrics && search_) hand_out(kernel_, *search_);
        if (has_metrics && !search_) builder_.add(kernel_);
        kernel_ = std::move(kernel);
        kernel_.process = process_;
        if (kernel_.invocations && kernel_.capability.empty()) {
            kernel_.device = gpu_.device;
            kernel_.capability = gpu_.capability;
        }
        sections_.clear();
        has_tables_ = false;
    }

    std::string_view text_;
    NcuCsvNumberStyle style_;
    NcuCsvNumberVotes votes_;
    const MetricSearch* search_;
    NcuCsvProfileBuilder builder_;
    NcuCsvKernel kernel_;                          // whose sections are being read
    NcuCsvKernel gpu_;                             // of averages below it
    std::set<std::string, std::less<>> sections_;  // of it
    bool has_tables_ = false;                      // of it
    std::string process_;
    std::vector<TextColumn> columns_;  // of the table that is being read
    bool has_rows_ = false;            // that table
    bool has_header_ = false;
    bool is_foreign_ = false;
    bool ends_in_table_ = false;
    std::string_view line_before_;
    std::string fold_;
    std::size_t fold_width_ = 0;  // of a line of it
};

/// Read once before, as values may tell what those above them mean.
NcuCsvNumberStyle style_of(std::string_view text, const Progress& progress) {
    constexpr std::size_t enough = std::size_t{1} << 22U;
    const MetricSearch nothing{};
    TextReader reader(text.substr(0, enough), {}, &nothing);
    reader.read({{}, progress.stop});
    return reader.style();
}

}  // namespace

bool holds_ncu_text(std::string_view text) {
    constexpr std::size_t enough = std::size_t{1} << 20U;
    text = text.substr(0, enough);
    bool below_section = false;
    std::optional<NcuCsvKernel> kernel;
    while (!text.empty()) {
        const std::string_view line = first_line_of(text);
        const std::string_view content = content_of(line);
        if (below_section && !columns_of_rule(line).empty()) return true;
        if (kernel && loose_row_of(content, kernel->invocations.has_value())) return true;
        below_section = content.starts_with(section_word);
        if (auto next = kernel_of(content, {}); next && !next->capability.empty()) kernel = std::move(next);
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    return false;
}

Result<Profile> read_ncu_text(std::string_view text, const std::string& name, const Progress& progress) {
    TextReader reader(text, style_of(text, progress), nullptr);
    reader.read(progress);
    const bool cut = reader.ends_in_table() || progress.cancelled();
    if (reader.builder().size() == 0 && progress.cancelled())
        return unexpected(ErrorCode::cancelled, "Reading was cancelled", name);
    if (reader.builder().size() == 0)
        return unexpected(ErrorCode::bad_csv, "No table of this text holds a metric", name,
                          "Write the file with ncu --log-file, or a report with ncu -o.");
    Profile profile = reader.builder().take(SourceFormat::ncu_text, cut);
    if (progress.cancelled())
        profile.warnings.push_back({{ErrorCode::cancelled, "Reading was cancelled", "", ""}, {}});
    else if (cut)
        profile.warnings.push_back(
            {{ErrorCode::truncated, "The text ends within a table: the file was probably cut in it", "",
              "Copy the text again, or write it with ncu --log-file."},
             {}});
    return of_file(std::move(profile), name);
}

Result<void> search_ncu_text(std::string_view text, const MetricSearch& search, const Progress& progress) {
    TextReader reader(text, style_of(text, progress), &search);
    reader.read(progress);
    return {};
}

}  // namespace roofwalk
