// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/csv/plain_table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "core/base/text.h"
#include "core/import/csv/csv_tokenizer.h"
#include "core/model/profile_builder.h"

namespace roofwalk {

namespace {

struct HeadingUnit {
    std::string_view name;  ///< in lower case
    double factor;          ///< to s, FLOP or byte
};

constexpr std::array units_of_time{HeadingUnit{"s", 1},     HeadingUnit{"ms", 1e-3}, HeadingUnit{"us", 1e-6},
                                   HeadingUnit{"µs", 1e-6}, HeadingUnit{"μs", 1e-6}, HeadingUnit{"ns", 1e-9}};
constexpr std::array units_of_work{HeadingUnit{"flop", 1},     HeadingUnit{"kflop", 1e3},
                                   HeadingUnit{"mflop", 1e6},  HeadingUnit{"gflop", 1e9},
                                   HeadingUnit{"tflop", 1e12}, HeadingUnit{"pflop", 1e15}};
constexpr std::array units_of_traffic{HeadingUnit{"b", 1},         HeadingUnit{"kb", 1e3},
                                      HeadingUnit{"mb", 1e6},      HeadingUnit{"gb", 1e9},
                                      HeadingUnit{"tb", 1e12},     HeadingUnit{"kib", 1024},
                                      HeadingUnit{"mib", 1048576}, HeadingUnit{"gib", 1073741824}};

enum class Field { name, time, flops, bytes, precision, operation, device };

struct KnownColumn {
    std::string_view name;
    Field field;
    std::span<const HeadingUnit> units;
    Boundary boundary = Boundary::hbm_dram_rw;
    bool stands_in = false;  ///< counts where none above it tells the same; a figure, with a unit
};

const KnownColumn known_columns[] = {
    {"name", Field::name, {}},
    {"kernel", Field::name, {}},
    {"op", Field::name, {}, Boundary::hbm_dram_rw, true},
    {"time", Field::time, units_of_time},
    {"duration", Field::time, units_of_time},
    {"mean", Field::time, units_of_time, Boundary::hbm_dram_rw, true},
    {"latency", Field::time, units_of_time, Boundary::hbm_dram_rw, true},
    {"flops", Field::flops, units_of_work},
    {"flop", Field::flops, units_of_work},
    {"bytes", Field::bytes, units_of_traffic},
    {"hbm_bytes", Field::bytes, units_of_traffic},
    {"dram_bytes", Field::bytes, units_of_traffic},
    {"l2_bytes", Field::bytes, units_of_traffic, default_boundary(MemoryLevel::l2)},
    {"l1_bytes", Field::bytes, units_of_traffic, default_boundary(MemoryLevel::l1)},
    {"smem_bytes", Field::bytes, units_of_traffic, default_boundary(MemoryLevel::smem)},
    {"precision", Field::precision, {}},
    {"operation", Field::operation, {}},
    {"device", Field::device, {}},
};

bool tell_the_same(const KnownColumn& a, const KnownColumn& b) {
    return a.field == b.field && a.boundary == b.boundary;
}

struct Column {
    const KnownColumn* known = nullptr;  ///< of one that is passed over
    double factor = 1;
};

std::string known_names() {
    std::vector<std::string> names;
    for (const KnownColumn& known : known_columns)
        names.emplace_back(known.name);
    return fmt::format(
        "Known are {}. A unit follows, as in time_us or bytes [GB]; mean and latency need one. Of a name or a "
        "time that is told twice, op, mean and latency are passed over.",
        joined_with_and(names));
}

/// The factor of what follows the name of a column: "", "_us", " [us]", "(us)".
std::optional<double> factor_of(std::string_view rest, std::span<const HeadingUnit> units) {
    if (rest.empty()) return 1;
    const bool joined = rest.starts_with('_');
    rest = trimmed(rest);
    const bool bracketed =
        (rest.starts_with('[') && rest.ends_with(']')) || (rest.starts_with('(') && rest.ends_with(')'));
    if (bracketed)
        rest = trimmed(rest.substr(1, rest.size() - 2));
    else if (joined)
        rest.remove_prefix(1);
    else
        return {};
    const auto unit = std::ranges::find(units, rest, &HeadingUnit::name);
    return unit == units.end() ? std::nullopt : std::optional(unit->factor);
}

std::optional<Column> column_of(std::string_view heading) {
    const std::string text = lower_case(trimmed(heading));
    for (const KnownColumn& known : known_columns) {
        const bool lacks_unit = known.stands_in && !known.units.empty() && text == known.name;
        if (!text.starts_with(known.name) || lacks_unit) continue;
        if (const auto factor = factor_of(std::string_view(text).substr(known.name.size()), known.units))
            return Column{&known, *factor};
    }
    return {};
}

/// The figure that a heading which is not known may stand for, in another unit or as a rate.
const KnownColumn* likely_figure(std::string_view heading) {
    const std::string text = lower_case(trimmed(heading));
    const auto* const found = std::ranges::find_if(known_columns, [&](const KnownColumn& known) {
        if (known.field == Field::flops) return contains(text, "flop");
        if (known.field == Field::bytes) return text.starts_with(known.name.substr(0, known.name.size() - 1));
        const char next = text.starts_with(known.name) ? text.c_str()[known.name.size()] : 'a';
        return known.field == Field::time && (next < 'a' || next > 'z');
    });
    return found == std::end(known_columns) ? nullptr : found;
}

bool is_figure(const Column& column) {
    return column.known->field == Field::time || column.known->field == Field::flops ||
           column.known->field == Field::bytes;
}

class PlainTableReader {
  public:
    explicit PlainTableReader(std::string_view text)
        : lines_(text), size_(text.size()), cut_(!text.ends_with('\n') && !text.ends_with('\r')) {}

