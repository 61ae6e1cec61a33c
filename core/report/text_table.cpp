// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/report/report_table.h"
#include "core/report/text_width.h"

namespace roofwalk {

namespace {

constexpr std::string_view gutter = "  ";
constexpr std::size_t line_width = 160;
constexpr std::size_t narrowest_name = 16;
constexpr std::size_t widest_name = 60;
constexpr std::size_t widest_context = 24;

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::size_t used = display_width(text);
    const std::string space(width > used ? width - used : 0, ' ');
    return right ? space + text : text + space;
}

/// The name in at most `width` terminal columns.
std::string fitted_name(const std::string& name, const SimilarNames& names, std::size_t width) {
    std::string shown = names.shortened(name, width);
    std::size_t chars = width;
    for (std::size_t used = display_width(shown); used > width && chars > 1; used = display_width(shown)) {
        constexpr std::size_t widest_character = 2;
        const std::size_t less = (used - width + widest_character - 1) / widest_character;
        chars -= std::min(less, chars - 1);
        shown = names.shortened(name, chars);
    }
    return shown;
}

/// What all rows say which say anything; nothing where two differ or none does.
const ReportCell* common_cell(const ReportTable& table, std::size_t column) {
    const ReportCell* common = nullptr;
    for (const auto& row : table.rows) {
        const ReportCell& cell = row[column];
        if (!cell.known || !cell.applies) continue;
        if (common && common->text != cell.text) return nullptr;
        common = &cell;
    }
    return common;
}

bool measured_somewhere(const ReportTable& table, std::size_t column) {
    return table.rows.empty() ||
           std::ranges::any_of(table.rows, [&](const auto& row) { return row[column].known; });
}

void add_to_list(std::string& list, std::string_view first, const std::string& item) {
    list += list.empty() ? first : ", ";
    list += item;
}

/// A table of words, ready to be aligned.
class Layout {
  public:
    Layout(const ReportTable& table, TextColumns columns) : table_(table) {
        for (std::size_t i = 1; i < table.columns.size(); ++i)
            place(i, columns);
        if (columns == TextColumns::main) leave_out_for_room();
        const bool fits = line_width >= others_ + narrowest_name;
        const bool limited = columns == TextColumns::main || (columns == TextColumns::any_width && fits);
        const std::size_t room = fits ? line_width - others_ : narrowest_name;
        fit_names(limited ? std::min(room, widest_name) : widest_name);
    }

    [[nodiscard]] std::string text() const {
        std::string text = line([](const ReportColumn& column) { return column.title; });
        if (has_units_) text += line([](const ReportColumn& column) { return column.shown_unit; });
        for (std::size_t row = 0; row < names_.size(); ++row)
            text += row_line(row);
        const std::vector<std::string> below = sentences();
        if (!below.empty()) text += '\n';
        for (const std::string& sentence : below)
            text += sentence + '\n';
        if (!table_.note.empty()) text += '\n' + one_line(table_.note) + '\n';
        return text;
    }

    [[nodiscard]] ShownColumns shown() const {
        ShownColumns all{{0}, names_, sentences()};
        for (const Shown& shown : shown_)
            all.columns.push_back(shown.column);
        return all;
    }

  private:
    [[nodiscard]] std::vector<std::string> sentences() const {
        std::vector<std::string> below;
        for (const std::string& list : {common_, not_measured_, left_out_})
            if (!list.empty()) below.push_back(list + ".");
        return below;
    }

    struct Shown {
        std::size_t column = 0;
        std::size_t width = 0;
        std::unordered_map<std::string_view, std::string> brief = {};  ///< of texts that are kept short
    };

    void place(std::size_t column, TextColumns columns) {
        const ReportColumn& head = table_.columns[column];
        const bool is_main = columns != TextColumns::every;
        const bool is_context = head.place == ColumnPlace::context;
        if (head.place == ColumnPlace::files_only || (head.place == ColumnPlace::detail && is_main)) return;
        if (!measured_somewhere(table_, column)) {
            if (!is_context) add_to_list(not_measured_, "Not measured: ", head.title);
            return;
        }
        if (is_context || (is_main && head.gives_way > 0 && has_no_figure(column)))
            if (const ReportCell* cell = common_cell(table_, column))
                return add_to_list(common_, "All rows: ",
                                   head.title + " = " + one_line(cell->text) +
                                       (cell->number && !head.unit.empty() ? ' ' + head.shown_unit : "") +
                                       (is_context || known_in_all_rows(column) ? "" : " or not measured"));
        show(column, is_main && is_context && !head.numeric());
    }

