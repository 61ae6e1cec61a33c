// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include "app/cli/console.h"
#include "core/base/text.h"
#include "core/report/report_table.h"

namespace roofwalk::cli {

namespace {

std::vector<std::filesystem::path>& files_read() {
    static std::vector<std::filesystem::path> files;
    return files;
}

/// Of formats, this command's or another's; another ending, as of x.log and x.v1.2, is a part of a name.
constexpr std::array known_suffixes{".csv",     ".gz",       ".htm", ".html", ".json", ".jsonl",    ".md",
                                    ".ncu-rep", ".ncu-repz", ".ods", ".pdf",  ".png",  ".roofwalk", ".sqlite",
                                    ".svg",     ".tsv",      ".xls", ".xlsx", ".xml",  ".yaml",     ".zst"};

/// Standard input may be a file too.
std::filesystem::path read_from(const std::string& input) {
    return input == "-" ? "/proc/self/fd/0" : input;
}

}  // namespace

void add_table_output(CLI::App& verb, TableOutput& options) {
    add_output_options(verb, options.format, options.output, {"table", "json", "csv", "markdown"});
    verb.add_flag("--wide", options.wide,
                  "every column in the table or in markdown; csv and json have them all");
}

void add_output_options(CLI::App& verb, std::string& format, std::string& output,
                        const std::vector<std::string>& formats) {
    format = formats.front();
    const CLI::Option* const asked =
        verb.add_option("--format", format, "how it is written; without it as the file to write is called")
            ->check(CLI::IsMember(formats))
            ->capture_default_str();
    verb.add_option("-o,--output", output, "file to write, - for stdout")
        ->type_name("FILE")
        ->capture_default_str();
    verb.parse_complete_callback([asked, formats, &format, &output] {
        const std::string suffix = suffix_of(output);
        if (!asked->empty() || std::ranges::find(known_suffixes, suffix) == known_suffixes.end()) return;
        std::string known = ".txt";
        for (const std::string& each : std::span(formats).subspan(1)) {
            const std::string its = each == "markdown" ? ".md" : "." + each;
            known += ", " + its;
            if (suffix == its) format = each;
        }
        if (format == formats.front())
            throw CLI::ValidationError(
                "--output", "without --format a file is written as " + known + ", not as " + suffix);
    });
}

std::string suffix_of(const std::string& file) {
    const std::string suffix = lower_case(std::filesystem::path(file).extension().native());
    return suffix == "." ? "" : suffix;
}

bool is_on_terminal(const std::string& output) {
    return output == "-" && terminal_width() > 0;
}

std::string as_text(const ReportTable& table, const TableOutput& options) {
    if (options.format == "csv") return to_csv(table);
    const bool is_markdown = options.format == "markdown";
    const TextColumns those_read_first =
        !is_markdown && is_on_terminal(options.output) ? TextColumns::main : TextColumns::any_width;
    const TextColumns columns = options.wide ? TextColumns::every : those_read_first;
    return is_markdown ? to_markdown(table, columns) : to_text(table, columns);
}

void keep_from_output(const std::string& input) {
    files_read().push_back(read_from(input));
}

void let_output_replace(const std::string& input) {
    std::erase(files_read(), read_from(input));
}

Result<void> write_output(const std::string& target, std::string_view text) {
    return write_output(target, [text](const WritePart& write) { return write(text); });
}

Result<void> write_output(const std::string& target, const Content& content) {
    constexpr std::string_view failure = "The output could not be written";
    if (target == "-") return write_into(STDOUT_FILENO, content, "standard output", failure);
    return refuse_to_replace(target, files_read()).and_then([&] {
        return write_file(target, content, failure);
    });
}

Result<void> write_words(const std::string& target, std::string_view text) {
    return write_output(target, printable_lines(text));
}

}  // namespace roofwalk::cli
