// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/csv/ncu_csv_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/base/mapped_file.h"
#include "core/base/text.h"
#include "core/import/csv/csv_tokenizer.h"
#include "core/import/csv/ncu_csv_number.h"
#include "core/import/csv/ncu_csv_profile_builder.h"

namespace roofwalk {

namespace {

/// A column of metrics in the wide form.
struct NcuCsvMetricColumn {
    std::size_t index = 0;
    std::string name;
    std::optional<double> unit_factor{};  ///< absent until the units are read, and where they are not known
    std::string base_unit{};
};

/// What stands where in the CSV of ncu.
struct NcuCsvColumns {
    std::size_t count = 0;
    bool quoted = false;                     ///< the header was quoted, and so is every line of ncu's own
    std::optional<std::size_t> id;           ///< absent in a summary
    std::optional<std::size_t> kernel_name;  ///< absent in a summary of all kernels
    std::optional<std::size_t> invocations;  ///< of a summary: how many launches a row stands for
    std::optional<std::size_t> process;
    std::optional<std::size_t> context;
    std::optional<std::size_t> stream;
    std::optional<std::size_t> block;
    std::optional<std::size_t> grid;
    std::optional<std::size_t> device;
    std::optional<std::size_t> capability;
    std::optional<std::size_t> nvtx;  ///< push/pop ranges, with --nvtx
    /// Long form: one metric a row.
    std::optional<std::size_t> metric_name;
    std::optional<std::size_t> metric_unit;
    std::optional<std::size_t> section;
    std::vector<std::size_t> key;  ///< that tell kernels apart
    std::size_t metric_value = 0;
    /// Wide form: one kernel a row.
    std::vector<NcuCsvMetricColumn> metrics;

    [[nodiscard]] bool is_long() const { return metric_name.has_value(); }
};

/// Columns that say which kernel a row is about.
constexpr std::string_view nvtx_column =
    "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg";
constexpr std::array<std::string_view, 13> identity{
    nvtx_column, "ID",     "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time",
    "Context",   "Stream", "Block Size", "Grid Size",    "Device",    "CC"};

std::optional<std::size_t> position(const CsvRecord& header, std::string_view name) {
    const auto found = std::ranges::find(header.fields, name);
    if (found == header.fields.end()) return std::nullopt;
    return static_cast<std::size_t>(found - header.fields.begin());
}

bool looks_like_metric(const std::string& name) {
    return contains(name, "__");
}

Error without(std::string what, std::size_t line) {
    return {ErrorCode::bad_csv, std::move(what), fmt::format("line {}", line),
            "Write it with ncu --csv --page raw, or with --metrics or --section and --csv."};
}

/// Whether a line begins as the column names of ncu do.
bool begins_ncu_csv_header(std::string_view line) {
    return line.starts_with("\"ID\",") || line.starts_with("ID,");
}

/// Whether a line is the column names of ncu or of its window, not something printed before them.
bool is_ncu_csv_header(std::string_view line) {
    return is_ncu_summary_header(line) || (begins_ncu_csv_header(line) && (contains(line, "Kernel Name") ||
                                                                           contains(line, "Function Name")));
}

/// Names of columns as ncu writes them, and their units, of those of its window: "dram__bytes.sum [Mbyte]".
struct WindowNames {
    CsvRecord names;
    CsvRecord units;