    /// Neither a number other than 0 nor words that tell rows apart.
    [[nodiscard]] bool has_no_figure(std::size_t column) const {
        return std::ranges::none_of(table_.rows,
                                    [&](const auto& row) { return row[column].number.value_or(0) != 0; });
    }

    [[nodiscard]] bool known_in_all_rows(std::size_t column) const {
        return std::ranges::all_of(table_.rows, [&](const auto& row) { return row[column].known; });
    }

    void show(std::size_t column, bool brief) {
        const ReportColumn& head = table_.columns[column];
        Shown shown{column, std::max(display_width(head.title), display_width(head.shown_unit))};
        std::vector<std::string_view> texts;
        for (std::size_t row = 0; brief && row < table_.rows.size(); ++row)
            texts.emplace_back(table_.rows[row][column].text);
        shown.brief = cut_apart(texts, widest_context);
        for (std::size_t row = 0; row < table_.rows.size(); ++row)
            shown.width = std::max(shown.width, display_width(words(shown, row)));
        others_ += gutter.size() + shown.width;
        has_units_ = has_units_ || !head.shown_unit.empty();
        shown_.push_back(std::move(shown));
    }

    [[nodiscard]] std::string words(const Shown& shown, std::size_t row) const {
        const std::string& text = table_.rows[row][shown.column].text;
        const auto brief = shown.brief.find(text);
        return one_line(brief == shown.brief.end() ? text : brief->second);
    }

    void leave_out_for_room() {
        const auto never_last = [&](const Shown& shown) {
            return table_.columns[shown.column].gives_way - 1U;
        };
        while (!shown_.empty() && others_ + narrowest_name > line_width) {
            const auto first = std::ranges::min_element(shown_, {}, never_last);
            const ReportColumn& head = table_.columns[first->column];
            if (head.gives_way == 0) return;
            add_to_list(left_out_, "No room for: ", head.title);
            others_ -= gutter.size() + first->width;
            shown_.erase(first);
        }
    }

    void fit_names(std::size_t width) {
        name_width_ = display_width(table_.columns.front().title);
        std::vector<std::string> whole;  // one_line() of each row
        for (const auto& row : table_.rows)
            whole.push_back(one_line(row.front().text));
        const SimilarNames similar({whole.begin(), whole.end()});
        std::unordered_map<std::string_view, std::string> fitted;  // many launches have one name
        for (const std::string& name : whole) {
            const auto [known, is_new] = fitted.try_emplace(name);
            if (is_new) known->second = fitted_name(name, similar, width);
            name_width_ = std::max(name_width_, display_width(known->second));
            names_.push_back(known->second);
        }
    }

    static void end_line(std::string& text) {
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }

    template <class Words>
    [[nodiscard]] std::string line(Words words_of) const {
        std::string text = padded(words_of(table_.columns.front()), name_width_, false);
        for (const Shown& shown : shown_) {
            const ReportColumn& column = table_.columns[shown.column];
            text += gutter;
            text += padded(words_of(column), shown.width, column.numeric());
        }
        end_line(text);
        return text;
    }

    [[nodiscard]] std::string row_line(std::size_t row) const {
        std::string text = padded(names_[row], name_width_, false);
        for (const Shown& shown : shown_) {
            text += gutter;
            text += padded(words(shown, row), shown.width, table_.columns[shown.column].numeric());
        }
        end_line(text);
        return text;
    }

    const ReportTable& table_;
    std::vector<Shown> shown_;  ///< all but the names
    std::size_t others_ = 0;    ///< what they take of a line
    std::vector<std::string> names_;
    std::size_t name_width_ = 0;
    std::string common_;        ///< stands below the rows
    std::string not_measured_;  ///< of no row: stands below them too
    std::string left_out_;      ///< and so does this
    bool has_units_ = false;
};

}  // namespace

std::string to_text(const ReportTable& table, TextColumns columns) {
    return table.columns.empty() || table.rows.empty() ? std::string() : Layout(table, columns).text();
}

ShownColumns shown_columns(const ReportTable& table, TextColumns columns) {
    return table.columns.empty() ? ShownColumns() : Layout(table, columns).shown();
}

}  // namespace roofwalk
