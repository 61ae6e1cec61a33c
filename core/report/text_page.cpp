// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/report/text_width.h"

namespace roofwalk {

void TextPage::add(BlockKind kind, std::string text, std::string label, std::string detail) {
    if (!text.empty())
        blocks.push_back(
            {.kind = kind, .text = std::move(text), .label = std::move(label), .detail = std::move(detail)});
}

void TextPage::add(FactTable facts) {
    blocks.push_back({.kind = BlockKind::facts, .facts = std::move(facts)});
}

void TextPage::add(const TextPage& page) {
    blocks.insert(blocks.end(), page.blocks.begin(), page.blocks.end());
}

void TextPage::add_command(const std::vector<std::string>& before, std::string lead, std::string command) {
    for (const std::string& words : before)
        add(BlockKind::text, words);
    add(BlockKind::command, std::move(command), std::move(lead));
}

void TextPage::add_warnings(const std::vector<std::string>& warnings) {
    constexpr std::size_t most_told = 20;
    if (!warnings.empty()) add(BlockKind::heading, "Warnings");
    std::set<std::string_view> told;
    std::size_t beyond = 0;
    for (const std::string& warning : warnings) {
        if (told.contains(warning)) continue;
        if (told.size() == most_told) {
            ++beyond;
        } else {
            told.insert(warning);
            add(BlockKind::text, warning);
        }
    }
    if (beyond > 0) add(BlockKind::text, fmt::format("And more: {}", beyond));
}

namespace {

constexpr std::size_t widest_line = 100;
constexpr std::size_t narrowest_line = 40;

/// "the label: the text", or the text alone.
std::string labelled(const TextBlock& block) {
    return block.label.empty() ? block.text : block.label + ": " + block.text;
}

/// Facts as a list, where there are no columns: "HBM: 3.10 GB at 1.55 TB/s, 2.00 ms, 40.0 %".
std::vector<TextBlock> as_items(const FactTable& facts) {
    std::vector<TextBlock> items;
    for (const FactRow& row : facts.rows) {
        TextBlock& item = items.emplace_back(TextBlock{.kind = BlockKind::item});
        for (const FactCell& cell : row.cells) {
            std::string& to = &cell == &row.cells.front() ? item.label : item.text;
            to += (to.empty() || cell.text.empty() ? "" : ", ") + one_line(cell.text);
        }
    }
    return items;
}

/// Blocks as paragraphs that are broken at the width of a terminal.
class TerminalPage {
  public:
    TerminalPage(const TextPage& page, std::size_t width)
        : page_(page), width_(width == 0 ? widest_line : std::clamp(width, narrowest_line, widest_line)) {
        for (const TextBlock& block : page.blocks)
            if (block.kind == BlockKind::step)
                step_width_ = std::max(step_width_, display_width(block.label));
    }

    [[nodiscard]] std::string write() {
        for (const TextBlock& block : page_.blocks)
            add(block);
        if (indent_ > 0) text_ += '\n';
        return std::move(text_);
    }

  private:
    void add(const TextBlock& block) {
        switch (block.kind) {
            case BlockKind::title:
                if (!text_.empty()) text_ += '\n';
                indent_ = 0;
                paragraph(0, block.label.empty() ? "" : block.label + ". ", block.text);
                indent_ = 2;
                break;
            case BlockKind::question:
                paragraph(0, "", block.label + " " + block.text);
                break;
            case BlockKind::entry:
                paragraph(0, block.label + ": ", block.text);
                break;
            case BlockKind::step:
                paragraph(2, fmt::format("{}:{:{}}", block.label, "", step_width_ - block.label.size() + 1),
                          block.text);
                break;
            case BlockKind::item:
            case BlockKind::minor_item:
                paragraph(2, "- ", labelled(block));
                break;
            case BlockKind::finding:
                paragraph(2, "* ", block.label + (block.detail.empty() ? "" : " [" + block.detail + "]"));
                paragraph(4, "", block.text);
                break;
            case BlockKind::figure:
                paragraph(4, "= ", block.text + ", " + block.detail);
                break;
            case BlockKind::source:
                paragraph(4, "", fmt::format("Rule {}: {}.", block.label, block.text));
                break;
            case BlockKind::facts:
                for (const TextBlock& item : as_items(block.facts))
                    add(item);
                break;
            case BlockKind::command:
                paragraph(0, "", block.label);
                text_ += "  " + block.text + '\n';
                break;
            case BlockKind::action:
            case BlockKind::input:
                break;
            default:
                paragraph(0, "", block.text);
        }
    }