    /// Whether it says something that is read.
    bool add(std::string_view cell) {
        const auto end = std::min(cell.find(" ["), cell.size());
        std::string_view unit = cell.substr(std::min(end + 2, cell.size()));
        if (unit.ends_with(']')) unit.remove_suffix(1);
        std::string name(cell == "Device Name" ? "device__attribute_display_name"
                                               : ncu_metric_of_label(cell.substr(0, end), unit));
        const bool is_read = looks_like_metric(name) || std::ranges::find(identity, name) != identity.end();
        names.fields.push_back(std::move(name));
        units.fields.emplace_back(unit);
        return is_read;
    }
};

/// Whether a file that begins like this is what the window of Nsight Compute exports of its Raw page.
bool begins_ncu_export(std::string_view text) {
    return text.starts_with("ID,") && text.size() > 3 && is_digit(text[3]);
}

/// The columns of the long form that tell kernels apart. A summary numbers none, so that all that is not of
/// the metric counts: stream, NVTX range, invocations.
std::vector<std::size_t> key_columns(const CsvRecord& header, const NcuCsvColumns& columns) {
    constexpr std::array<std::string_view, 11> of_metric{
        "Section Name",     "Metric Name", "Metric Unit", "Minimum",          "Maximum",
        "Average",          "Rule Name",   "Rule Type",   "Rule Description", "Estimated Speedup Type",
        "Estimated Speedup"};
    std::vector<std::size_t> key;
    for (std::size_t i = 0; i < header.fields.size(); ++i)
        if (columns.invocations ? std::ranges::find(of_metric, header.fields[i]) == of_metric.end()
                                : i == columns.id || i == columns.process)
            key.push_back(i);
    return key;
}

/// The columns of a header; an error when they hold no metrics.
Result<NcuCsvColumns> ncu_csv_columns(const CsvRecord& header) {
    NcuCsvColumns columns;
    columns.count = header.fields.size();
    columns.id = position(header, "ID");
    columns.kernel_name = position(header, "Kernel Name");
    columns.invocations = position(header, "Invocations");
    if (!columns.invocations && (!columns.id || !columns.kernel_name))
        return tl::unexpected(without("The columns \"ID\" and \"Kernel Name\" are missing", header.line));
    columns.process = position(header, "Process ID");
    columns.context = position(header, "Context");
    columns.stream = position(header, "Stream");
    columns.block = position(header, "Block Size");
    columns.grid = position(header, "Grid Size");
    columns.device = position(header, "Device");
    columns.capability = position(header, "CC");
    columns.nvtx = position(header, nvtx_column);

    columns.metric_name = position(header, "Metric Name");
    if (columns.metric_name) {
        const auto value = position(header, columns.invocations ? "Average" : "Metric Value");
        if (!value) return tl::unexpected(without("The column \"Metric Value\" is missing", header.line));
        columns.metric_value = *value;
        columns.metric_unit = position(header, "Metric Unit");
        columns.section = position(header, "Section Name");
        columns.key = key_columns(header, columns);
        return columns;
    }
    for (std::size_t i = 0; i < header.fields.size(); ++i)
        if (std::ranges::find(identity, header.fields[i]) == identity.end())
            columns.metrics.push_back(
                {i, header.fields[i], ncu_csv_unit_factor(header.fields[i], std::string_view())});
    if (std::ranges::none_of(header.fields, looks_like_metric))
        return tl::unexpected(without("No column holds a metric", header.line));
    return columns;
}

const std::string& field(const CsvRecord& record, const std::optional<std::size_t>& column) {
    static const std::string nothing;
    return column && *column < record.fields.size() ? record.fields[*column] : nothing;
}

/// The names in `13416  "<default domain>:step:none:none:none:none:none:none"  "..."`: a thread and its
/// ranges, outermost first. A name may hold colons; one domain stands before it, six fields behind it. Empty
/// where there are several threads, as nothing tells which of them launched.
NvtxStack nvtx_stack_of(std::string_view cell) {
    constexpr int fields_behind = 6;
    NvtxStack stack;
    for (std::size_t open = cell.find('"'); open != std::string_view::npos; open = cell.find('"', open)) {
        const std::size_t close = cell.find('"', open + 1);
        if (close == std::string_view::npos) break;
        std::string_view range = cell.substr(open + 1, close - open - 1);
        range.remove_prefix(std::min(range.find(':'), range.size() - 1) + 1);
        for (int i = 0; i < fields_behind && range.find(':') != std::string_view::npos; ++i)
            range = range.substr(0, range.rfind(':'));
        stack.emplace_back(range);
        open = close + 1;
        const std::size_t next = std::min(cell.find('"', open), cell.size());
        if (cell.substr(open, next - open).find_first_of("0123456789") != std::string_view::npos) return {};
    }
    return stack;
}

NcuCsvKernel kernel_of(const CsvRecord& record, const NcuCsvColumns& columns) {
    NcuCsvKernel kernel;
    kernel.process = field(record, columns.process);
    kernel.name = field(record, columns.kernel_name);
    kernel.context = field(record, columns.context);
    kernel.stream = field(record, columns.stream);
    kernel.grid = field(record, columns.grid);
    kernel.block = field(record, columns.block);
    kernel.device = field(record, columns.device);
    kernel.capability = field(record, columns.capability);
    kernel.nvtx = nvtx_stack_of(field(record, columns.nvtx));
    if (!columns.invocations) return kernel;
    kernel.invocations = field(record, columns.invocations);
    if (kernel.name.empty()) kernel.name = "(all kernels)";
    return kernel;
}

/// Of a text whose other lines have one. The first half of CR LF is enough.
bool has_no_end(std::string_view text) {
    return text.find('\n') != std::string_view::npos && !text.ends_with('\n') && !text.ends_with('\r');
}

class CsvReader {
  public:
    /// Reads a profile, or with a search hands out what is looked for.
    CsvReader(std::string_view text, NcuCsvNumberStyle style, const MetricSearch* search = nullptr)
        : text_(text),
          lines_(text),
          size_(text.size()),
          last_line_has_no_end_(has_no_end(text)),
          style_(style),
          search_(search) {}