    Result<Profile> read(const Progress& progress) {
        damage_ = read_header();
        while (!damage_ && !lines_.at_end()) {
            damage_ = progress.cancelled() ? Error{ErrorCode::cancelled, "Reading was cancelled", "", ""}
                                           : read_row();
            progress.at(static_cast<double>(lines_.offset()) / static_cast<double>(size_));
        }
        return finish();
    }

  private:
    using Fault = std::optional<Error>;

    Fault read_header() {
        const auto header = lines_.next();
        if (!header) return header.error();
        const std::vector<std::string>& headings = (*header)->fields;
        std::vector<Column> told;
        for (const std::string& heading : headings)
            told.push_back(column_of(heading).value_or(Column()));
        for (const Column& column : told) {
            const auto same = [&](const Column& other) {
                return other.known && tell_the_same(*column.known, *other.known);
            };
            const auto better = [&](const Column& other) {
                return same(other) && other.known < column.known;
            };
            const std::string& heading = headings[columns_.size()];
            const bool counts =
                column.known && !(column.known->stands_in && std::ranges::any_of(told, better));
            const auto first = counts ? std::ranges::find_if(columns_, same) : columns_.end();
            if (first != columns_.end())
                return bad(**header,
                           fmt::format("Two columns tell the same: \"{}\" and \"{}\"",
                                       shortened_word(headings[std::size_t(first - columns_.begin())]),
                                       shortened_word(heading)),
                           "Keep one of them.");
            if (!counts) extra_.push_back(clean_utf8(heading));
            columns_.push_back(counts ? column : Column());
        }
        for (const std::string& heading : extra_)
            if (const KnownColumn* figure = likely_figure(heading); figure && !has(*figure))
                return bad(**header, fmt::format("The column \"{}\" is not known", shortened_word(heading)),
                           fmt::format("{}{}", known_names(),
                                       figure->field == Field::flops
                                           ? " A rate (GFLOP/s) times the time is the work, flops (GFLOP)."
                                           : ""));
        return {};
    }

    [[nodiscard]] bool has(const KnownColumn& known) const {
        return std::ranges::any_of(columns_, [&](const Column& column) {
            return column.known && tell_the_same(*column.known, known);
        });
    }

    Fault read_row() {
        const auto record = lines_.next();
        if (!record) return record.error();
        if (!*record) return {};
        CsvRecord row = **record;
        // The digits of a number may go on where a file was cut.
        const bool cut = cut_ && lines_.at_end() && !row.last_is_quoted;
        Fault fault = add_launch(row);
        if (!cut) {
            if (fault) skip(*std::move(fault));
            return {};
        }
        Error open{ErrorCode::truncated, "The last line has no end: the file may have been cut in it",
                   fmt::format("line {}", row.line),
                   fmt::format("{}; end each row with a line break.",
                               fault ? "The row is left out" : "What it says last is taken as it stands")};
        if (fault) return open;
        told_.push_back(std::move(open));
        return {};
    }

    /// Of many, the first are told each.
    void skip(Error fault) {
        ++skipped_;
        if (told_.size() >= most_told) return;
        fault.hint += (fault.hint.empty() ? "" : " ") + std::string("The row is left out.");
        told_.push_back(std::move(fault));
    }

    /// What is wrong with the row, which is then left out.
    Fault add_launch(const CsvRecord& row) {
        if (row.fields.size() != columns_.size())
            return bad(
                row,
                fmt::format("A row has {} fields where {} are needed", row.fields.size(), columns_.size()),
                "A name that holds a comma is put in quotes.");
        Launch launch;
        Row cells;
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (Fault fault = columns_[i].known
                                  ? read_cell(row, columns_[i], trimmed(row.fields[i]), launch, cells)
                                  : Fault())
                return fault;
        if (cells.name.empty()) return bad(row, "The kernel has no name", "");
        launch.precision_assumed = cells.flops && !cells.pipe;
        const TextId source =
            launch.precision_assumed
                ? builder_.profile().texts.intern("no precision is named: that of the operation, else FP32")
                : TextId::none;
        if (cells.flops)
            launch.work.push_back({cells.pipe.value_or(Pipe()), Origin::measured, source, *cells.flops});
        launch.kernel = builder_.kernel({cells.name}, [&] { return Kernel{cells.name, "", ""}; });
        launch.device = builder_.device({cells.device}, [&] {
            Device device;
            device.vendor = vendor_in_name(cells.device);
            device.name = cells.device;
            return device;
        });
        launch.algorithm = builder_.profile().texts.intern(cells.operation);
        builder_.profile().launches.push_back(std::move(launch));
        return {};
    }

