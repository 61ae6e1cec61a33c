// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/import/averaged_launches.h"
#include "core/import/csv/csv_tokenizer.h"
#include "core/import/csv/ncu_csv_number.h"
#include "core/import/trace/trace_readers.h"
#include "core/model/profile_builder.h"

namespace roofwalk {

namespace {

enum class NsysField { other, total, instances, average, grid, block, start, duration, device, stream, name };

struct NsysColumn {
    std::string_view heading;  ///< in lower case, without its unit
    NsysField field;
};

/// Of the summaries. Tables of other things (calls, ranges, copies) have further columns.
constexpr NsysColumn summary_columns[] = {
    {"time", NsysField::other},   {"total time", NsysField::total}, {"instances", NsysField::instances},
    {"avg", NsysField::average},  {"average", NsysField::average},  {"med", NsysField::other},
    {"median", NsysField::other}, {"min", NsysField::other},        {"minimum", NsysField::other},
    {"max", NsysField::other},    {"maximum", NsysField::other},    {"stddev", NsysField::other},
    {"gridxyz", NsysField::grid}, {"blockxyz", NsysField::block},   {"name", NsysField::name},
    {"...", NsysField::other},  // columns that were left out
};

constexpr NsysColumn trace_columns[] = {
    {"start", NsysField::start}, {"duration", NsysField::duration}, {"grdx", NsysField::grid},
    {"blkx", NsysField::block},  {"device", NsysField::device},     {"strm", NsysField::stream},
    {"name", NsysField::name},
};

constexpr NcuCsvNumberStyle with_lakhs{.decimal_commas = false, .lakhs = true};

/// As many as AveragedLaunches repeats. What a row sums beyond them is one launch.
constexpr double most_launches = 1e6;

constexpr std::string_view print_again = "Print the table again, as CSV with --format csv.";

/// [s], of "Total Time (us)"; absent for other units and where none is told.
std::optional<double> second_of(std::string_view heading) {
    const std::size_t open = heading.find('(');
    if (open == std::string_view::npos || !heading.ends_with(')')) return {};
    heading = heading.substr(open + 1, heading.size() - open - 2);
    constexpr std::pair<std::string_view, double> units[] = {{"ns", 1e-9},   {"nsec", 1e-9}, {"us", 1e-6},
                                                             {"usec", 1e-6}, {"ms", 1e-3},   {"msec", 1e-3},
                                                             {"s", 1},       {"sec", 1}};
    for (const auto& unit : units)
        if (unit.first == heading) return unit.second;
    return {};
}

/// What stands between two blanks or more.
std::vector<std::string> headings_of_text(std::string_view line) {
    std::vector<std::string> headings;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t end = std::min(line.find("  ", at), line.size());
        if (const std::string_view heading = trimmed(line.substr(at, end - at)); !heading.empty())
            headings.emplace_back(heading);
        at = end + 2;
    }
    return headings;
}

std::vector<std::string> fields_of_csv(std::string_view line) {
    auto record = CsvTokenizer(line).next();
    return record && *record ? std::move((*record)->fields) : std::vector<std::string>();
}

/// What stands between the bars of a table that is framed by them, of which the last column may hold bars.
std::vector<std::string> fields_of_frame(std::string_view line, std::size_t most) {
    if (line.starts_with('|')) line.remove_prefix(1);
    if (line.ends_with('|')) line.remove_suffix(1);
    std::vector<std::string> fields;
    for (bool more = true; more;) {
        const std::size_t end = fields.size() + 1 < most ? line.find('|') : std::string_view::npos;
        more = end != std::string_view::npos;
        fields.emplace_back(trimmed(line.substr(0, end)));
        line.remove_prefix(more ? end + 1 : line.size());
    }
    return fields;
}

bool has_letter_or_digit(std::string_view line) {
    return std::ranges::any_of(
        line, [](char c) { return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
}

/// What a printed figure may be off: one of its last digit.
double rounding_of(std::string_view figure) {
    const std::size_t end = std::min(figure.find_first_of("eE"), figure.size());
    const std::size_t sign = figure.substr(0, end).find_last_of(".,");
    const double power = ncu_csv_number("1" + std::string(figure.substr(end))).value_or(1);
    return sign == std::string_view::npos ? power : power * std::pow(10, 1 + double(sign) - double(end));
}

struct NsysHeader {
    bool is_csv = false;
    bool is_framed = false;
    bool is_trace = false;
    double second = 0;              ///< its unit of time [s]
    std::vector<NsysField> fields;  ///< of each column

    [[nodiscard]] std::optional<std::size_t> column(NsysField field) const {
        const auto found = std::ranges::find(fields, field);
        return found == fields.end() ? std::nullopt : std::optional(std::size_t(found - fields.begin()));
    }
};

/// Of a line that names the columns of such a table.
std::optional<NsysHeader> nsys_header_of(std::string_view line) {
    line = trimmed(line);
    NsysHeader header;
    header.is_framed = line.starts_with('|');
    header.is_csv = !header.is_framed && contains(line, ",");
    header.is_trace = (header.is_csv || header.is_framed) && contains(line, "GrdX");
    if (!header.is_trace && !contains(line, "Total Time")) return {};
    const std::span<const NsysColumn> known =
        header.is_trace ? std::span<const NsysColumn>(trace_columns) : summary_columns;
    for (const std::string& heading : header.is_framed ? fields_of_frame(line, line.size())
                                      : header.is_csv  ? fields_of_csv(line)
                                                       : headings_of_text(line)) {
        const std::string text = lower_case(trimmed(heading));
        const auto column = std::ranges::find(
            known, trimmed(std::string_view(text).substr(0, text.find('('))), &NsysColumn::heading);
        if (column == known.end() && !header.is_trace) return {};
        header.fields.push_back(column == known.end() ? NsysField::other : column->field);
        if (header.fields.back() == NsysField::total || header.fields.back() == NsysField::duration)
            header.second = second_of(text).value_or(0);
    }
    const bool is_whole =
        header.second > 0 && header.column(NsysField::name) &&
        (header.is_trace ? header.column(NsysField::start) && header.column(NsysField::grid)
                         : header.column(NsysField::instances) && header.fields.back() == NsysField::name);
    return is_whole ? std::optional(std::move(header)) : std::nullopt;
}

/// Whether a line names the columns of such a table in a form that is not read: between tabs or semicolons,
/// or those of a trace as text.
bool heads_other_form(std::string_view line) {
    const bool has_separators = line.find_first_of("\t;") != std::string_view::npos;
    if (!contains(line, "GrdX") && !(has_separators && contains(line, "Total Time"))) return false;
    std::string headings(line);
    if (has_separators)
        std::ranges::replace_if(
            headings, [](char c) { return c == '\t' || c == ';'; }, ',');
    else
        headings = fmt::format("{}", fmt::join(headings_of_text(line), ","));
    return nsys_header_of(headings).has_value();
}

/// Whether the first object of a list in JSON is a row of such a table.
bool is_json_of_kernels(std::string_view text) {
    constexpr std::size_t enough = 4096;
    text = without_blank_start(text.substr(0, enough));
    if (!text.starts_with('[')) return false;
    std::string headings;
    while (true) {
        text.remove_prefix(std::min(text.find('"'), text.size()));
        const std::size_t end = text.find('"', 1);
        if (end == std::string_view::npos) return false;
        const std::string_view key = text.substr(1, end - 1);
        text.remove_prefix(end + 1);
        if (!without_blank_start(text).starts_with(':')) continue;
        headings += key;
        if (key == "Name") return nsys_header_of(headings).has_value();
        headings += ',';
    }
}

/// The cells of a line, of which a text separates figures by blanks: three are an extent, the rest the name.
std::vector<std::string> cells_of_text(std::string_view line, const NsysHeader& header) {
    std::vector<std::string> cells;
    for (const NsysField field : header.fields) {
        std::string cell;
        const int words = field == NsysField::grid || field == NsysField::block ? 3 : 1;
        for (int i = 0; field != NsysField::name && i < words; ++i) {
            line = trimmed(line);
            const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
            cell += fmt::format("{}{}", i > 0 ? " " : "", line.substr(0, end));
            line.remove_prefix(end);
        }
        cells.push_back(field == NsysField::name ? std::string(trimmed(line)) : std::move(cell));
    }
    return cells;
}

class NsysTableReader {
  public:
    Result<Profile> read(std::string_view text, const Progress& progress) {
        const double size = static_cast<double>(std::max<std::size_t>(text.size(), 1));
        for (std::size_t at = 0; at < text.size() && !progress.cancelled();) {
            const std::size_t end = text.find('\n', at);
            const bool has_no_end = end == std::string_view::npos;
            read_line(trimmed(text.substr(at, std::min(end, text.size()) - at)), has_no_end);
            at = has_no_end ? text.size() : end + 1;
            progress.at(static_cast<double>(at) / size);
        }
        return finish(progress.cancelled());
    }

  private:
    /// Of a line without the blanks and the carriage return at its ends.
    void read_line(std::string_view line, bool has_no_end) {
        if (auto header = nsys_header_of(line)) {
            is_read_ = !header_;
            other_tables_ += is_read_ ? 0 : 1;
            if (is_read_) header_ = std::move(header);
            return;
        }
        // Blank lines and rules may stand in a table. What is printed below it is none of its rows, which
        // begin with a figure.
        if (!is_read_ || !has_letter_or_digit(line)) return;
        const std::size_t first = line.find_first_not_of("\"| ");
        is_read_ = is_digit(line[first]);
        if (!is_read_) return;
        const std::vector<std::string> cells = header_->is_framed
                                                   ? fields_of_frame(line, header_->fields.size())
                                               : header_->is_csv ? fields_of_csv(line)
                                                                 : cells_of_text(line, *header_);
        const bool is_open = has_no_end && !line.ends_with('"') &&
                             std::ranges::count(line, '(') != std::ranges::count(line, ')');
        const bool is_row = cells.size() == header_->fields.size() && !is_open && add(cells);
        skipped_ += is_row ? 0 : 1;
        is_cut_ = has_no_end && !is_row;
        name_may_go_on_ = has_no_end && is_row && !contains("\")]|", line.substr(line.size() - 1));
    }

    [[nodiscard]] std::string_view cell(const std::vector<std::string>& cells, NsysField field) const {
        const auto column = header_->column(field);
        return column ? trimmed(cells[*column]) : std::string_view();
    }

    [[nodiscard]] std::optional<double> number(const std::vector<std::string>& cells, NsysField field) const {
        const auto value = ncu_csv_number(cell(cells, field), with_lakhs);
        return value && *value >= 0 ? value : std::nullopt;
    }

    /// Of three figures between blanks, which a trace has in columns of their own.
    [[nodiscard]] Dim3 extent(const std::vector<std::string>& cells, NsysField field) const {
        const std::size_t first = header_->column(field).value_or(cells.size());
        std::string told;
        for (std::size_t i = first; i < std::min(first + (header_->is_trace ? 3 : 1), cells.size()); ++i)
            told += cells[i] + " ";
        std::erase(told, ',');
        std::array<std::uint32_t, 3> sizes{};
        std::string_view rest = trimmed(told);
        for (std::uint32_t& size : sizes) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            size = parse_number<std::uint32_t>(rest.substr(0, end)).value_or(0);
            rest = trimmed(rest.substr(end));
        }
        return {sizes[0], sizes[1], sizes[2]};
    }

    /// False: this is no row of the table.
    bool add(const std::vector<std::string>& cells) {
        // What copies and sets memory has no grid.
        if (header_->is_trace && cell(cells, NsysField::grid).empty()) return true;
        const std::string name = clean_utf8(cell(cells, NsysField::name));
        const auto time = number(cells, header_->is_trace ? NsysField::duration : NsysField::total);
        if (name.empty() || !time) return false;
        Launch launch;
        // Rows of a summary are kernels of their own, also where nsys cuts their names to the same.
        const bool is_cut = name.ends_with("\u2026");
        cut_names_ += is_cut ? 1 : 0;
        const std::string row = is_cut && !header_->is_trace ? std::to_string(cut_names_) : std::string();
        launch.kernel = builder_.kernel({name, row}, [&] { return Kernel{name, "", ""}; });
        launch.device = device_of(cell(cells, NsysField::device));
        launch.duration = Seconds(*time * header_->second);
        launch.grid = extent(cells, NsysField::grid);
        launch.block = extent(cells, NsysField::block);
        return header_->is_trace ? add_traced(cells, std::move(launch))
                                 : add_average(cells, std::move(launch), *time);
    }

    bool add_traced(const std::vector<std::string>& cells, Launch launch) {
        launch.stream = parse_number<std::uint32_t>(cell(cells, NsysField::stream)).value_or(0);
        if (const auto start = number(cells, NsysField::start))
            launch.start = Seconds(*start * header_->second);
        builder_.profile().launches.push_back(std::move(launch));
        return true;
    }

    bool add_average(const std::vector<std::string>& cells, Launch launch, double total) {
        const auto instances = number(cells, NsysField::instances);
        if (!instances) return false;
        std::vector<Launch>& launches = builder_.profile().launches;
        StringPool& texts = builder_.profile().texts;
        launch.duration_source = texts.intern("Total Time of nsys stats");
        const auto average = number(cells, NsysField::average);
        constexpr double near = 0.01;
        if (average && std::abs(total / *instances - *average) >
                           near * *average + rounding_of(cell(cells, NsysField::average)) +
                               rounding_of(cell(cells, NsysField::total)) / *instances) {
            launch.duration.reset();
            contradicting_.push_back(static_cast<LaunchIndex>(launches.size()));
        } else if (*instances > most_launches - double(launches.size())) {
            launch.duration_source = texts.intern(
                fmt::format("Total Time of nsys stats, {} launches together", format_count(*instances)));
            together_.push_back(static_cast<LaunchIndex>(launches.size()));
            launches.push_back(std::move(launch));
            return true;
        } else if (*instances > 0) {
            launch.duration = *launch.duration / *instances;
        }
        averages_.add(launches, std::move(launch), *instances, texts);
        return true;
    }

    /// "NVIDIA A100-SXM4-40GB (0)".
    DeviceIndex device_of(std::string_view told) {
        return builder_.device({told}, [&] {
            Device device;
            device.name = clean_utf8(trimmed(told.substr(0, told.rfind(" ("))));
            device.vendor = Vendor::nvidia;
            return device;
        });
    }

    Result<Profile> finish(bool stopped) {
        Profile profile = builder_.take();
        if (profile.launches.empty() && stopped)
            return unexpected(ErrorCode::cancelled, "Reading was cancelled");
        if (!header_)
            return unexpected(
                ErrorCode::unknown_format, "This table of nsys stats is in a form that is not read", "",
                "Print it with --format csv, or export its report with nsys export --type=sqlite.");
        if (profile.launches.empty() && skipped_ > 0)
            return unexpected(is_cut_ ? ErrorCode::truncated : ErrorCode::bad_csv,
                              "No line of the table of nsys stats can be read whole", "",
                              std::string(print_again));
        if (profile.launches.empty())
            return unexpected(ErrorCode::bad_csv, "The table of nsys stats has no kernels", "",
                              "Profile with nsys profile --trace=cuda.");
        SourceInfo source;
        source.format = SourceFormat::nsys_table;
        source.partial = stopped || is_cut_ || name_may_go_on_;
        profile.sources.push_back(std::move(source));
        const auto warn = [&profile](ErrorCode code, std::string what, std::string hint,
                                     std::vector<LaunchIndex> launches = {}) {
            profile.warnings.push_back({{code, std::move(what), "", std::move(hint)}, std::move(launches)});
        };
        constexpr std::string_view each = "nsys export --type=sqlite writes what each launch did.";
        averages_.warn(profile, std::string(each));
        if (!header_->is_trace)
            warn(ErrorCode::not_understood,
                 "The file holds averages: every launch of a kernel is shown alike", std::string(each));
        if (cut_names_ > 0)
            warn(ErrorCode::not_understood,
                 "nsys cut the names of kernels, so that different ones may have the same name",
                 std::string(print_again));
        if (!together_.empty()) {
            std::string names = printable(profile.kernel_of(profile.at(together_.front())).name);
            if (together_.size() > 1) names += fmt::format(" and {} more", together_.size() - 1);
            warn(ErrorCode::not_understood,
                 fmt::format("One launch of {} is shown, with the time of all, as more than {} are too many",
                             names, format_count(most_launches)),
                 std::string(each), std::move(together_));
        }
        if (!contradicting_.empty())
            warn(ErrorCode::bad_csv, "A total time is not that of so many launches of its average",
                 "Print the table again; these kernels have no time.", std::move(contradicting_));
        if (other_tables_ > 0)
            warn(ErrorCode::not_understood,
                 fmt::format("The first table is read, not {} of kernels below it",
                             other_tables_ == 1 ? "another" : fmt::format("{} others", other_tables_)),
                 "Write each into a file of its own.");
        if (skipped_ > 0)
            warn(is_cut_ ? ErrorCode::truncated : ErrorCode::bad_csv,
                 fmt::format("{} of the table {} left out, as not all columns can be read",
                             skipped_ == 1 ? "A line" : fmt::format("{} lines", skipped_),
                             skipped_ == 1 ? "is" : "are"),
                 std::string(print_again));
        if (name_may_go_on_)
            warn(ErrorCode::truncated, "The last line has no end, so the name of its kernel may be cut",
                 std::string(print_again));
        if (stopped) warn(ErrorCode::cancelled, "Reading was cancelled", "");
        return profile;
    }

    ProfileBuilder builder_;
    AveragedLaunches averages_;
    std::optional<NsysHeader> header_;  // of the table that is read
    bool is_read_ = false;              // what stands here
    bool is_cut_ = false;               // in its last line
    bool name_may_go_on_ = false;       // there
    std::size_t other_tables_ = 0;
    std::size_t skipped_ = 0;    // lines
    std::size_t cut_names_ = 0;  // by nsys
    std::vector<LaunchIndex> contradicting_;
    std::vector<LaunchIndex> together_;  // each of all that a row sums
};

}  // namespace

bool holds_nsys_table(std::string_view text) {
    constexpr std::size_t enough = std::size_t{1} << 20U;
    text = text.substr(0, enough);
    if (is_json_of_kernels(text)) return true;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (nsys_header_of(text.substr(0, end)) || heads_other_form(text.substr(0, end))) return true;
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return false;
}

Result<Profile> read_nsys_table(std::string_view text, const std::string& name, const Progress& progress) {
    return of_file(NsysTableReader().read(text, progress), name);
}

}  // namespace roofwalk