    void read(const Progress& progress) {
        while (!damage_ && !lines_.at_end()) {
            if (is_cancelled(progress)) return;
            const std::string_view line = lines_.peek_line();
            if (begins_ncu_csv_header(line) && lines_.offset() + line.size() == size_)
                stop({ErrorCode::truncated, "The file ends in the line of its column names",
                      fmt::format("line {}", lines_.line()),
                      "It was cut there: copy it again, or write it again with ncu --csv."});
            else if (is_ncu_csv_header(line))
                read_header(line.starts_with('"'));
            else if (lines_.offset() == 0 && begins_ncu_export(line))
                read_export(progress);
            else if (!columns_ || line.starts_with("=="))
                pass_over(line);
            else if (columns_->quoted && !line.empty() && !line.starts_with('"'))
                skip_foreign_line();
            else
                read_record();
            progress.at(static_cast<double>(lines_.offset()) / static_cast<double>(size_));
        }
        if (!damage_) finish_kernel();
    }

    /// Of the numbers that were read.
    [[nodiscard]] NcuCsvNumberStyle style() const { return votes_.style(); }
    [[nodiscard]] Result<Profile> finish() {
        if (builder_.size() == 0) return tl::unexpected(nothing_usable());
        Profile profile = builder_.take(SourceFormat::ncu_csv, damage_ || left_out_ > 0);
        if (damage_) profile.warnings.push_back({std::move(*damage_), {}});
        if (left_out_ > 1)
            first_left_out_.where += fmt::format(", and {} further rows left out", left_out_ - 1);
        if (left_out_ > 0) profile.warnings.push_back({std::move(first_left_out_), {}});
        if (foreign_lines_ > 0)
            profile.warnings.push_back(
                {{ErrorCode::not_understood,
                  foreign_lines_ == 1
                      ? "A line between the rows is not of Nsight Compute and was skipped"
                      : fmt::format("{} lines between the rows are not of Nsight Compute and were skipped",
                                    foreign_lines_),
                  fmt::format("line {}", first_foreign_line_),
                  "Write the output of the program elsewhere, for instance with ncu --log-file."},
                 {}});
        return profile;
    }

  private:
    void read_header(bool quoted) {
        finish_kernel();
        auto record = lines_.next();
        if (!record) return stop(record.error());
        if (position(**record, "Function Name")) {
            read_window_header(**record);
        } else {
            auto columns = ncu_csv_columns(**record);
            if (!columns) return stop(columns.error());
            columns_ = std::move(*columns);
        }
        if (columns_) columns_->quoted = quoted;
        widths_.clear();
    }

