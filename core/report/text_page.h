// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roofwalk {

/// A cell of a small table. Where room is short the text is broken at its line feeds.
struct FactCell {
    std::string text;
    std::string note = {};  ///< where the figure comes from, or the whole of a shortened text
};

struct FactRow {
    std::vector<FactCell> cells;  ///< those missing at the end are empty
    bool strong = false;          ///< the row that decides
};

/// A small table: words in the first column, numbers in the others.
struct FactTable {
    std::vector<std::string> headers = {};  ///< may be empty
    std::vector<FactRow> rows = {};
    std::size_t wide_column = 0;  ///< takes the room that is left, and gives way first; words too
};

enum class BlockKind : std::uint8_t {
    title,       ///< what the page, or what follows in it, is about; `label` is its number
    section,     ///< a heading over findings or items
    heading,     ///< over texts, facts and a command
    fold,        ///< a heading over what the window shows on demand, up to the next; `label` is its id
    text,        ///< a sentence or several
    note,        ///< the same, of less weight
    question,    ///< `label`, and the answer
    entry,       ///< a text with a name, which is the `label`
    step,        ///< what to do: `label` is "First" or "Then"
    item,        ///< of a list; `label` may be its beginning
    minor_item,  ///< the same, of less weight
    finding,     ///< `label` is the cause, `detail` what removing it is worth
    figure,      ///< what a finding rests on; `detail` is the metric
    source,      ///< of a finding; `label` is the rule
    facts,
    command,  ///< to be copied and run as it stands; `label` says what for
    action,   ///< of the window alone: a button; `label` tells which, `detail` is told on demand
    input,    ///< of the window alone: a line to type in, which begins with `text`; `detail` is an example
};

/// The action of any page that puts its `detail` on the clipboard.
inline constexpr std::string_view copy_detail_action = "copy_detail";

/// One block of a page. Names from files stand in it as they are: who shows it keeps them plain.
struct TextBlock {
    BlockKind kind = BlockKind::text;
    std::string text = {};
    std::string label = {};
    std::string detail = {};
    FactTable facts = {};  ///< of BlockKind::facts
};

/// What is said of a kernel, of several or of all, block after block: made once, and shown by the window, a
/// terminal and Markdown each in its own way.
struct TextPage {
    std::vector<TextBlock> blocks = {};
    std::string subject = {};  ///< what it is about: a later page on the same is read on from where one was

    /// Nothing where `text` is empty.
    void add(BlockKind kind, std::string text, std::string label = {}, std::string detail = {});
    void add(FactTable facts);
    void add(const TextPage& page);
    /// What to know before a command, then the command under its `lead`; where it is empty only the former.
    void add_command(const std::vector<std::string>& before, std::string lead, std::string command);
    /// Equal ones once; a last line counts those beyond a few.
    void add_warnings(const std::vector<std::string>& warnings);
};

/// For a terminal of `width` columns; lines are broken at 100 columns where the width is 0 or larger. A
/// command stays on one line, however long it is. What belongs to a title is indented; facts are a list.
[[nodiscard]] std::string to_text(const TextPage& page, std::size_t width);
/// Titles are headings of the second level; facts are a list. Nothing in a name acts as markup.
[[nodiscard]] std::string to_markdown(const TextPage& page);

}  // namespace roofwalk
