// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/report/report_table.h"
#include "core/report/text_page.h"
#include "core/workspace/workspace_result.h"

namespace roofwalk {

struct LessonChoice {
    std::string text;
    double answer = 0;  ///< what the figure of the lesson would be
};

/// A question about a bundled session that a place on the chart, a selection or a choice answers. Texts of
/// the explanation hold figures as "{time of gemv}", or "{new time of gemv}" as the scenario leaves it: a
/// column of the reports, and a kernel.
struct Lesson {
    std::string title;
    std::string session;  ///< in its own folder; absolute after read_lessons()
    std::string question;
    std::string task;              ///< what to do to answer it
    std::string kernel;            ///< whose figure answers; empty: of the one that is selected
    std::string figure;            ///< the column of the reports that it stands in
    std::optional<double> answer;  ///< in base units; absent with choices
    double tolerance = 0;          ///< relative
    std::vector<LessonChoice> choices;
    std::string hint;  ///< after a choice that is wrong
    std::vector<std::string> explanation;
};

/// A document of `resources/lessons`; `where` stands for the file in messages. Errors: bad_json, bad_schema,
/// unsupported_version, too_large (64 MiB).
[[nodiscard]] Result<Lesson> read_lesson(std::string_view text, const std::string& where);
/// Every `.lesson.json` of a folder by its name. Errors: those of read_lesson() and of MappedFile::open();
/// file_not_found where there is none.
[[nodiscard]] Result<std::vector<Lesson>> read_lessons(const std::filesystem::path& folder);

/// What a reader has done of the lessons.
struct LessonProgress {
    std::optional<std::size_t> lesson;  ///< under way; absent: they are listed
    std::optional<std::size_t> choice;  ///< made last
    std::optional<double> begun_at;     ///< figure_of() when its session arrived
    bool tried = false;                 ///< it was another since
    std::set<std::size_t> answered;
};

/// The figure of the lesson in what is open, its session: in base units, and as it stands in a table. A dot
/// counts where the scenario leaves it. Absent while no kernel is selected that has one.
[[nodiscard]] std::optional<ReportCell> figure_of(const Lesson& lesson, const WorkspaceResult& result,
                                                  std::optional<std::uint32_t> selected);
/// Whether that, or a choice, answers it.
[[nodiscard]] bool answers(const Lesson& lesson, const std::optional<ReportCell>& figure,
                           std::optional<std::size_t> choice);

/// The list of lessons, or the one under way: its question, how far `figure` is from its answer once it was
/// tried, and once it is answered its explanation. `open` is null while another session than that of the
/// lesson is open. Actions: "lesson_2" begins the third,
/// "choice_0" is the first choice, "lessons" the list.
[[nodiscard]] TextPage lessons_page(const std::vector<Lesson>& lessons, const LessonProgress& progress,
                                    const WorkspaceResult* open, const std::optional<ReportCell>& figure);

}  // namespace roofwalk