    void read_names(const WindowNames& window) {
        auto columns = ncu_csv_columns(window.names);
        if (!columns && !damage_) stop(columns.error());
        if (!columns) return;
        columns_ = std::move(*columns);
        read_units(window.units);
        // Bytes that the window derives have no unit, or one of its own, and nothing reads them.
        std::erase_if(columns_->metrics, [](const auto& column) {
            return !looks_like_metric(column.name) ||
                   (!column.unit_factor && column.name.starts_with("derived__"));
        });
    }

    /// What older windows and the page Summary export: a kernel a row, with units behind the names.
    void read_window_header(const CsvRecord& header) {
        WindowNames window;
        window.names.line = header.line;
        const auto name = position(header, "Original Demangled Name")
                              .value_or(position(header, "Demangled Name")
                                            .value_or(position(header, "Function Name").value_or(0)));
        for (std::size_t i = 0; i < header.fields.size(); ++i)
            window.add(i == name ? "Kernel Name" : header.fields[i]);
        read_names(window);
    }

    /// A metric a row, with its unit behind its name, and a kernel a column: read as the wide form.
    void read_export(const Progress& progress) {
        WindowNames window;
        window.names.line = lines_.line();
        std::vector<CsvRecord> kernels;
        while (!lines_.at_end() && !is_cancelled(progress)) {
            auto row = lines_.next();
            if (!row) stop(row.error());
            if (!row || !*row) break;
            const auto& fields = (*row)->fields;
            if (window.names.fields.empty()) kernels.resize(fields.size() - 1);
            const bool cut = last_line_has_no_end_ && lines_.at_end() && !(*row)->last_is_quoted;
            if (cut || fields.size() - 1 != kernels.size()) {
                stop(cut ? without_end((*row)->line) : ragged(**row, kernels.size() + 1));
                break;
            }
            const std::string& name = fields.front();
            const bool is_name = name == "Original Demangled Name" ||
                                 (name == "Function Name" && !contains(text_, "\nOriginal Demangled Name,"));
            if (!window.add(is_name ? "Kernel Name" : name)) {
                window.names.fields.pop_back();
                window.units.fields.pop_back();
                continue;
            }
            for (std::size_t i = 0; i < kernels.size(); ++i)
                kernels[i].fields.push_back(fields[i + 1]);
        }
        read_names(window);
        if (!columns_) return;
        for (const CsvRecord& kernel : kernels) {
            ++record_offset_;  // a number by which it is found again
            read_kernel(kernel);
        }
    }

    void read_record() {
        record_offset_ = lines_.offset();
        const bool is_last = last_line_has_no_end_ && record_offset_ + lines_.peek_line().size() == size_;
        auto record = lines_.next();
        if (!record && is_last) return read_cut({.fields = {}, .line = lines_.line()});  // in a quoted cell
        if (!record) return stop(record.error());
        if (!*record) return;
        if (last_line_has_no_end_ && lines_.at_end() && !is_whole(**record)) return read_cut(**record);
        widths_.insert((*record)->fields.size());
        read_row(**record);
    }

    /// Of the last row, without an end: the digits of a number may go on, a quote that is closed tells that
    /// they do not. Rows of metrics end in an empty cell behind their value where others go on with a rule.
    [[nodiscard]] bool is_whole(const CsvRecord& record) const {
        const std::size_t width = record.fields.size();
        const bool is_long = columns_->is_long();
        const bool ends_in_value =
            record.last_is_quoted ||
            (is_long && columns_->quoted && width > least_of_metric() && record.fields.back().empty());
        return ends_in_value && (width == columns_->count || (is_long && widths_.contains(width)));
    }

    void read_row(const CsvRecord& record) {
        if (columns_->is_long())
            read_metric(record);
        else if (field(record, columns_->id).empty())
            read_units(record);
        else
            read_kernel(record);
    }

    void read_cut(CsvRecord record) {
        const std::size_t least = columns_->is_long() ? least_of_metric() : columns_->count;
        if (record.fields.size() >= least) {
            if (!record.last_is_quoted) record.fields.back().clear();
            read_row(record);
        }
        finish_kernel();
        stop(without_end(record.line));
    }

