// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text_page.h"

#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_text_page {

using namespace roofwalk;

namespace {

/// One block of every kind, about a kernel with an awkward name.
TextPage every_kind() {
    TextPage page;
    page.add(BlockKind::title, "evil<\"*\x1b[31m*\">", "1");
    page.add(BlockKind::text, "A sentence.");
    page.add(BlockKind::note, "A note.");
    page.add(BlockKind::question, "Right.", "Left or right?");
    page.add(BlockKind::entry, "L2 binds.", "Levels");
    page.add(BlockKind::step, "this", "First");
    page.add(BlockKind::step, "that", "Then");
    page.add(BlockKind::section, "Causes");
    page.add(BlockKind::finding, "Why.", "Too few", "up to 2x");
    page.add(BlockKind::figure, "few: 1", {}, "metric__a.sum");
    page.add(BlockKind::source, "a book", "too_few");
    page.add(BlockKind::item, "needs b", "Other");
    page.add(BlockKind::minor_item, "c is 1", "Neither");
    page.add(BlockKind::heading, "Bounds");
    page.add(FactTable{.headers = {"", "Bytes", "Least\ntime"},
                       .rows = {{{{"HBM"}, {"2 B\nat 2 B/s"}, {"1 s", "typed"}}}, {{{"L2"}, {"–"}}}}});
    page.add_command({"First this."}, "Run:", "ncu a b");
    page.add(BlockKind::action, "Change…", "change");
    page.add(BlockKind::input, "gemm m=", "Name it", "gemm m=1");
    return page;
}

}  // namespace

class TestTextPage : public QObject {
    Q_OBJECT

  private slots:
    void text_indents_what_belongs_to_a_title() {
        QCOMPARE(to_text(every_kind(), 0), std::string("1. evil<\"* [31m*\">\n"
                                                       "  A sentence.\n"
                                                       "  A note.\n"
                                                       "  Left or right? Right.\n"
                                                       "  Levels: L2 binds.\n"
                                                       "    First: this\n"
                                                       "    Then:  that\n"
                                                       "  Causes\n"
                                                       "    * Too few [up to 2x]\n"
                                                       "      Why.\n"
                                                       "      = few: 1, metric__a.sum\n"
                                                       "      Rule too_few: a book.\n"
                                                       "    - Other: needs b\n"
                                                       "    - Neither: c is 1\n"
                                                       "  Bounds\n"
                                                       "    - HBM: 2 B at 2 B/s, 1 s\n"
                                                       "    - L2: –\n"
                                                       "  First this.\n"
                                                       "  Run:\n"
                                                       "  ncu a b\n\n"));
    }
    void markdown_escapes_words_and_ends_lists() {
        QCOMPARE(to_markdown(every_kind()), std::string("## evil\\<\"\\* \\[31m\\*\"\\>\n\n"
                                                        "A sentence.\n\n"
                                                        "A note.\n\n"
                                                        "- **Left or right?**: Right.\n\n"
                                                        "**Levels**: L2 binds.\n\n"
                                                        "- **First**: this\n"
                                                        "- **Then**: that\n\n"
                                                        "### Causes\n\n"
                                                        "- **Too few (up to 2x)**: Why.\n"
                                                        "  - few: 1, `metric__a.sum`\n"
                                                        "  - rule `too_few`: a book\n"
                                                        "- **Other**: needs b\n"
                                                        "- **Neither**: c is 1\n\n"
                                                        "### Bounds\n\n"
                                                        "- **HBM**: 2 B at 2 B/s, 1 s\n"
                                                        "- **L2**: –\n\n"
                                                        "First this.\n\n"
                                                        "Run:\n\n"
                                                        "    ncu a b\n"));
    }
    void lines_are_broken_at_the_width_and_below_their_text() {
        TextPage page;
        page.add(BlockKind::item, "some words that take more than forty columns of a line", "Why");
        QCOMPARE(to_text(page, 20), to_text(page, 40));
        QCOMPARE(to_text(page, 40), std::string("  - Why: some words that take more than\n"
                                                "    forty columns of a line\n"));
    }
    void warnings_are_told_once_and_counted_beyond_a_few() {
        TextPage page;
        std::vector<std::string> warnings{"twice", "twice"};
        for (int i = 0; i < 24; ++i)
            warnings.push_back("w" + std::to_string(i));
        page.add_warnings(warnings);
        QCOMPARE(page.blocks.size(), std::size_t{22});
        QVERIFY(page.blocks.back().text.ends_with(": 5"));
    }
    void nothing_is_no_block() {
        TextPage page;
        page.add(BlockKind::text, "");
        page.add_command({}, "Run:", "");
        QVERIFY(page.blocks.empty());
        QVERIFY(to_text(page, 0).empty() && to_markdown(page).empty());
    }
};

}  // namespace tst_text_page

ROOFWALK_TEST(tst_text_page, TestTextPage, NoApplication)
#include "tst_text_page.moc"