    struct Row {
        std::string name;
        std::string device;
        std::string operation;
        std::optional<Pipe> pipe;
        std::optional<Flops> flops;
    };

    static Fault read_cell(const CsvRecord& row, const Column& column, std::string_view cell, Launch& launch,
                           Row& cells) {
        switch (column.known->field) {
            case Field::name:
                cells.name = clean_utf8(cell);
                return {};
            case Field::device:
                cells.device = clean_utf8(cell);
                return {};
            case Field::operation:
                cells.operation = clean_utf8(cell);
                return {};
            case Field::precision:
                return read_pipe(row, cell, cells.pipe);
            case Field::time:
            case Field::flops:
            case Field::bytes:
                break;
        }
        if (cell.empty()) return {};
        const std::optional<double> told = parse_number<double>(cell);
        if (!told || !std::isfinite(*told) || *told < 0)
            return bad(row, fmt::format("\"{}\" is no {}", clean_utf8(cell), column.known->name),
                       "Write a number such as 0.00125 or 1.25e-3, and nothing for what was not measured.");
        const double value = *told * column.factor;
        if (column.known->field == Field::time)
            launch.duration = Seconds(value);
        else if (column.known->field == Field::flops)
            cells.flops = Flops(value);
        else
            launch.traffic.push_back(
                {column.known->boundary, Origin::measured, TextId::none, Bytes(value), {}, {}});
        return {};
    }

    static Fault read_pipe(const CsvRecord& row, std::string_view cell, std::optional<Pipe>& target) {
        if (cell.empty()) return {};
        const auto pipe = pipe_from_id(lower_case(cell));
        if (!pipe)
            return bad(row, fmt::format("The precision \"{}\" is not known", clean_utf8(cell)),
                       "Such as fp64, fp32, fp16, tensor.fp16, tensor.bf16, tensor.tf32 or tensor.int8.");
        target = pipe;
        return {};
    }

    static Error bad(const CsvRecord& record, std::string what, std::string hint) {
        return {ErrorCode::bad_csv, std::move(what), fmt::format("line {}", record.line), std::move(hint)};
    }

    Result<Profile> finish() {
        Profile profile = builder_.take();
        if (profile.launches.empty() && !told_.empty()) return tl::unexpected(std::move(told_.front()));
        if (profile.launches.empty())
            return tl::unexpected(damage_.value_or(Error{ErrorCode::bad_csv, "The table has no rows", "",
                                                         "A kernel a row, below the names of the columns."}));
        SourceInfo source;
        source.format = SourceFormat::kernel_table;
        source.partial = damage_.has_value() || skipped_ > 0;
        profile.sources.push_back(std::move(source));
        const std::size_t not_told = skipped_ - std::min(skipped_, most_told);
        for (Error& fault : told_)
            profile.warnings.push_back({std::move(fault), {}});
        if (not_told > 0)
            profile.warnings.push_back(
                {{ErrorCode::bad_csv, fmt::format("{} further rows are left out", not_told), "", ""}, {}});
        if (damage_) profile.warnings.push_back({*std::move(damage_), {}});
        if (!extra_.empty()) profile.warnings.push_back(extra_warning());
        return profile;
    }

    /// Of columns that are passed over.
    [[nodiscard]] Warning extra_warning() const {
        constexpr std::size_t most = 5;
        const std::span<const std::string> first(extra_.data(), std::min(extra_.size(), most));
        std::string what = "Columns were passed over: " + joined(first, ", ", shortened_word);
        if (extra_.size() > most) what += fmt::format(" and {} more", extra_.size() - most);
        return {{ErrorCode::not_understood, std::move(what), "", known_names()}, {}};
    }

    static constexpr std::size_t most_told = 20;

    CsvTokenizer lines_;
    std::size_t size_;
    bool cut_;
    std::vector<Column> columns_;
    std::vector<std::string> extra_;  // columns
    ProfileBuilder builder_;
    std::optional<Error> damage_;
    std::size_t skipped_ = 0;  // rows
    std::vector<Error> told_;  // of those, the first
};

}  // namespace

bool starts_plain_table(std::string_view text) {
    constexpr std::size_t longest_header = 4096;
    const std::size_t begin = std::min(text.find_first_not_of("\r\n"), text.size());
    text.remove_prefix(begin);
    CsvTokenizer lines(text.substr(0, std::min(text.find('\n'), longest_header)));
    const auto header = lines.next();
    if (!header || !*header) return false;
    bool name = false;
    bool figure = false;
    for (const std::string& heading : (*header)->fields) {
        const auto column = column_of(heading);
        name = name || (column && column->known->field == Field::name);
        figure = figure || (column && is_figure(*column));
    }
    return name && figure;
}

Result<Profile> read_plain_table(std::string_view text, const std::string& name, const Progress& progress) {
    return of_file(PlainTableReader(text).read(progress), name);
}

}  // namespace roofwalk