    static Error without_end(std::size_t line) {
        return {
            ErrorCode::truncated, "The last line has no end: the file was probably cut in it",
            fmt::format("line {}", line),
            "What this line says last is not known. Copy the file again, or write it again with ncu --csv."};
    }

    bool is_cancelled(const Progress& progress) {
        if (progress.cancelled()) stop({ErrorCode::cancelled, "Reading was cancelled", "", ""});
        return progress.cancelled();
    }

    [[nodiscard]] std::size_t least_of_metric() const {
        return std::max(columns_->metric_value, *columns_->metric_name) + 1;
    }

    /// Long form. Rows of metrics may be shorter than the header: ncu leaves out the columns of rules.
    void read_metric(const CsvRecord& record) {
        const std::size_t least = least_of_metric();
        if (record.fields.size() < least || record.fields.size() > columns_->count)
            return stop(ragged(record, least));
        const std::string& label = field(record, columns_->metric_name);
        const std::string& unit = field(record, columns_->metric_unit);
        const auto metric = ncu_metric_of_label(label, unit);
        if (!goes_on(record, metric)) {
            finish_kernel();
            kernel_ = kernel_of(record, *columns_);
            kernel_->style = style_;
            kernel_->file_offset = record_offset_;
            key_.clear();
            for (const std::size_t column : columns_->key)
                key_.push_back(field(record, column));
            met_.clear();
        }
        if (label.empty()) return;
        if (columns_->invocations) met_.emplace(field(record, columns_->section), metric);
        const std::string& value = record.fields[columns_->metric_value];
        votes_.add(value);
        kernel_->set(metric, value, ncu_csv_unit_factor(metric, unit));
        if (search_) kernel_->units.insert_or_assign(std::string(metric), ncu_csv_base_unit(unit));
    }

    /// With the kernel at hand. In a summary two kernels may look alike: another has the same metric again.
    [[nodiscard]] bool goes_on(const CsvRecord& record, std::string_view metric) const {
        return kernel_ &&
               std::ranges::equal(
                   columns_->key, key_, {},
                   [&](std::size_t column) -> const std::string& { return field(record, column); }) &&
               !met_.contains(std::pair<std::string, std::string>(field(record, columns_->section), metric));
    }

    void read_units(const CsvRecord& record) {
        if (record.fields.size() != columns_->count) return stop(ragged(record, columns_->count));
        for (NcuCsvMetricColumn& column : columns_->metrics) {
            column.unit_factor = ncu_csv_unit_factor(column.name, field(record, column.index));
            column.base_unit = ncu_csv_base_unit(field(record, column.index));
        }
    }

    void read_kernel(const CsvRecord& record) {
        if (record.fields.size() != columns_->count) return leave_out(record);
        NcuCsvKernel kernel = kernel_of(record, *columns_);
        kernel.style = style_;
        kernel.file_offset = record_offset_;
        for (const NcuCsvMetricColumn& column : columns_->metrics) {
            votes_.add(record.fields[column.index]);
            kernel.set(column.name, record.fields[column.index], column.unit_factor);
            if (search_) kernel.units.insert_or_assign(column.name, column.base_unit);
        }
        add(kernel);
    }

    void finish_kernel() {
        if (kernel_) add(*kernel_);
        kernel_.reset();
    }

    void add(const NcuCsvKernel& kernel) {
        if (search_ == nullptr) return builder_.add(kernel);
        hand_out(kernel, *search_);
    }

    /// The first error of ncu is told where there is nothing else, or that it met no kernel. One with a colon
    /// goes on in the next.
    void pass_over(std::string_view line) {
        const bool is_error = line.starts_with("==ERROR== ");
        const std::string_view said =
            line.substr(line.starts_with("==") ? std::min(line.find("== ") + 3, line.size()) : 0);
        if (complaint_.empty() && (is_error || contains(line, "No kernels were profiled")))
            complaint_ = said;
        else if (complaint_.ends_with(':') && is_error)
            complaint_.append(" ").append(said);
        else if (said.starts_with("Report: "))
            report_ = trimmed(said.substr(said.find(' ')));
        lines_.skip_line();
    }