    /// `head` stands in the first line before `text`; further lines begin below the text.
    void paragraph(std::size_t further, std::string_view head, std::string_view text) {
        std::string line = std::string(further, ' ').append(head);
        const std::size_t hanging = display_width(line);
        std::size_t used = hanging;
        bool first = true;
        const std::string clean = one_line(text);
        for (std::string_view rest = clean; !rest.empty();) {
            const std::string_view word = rest.substr(0, rest.find(' '));
            rest.remove_prefix(std::min(rest.size(), word.size() + 1));
            const std::size_t wide = display_width(word);
            if (!first && indent_ + used + 1 + wide > width_) {
                whole_line(std::move(line));
                line.assign(hanging, ' ');
                used = hanging;
                first = true;
            }
            if (!first) line += ' ';
            line += word;
            used += wide + (first ? 0 : 1);
            first = false;
        }
        whole_line(std::move(line));
    }

    void whole_line(std::string line) {
        line.erase(line.find_last_not_of(' ') + 1);
        if (!line.empty()) text_.append(indent_, ' ').append(line) += '\n';
    }

    const TextPage& page_;
    std::size_t width_;
    std::size_t step_width_ = 0;
    std::size_t indent_ = 0;
    std::string text_;
};

class MarkdownPage {
  public:
    [[nodiscard]] std::string write(const TextPage& page) {
        for (const TextBlock& block : page.blocks)
            add(block);
        if (!in_list_ && !text_.empty()) text_.pop_back();
        return std::move(text_);
    }

  private:
    void add(const TextBlock& block) {
        const std::string text = escape_markdown(block.text);
        switch (block.kind) {
            case BlockKind::title:
                return paragraph("## " + text);
            case BlockKind::section:
            case BlockKind::heading:
            case BlockKind::fold:
                return paragraph("### " + text);
            case BlockKind::entry:
                return paragraph(with_name(block.label, text));
            case BlockKind::question:
            case BlockKind::step:
            case BlockKind::item:
            case BlockKind::minor_item:
                return item("- " + with_name(block.label, text));
            case BlockKind::finding:
                return item(
                    "- " +
                    with_name(block.label + (block.detail.empty() ? "" : " (" + block.detail + ")"), text));
            case BlockKind::figure:
                return item(fmt::format("  - {}, `{}`", text, block.detail));
            case BlockKind::source:
                return item(fmt::format("  - rule `{}`: {}", block.label, block.text));
            case BlockKind::facts:
                for (const TextBlock& fact : as_items(block.facts))
                    add(fact);
                return;
            case BlockKind::command:
                paragraph(escape_markdown(block.label));
                return paragraph("    " + block.text);
            case BlockKind::action:
            case BlockKind::input:
                return;
            default:
                paragraph(text);
        }
    }

    static std::string with_name(const std::string& name, const std::string& text) {
        return name.empty() ? text : fmt::format("**{}**: {}", escape_markdown(name), text);
    }

    void paragraph(std::string_view text) {
        if (std::exchange(in_list_, false)) text_ += '\n';
        text_.append(text) += "\n\n";
    }

    void item(std::string_view text) {
        in_list_ = true;
        text_.append(text) += '\n';
    }

    std::string text_;
    bool in_list_ = false;
};

}  // namespace

std::string to_text(const TextPage& page, std::size_t width) {
    return TerminalPage(page, width).write();
}

std::string to_markdown(const TextPage& page) {
    return MarkdownPage().write(page);
}

}  // namespace roofwalk
