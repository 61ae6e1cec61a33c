// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/roofline/analysis.h"

namespace roofwalk {

/// Where a column stands in a table for a terminal. The other exports have every column, and the same ones
/// for every input, so that files of many runs can be joined.
enum class ColumnPlace : std::uint8_t {
    main,        ///< read first
    context,     ///< a line below the table while all rows agree, else a column, of words that are kept short
    detail,      ///< only where every column is asked for
    files_only,  ///< CSV and JSON: this input has nothing to show there, or a person hid it
    window_only,  ///< in no export: what it says stands in several columns there
};

/// What stands in the cells of a column.
enum class ColumnKind : std::uint8_t {
    number,
    share,  ///< a number, in per cent for people
    words,
    limit,         ///< words that name what binds: memory by the name that it has in the view
    name,          ///< of a kernel: shortened where there is little room
    kernel_class,  ///< its words; the window draws its sign too
};

/// One column of a table, in the commands, the window and filters.
struct ReportColumn {
    std::string id = {};     ///< "hbm_intensity": stable, for CSV
    std::string title = {};  ///< "AI HBM"
    std::string unit = {};   ///< "FLOP/byte"; empty for words, counts and ratios
    ColumnKind kind = ColumnKind::number;
    ColumnPlace place = ColumnPlace::main;
    std::string quantity = {};     ///< columns of one quantity have one unit; empty: the id
    std::string shown_unit = {};   ///< of every number in the column, for people: "ms"
    std::uint8_t window = 0;       ///< its place in the window's table, from 1 at the left; 0: not there
    std::string short_title = {};  ///< in the window, where columns are narrow; empty: the title
    std::string meaning = {};      ///< what it shows, for the tooltip of its header and the help of filters
    std::string word = {};         ///< its short name in filters; empty: its id
    /// Of a terminal the columns that are read first leave in this order, 1 first, while there is no room for
    /// all, and at once where no row has anything but 0 or one word; 0: never.
    std::uint8_t gives_way = 0;

    [[nodiscard]] bool numeric() const { return kind == ColumnKind::number || kind == ColumnKind::share; }
};

[[nodiscard]] inline ReportColumn words_column(std::string id, std::string title,
                                               ColumnPlace place = ColumnPlace::main,
                                               std::uint8_t window = 0) {
    return {.id = std::move(id),
            .title = std::move(title),
            .kind = ColumnKind::words,
            .place = place,
            .window = window};
}

/// One cell: a number in base units, a word, or why there is none: "not measured", "no ceiling known", "work
/// incomplete", or "–" where the question does not apply (the roof of a kernel without FLOPs).
struct ReportCell {
    std::optional<double> number;  ///< absent in columns of words, and where there is none
    std::string text;   ///< for people, in the shown unit of the column, "≥" of a lower bound; or why it is
                        ///< missing
    bool known = true;  ///< false: not measured, and only then
    bool applies = true;  ///< false: the question is none for this row; "–" for people, nothing in CSV
    std::string_view bound = {};       ///< "≥ " or "≤ ", where the number is one
    bool approximate = false;          ///< of the number: estimated, or of an operation; "~" in the text
    std::optional<double> up_to = {};  ///< the other end of a range that begins with the number
};

/// The numbers of an analysis in rows, one for each kernel point, ready for every text export. The first
/// column is the kernel's whole name; what matters most comes first.
struct ReportTable {
    std::vector<ReportColumn> columns;
    std::vector<std::vector<ReportCell>> rows;
    std::string note = {};  ///< a sentence that stands below the rows; CSV has no place for it
};

/// doubt_words() of the kernels of `ranking`, in short sentences.
[[nodiscard]] std::string doubt_sentences(const Analysis& analysis,
                                          const std::vector<std::uint32_t>& ranking);

/// Rows in the order of ranked_points.
[[nodiscard]] ReportTable report_table(const Profile& profile, const Analysis& analysis);

// A writer each: csv_writer.cpp, markdown_writer.cpp, text_table.cpp, report_json.cpp
/// RFC 4180, base units in the header, whole names; what is not measured or does not apply is an empty field.
/// Names that a spreadsheet would take for a formula get a leading apostrophe; control characters and those
/// that turn the direction of writing are escapes, as "\u001b".
[[nodiscard]] std::string to_csv(const ReportTable& table);
/// Its lines without the header.
[[nodiscard]] std::string csv_rows(const ReportTable& table);
/// Aligned for a terminal, the same whatever its width: the columns that are read first, with names shortened
/// for lines of 160 columns; all of these for lines of `any_width`; or `every` column. What all rows have in
/// common, what was measured for none, and what there is no room for, stands in a line below.
enum class TextColumns : std::uint8_t { main, any_width, every };
[[nodiscard]] std::string to_text(const ReportTable& table, TextColumns columns);
/// What to_text() shows.
struct ShownColumns {
    std::vector<std::size_t> columns;  ///< by their numbers, the first column among them
    std::vector<std::string> names;    ///< of the rows, shortened
    std::vector<std::string> below;    ///< sentences about the others
};
[[nodiscard]] ShownColumns shown_columns(const ReportTable& table, TextColumns columns);
/// A GitHub table with shortened names, and what to_text() shows; with `every` the columns of files too.
/// Nothing in a name acts as markup.
[[nodiscard]] std::string to_markdown(const ReportTable& table, TextColumns columns);
/// The numbers with ceilings, provenance, warnings and options, for scripts
/// (`resources/schema/report.schema.json`). Of file paths only the last part is written.
[[nodiscard]] std::string to_report_json(const Profile& profile, const Analysis& analysis);

}  // namespace roofwalk