    void skip_foreign_line() {
        if (foreign_lines_++ == 0) first_foreign_line_ = lines_.line();
        lines_.skip_line();
    }

    static Error ragged(const CsvRecord& record, std::size_t expected) {
        return {ErrorCode::bad_csv,
                fmt::format("A row has {} fields where {} are needed", record.fields.size(), expected),
                fmt::format("line {}", record.line),
                "The file was cut or edited; write it again with ncu --csv."};
    }

    /// A row is a kernel in the wide form. In the long form it is a metric, and the kernels are not whole.
    void leave_out(const CsvRecord& record) {
        if (left_out_++ == 0) first_left_out_ = ragged(record, columns_->count);
    }

    void stop(Error error) { damage_ = std::move(error); }

    [[nodiscard]] Error nothing_usable() const {
        if (damage_) return *damage_;
        if (left_out_ > 0) return first_left_out_;
        if (!columns_ && !complaint_.empty())
            return {ErrorCode::bad_csv, "Nsight Compute profiled no kernel", "",
                    "It says why: " + clean_utf8(complaint_)};
        if (!columns_ && !report_.empty())
            return {ErrorCode::bad_csv,
                    "This is what ncu said while it wrote a report",
                    {},
                    "The figures are there: open " + clean_utf8(report_) + "."};
        if (!columns_)
            return {ErrorCode::bad_csv, "No line holds the column names of Nsight Compute", "",
                    "Write the file with ncu --csv."};
        return {ErrorCode::bad_csv, "The file holds no kernels", "",
                "Profile again; -k, -s and -c of ncu choose which kernels are profiled."};
    }

    std::string_view text_;
    CsvTokenizer lines_;
    std::size_t size_;
    bool last_line_has_no_end_;
    NcuCsvNumberStyle style_;
    NcuCsvNumberVotes votes_;
    const MetricSearch* search_;
    std::uint64_t record_offset_ = 0;  // where the record at hand begins [byte]
    std::optional<NcuCsvColumns> columns_;
    std::set<std::size_t> widths_;                       // of the rows so far
    std::optional<NcuCsvKernel> kernel_;                 // whose rows are being read, in the long form
    std::vector<std::string> key_;                       // its fields in the columns that tell kernels apart
    std::set<std::pair<std::string, std::string>> met_;  // section and metric, of a summary
    NcuCsvProfileBuilder builder_;
    std::optional<Error> damage_;
    std::size_t left_out_ = 0;  // rows
    Error first_left_out_;
    std::string_view report_;  // that ncu wrote
    std::string complaint_;    // of ncu
    std::size_t foreign_lines_ = 0;
    std::size_t first_foreign_line_ = 0;
};

/// Read once before, as values may tell what those above them mean.
NcuCsvNumberStyle style_of_csv(std::string_view text, const Progress& progress) {
    constexpr std::size_t enough = std::size_t{1} << 22U;
    const MetricSearch nothing{};
    CsvReader reader(text.substr(0, enough), {}, &nothing);
    reader.read({{}, progress.stop});
    return reader.style();
}

}  // namespace

bool is_ncu_summary_header(std::string_view line) {
    return std::ranges::all_of(std::array<std::string_view, 3>{"Invocations", "Metric Name", "Average"},
                               [&](std::string_view name) { return contains(line, name); });
}

Result<Profile> read_ncu_csv(std::string_view text, const std::string& name, const Progress& progress) {
    text = without_byte_order_mark(text);
    CsvReader reader(text, style_of_csv(text, progress));
    reader.read(progress);
    return of_file(reader.finish(), name);
}

Result<void> search_ncu_csv(std::string_view text, const MetricSearch& search, const Progress& progress) {
    text = without_byte_order_mark(text);
    CsvReader reader(text, style_of_csv(text, progress), &search);
    reader.read(progress);  // what is damaged was told when the profile was read
    return {};
}

}  // namespace roofwalk
