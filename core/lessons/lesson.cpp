// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "core/base/json_decoder.h"
#include "core/base/mapped_file.h"
#include "core/base/text.h"
#include "core/lessons/six_steps.h"
#include "core/report/kernel_filter.h"

namespace roofwalk {

namespace {

constexpr std::string_view lesson_format = "roofwalk-lesson";
constexpr std::uint32_t lesson_version = 1;
constexpr std::string_view lesson_suffix = ".lesson.json";
constexpr std::string_view moved_mark = "new ";
constexpr std::string_view of_kernel = " of ";

struct LessonDocument {
    Lesson lesson;
    std::string format;
    std::uint32_t version = 0;
};

const KernelColumn* column_of_figure(std::string_view id) {
    const auto& columns = filter_columns();
    const auto column =
        std::ranges::find(columns, id, [](const KernelColumn& each) { return each.column.id; });
    return column == columns.end() ? nullptr : &*column;
}

/// As the scenario leaves it, or as measured; else of an older report.
const KernelPoint* kernel_named(const WorkspaceResult& result, std::string_view name, bool moved) {
    std::vector<std::shared_ptr<const Analysis>> analyses{moved ? result.drawn() : result.analysis};
    if (result.comparison)
        analyses.insert(analyses.end(), result.comparison->analyses.begin(),
                        result.comparison->analyses.end());
    for (const auto& analysis : analyses) {
        const auto point = std::ranges::find(analysis->points, name, &KernelPoint::name);
        if (point != analysis->points.end()) return &*point;
    }
    return nullptr;
}

/// "time of gemv" as it stands in a table.
std::string figure_text(std::string_view figure, const WorkspaceResult& result) {
    const bool moved = figure.starts_with(moved_mark);
    if (moved) figure.remove_prefix(moved_mark.size());
    const std::size_t of = figure.find(of_kernel);
    if (of == std::string_view::npos) return {};
    const KernelColumn* column = column_of_figure(figure.substr(0, of));
    const KernelPoint* point = kernel_named(result, figure.substr(of + of_kernel.size()), moved);
    return column && point ? column->cell(*point).text : std::string();
}

/// A text with its figures; one that is not known stays as it stands.
std::string with_figures(std::string_view text, const WorkspaceResult& result) {
    std::string filled;
    while (!text.empty()) {
        const std::size_t begin = std::min(text.find('{'), text.size());
        filled += text.substr(0, begin);
        text.remove_prefix(begin);
        const std::size_t end = std::min(text.find('}'), text.size());
        const std::string figure = end == text.size() ? "" : figure_text(text.substr(1, end - 1), result);
        filled += figure.empty() ? std::string(text.substr(0, end + 1)) : figure;
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return filled;
}

void add_list(TextPage& page, const std::vector<Lesson>& lessons, const LessonProgress& progress) {
    page.add(BlockKind::title, "Lessons");
    page.add(BlockKind::note, "Each opens a small session, modelled and not measured, and asks a question.");
    for (std::size_t i = 0; i < lessons.size(); ++i)
        add(page, {fmt::format("{}. {}", i + 1, lessons[i].title),
                   progress.answered.contains(i) ? ItemState::done : ItemState::to_do, lessons[i].question,
                   fmt::format("lesson_{}", i), "Begin"});
}

/// How far from the answer; a choice has its hint.
void add_try(TextPage& page, const Lesson& lesson, const LessonProgress& progress,
             const std::optional<ReportCell>& figure, const WorkspaceResult& result) {
    if (progress.choice)
        page.add(BlockKind::text,
                 fmt::format("Not {}. {}", lesson.choices[*progress.choice].text, lesson.hint));
    if (!lesson.answer || !progress.tried || !figure) return;
    const double ratio = *figure->number / *lesson.answer;
    const auto columns = point_columns(result.analysis->options);
    const auto same = [&](const KernelColumn& each) { return each.column.id == lesson.figure; };
    page.add(BlockKind::text,
             fmt::format(
                 "Not yet: {} is {}, {}.", std::ranges::find_if(columns, same)->column.title, figure->text,
                 ratio < 1 ? format_factor(1 / ratio) + " too small" : format_factor(ratio) + " too large"));
}

void add_answer(TextPage& page, const Lesson& lesson, const WorkspaceResult& result) {
    page.add(BlockKind::section, "Correct");
    for (const std::string& text : lesson.explanation)
        page.add(BlockKind::text, with_figures(text, result));
}

}  // namespace

void each_field(auto& field, LessonChoice& choice) {
    field("text", choice.text);
    field("is", choice.answer);
}

void each_field(auto& field, LessonDocument& document) {
    Lesson& lesson = document.lesson;
    field("format", document.format);
    field("version", document.version);
    field("title", lesson.title);
    field("session", lesson.session);
    field("question", lesson.question);
    field("task", lesson.task);
    field("kernel", lesson.kernel);
    field("figure", lesson.figure);
    field("is", lesson.answer);
    field("tolerance", lesson.tolerance);
    field("choices", lesson.choices);
    field("hint", lesson.hint);
    field("explanation", lesson.explanation);
}

static bool read_json(const JsonValue& value, LessonDocument& target) {
    if (!read_object(value, target)) return false;
    const Lesson& lesson = target.lesson;
    if (target.format != lesson_format) return value.fail("This JSON is no lesson");
    if (target.version != lesson_version)
        return value.fail_member("version", "The lesson is of a version that is not known here", {},
                                 ErrorCode::unsupported_version);
    if (lesson.title.empty() || lesson.question.empty() || lesson.explanation.empty())
        return value.fail("A lesson has a title, a question and an explanation");
    if (lesson.session.empty() || lesson.session.find('/') != std::string::npos)
        return value.fail_member("session", "A session in the folder of the lesson is expected here");
    if (!column_of_figure(lesson.figure))
        return value.fail_member("figure", "This is no column of the reports");
    if (lesson.answer.has_value() != lesson.choices.empty())
        return value.fail("A lesson has either a figure that answers it or choices");
    return lesson.tolerance > 0 || value.fail_member("tolerance", "A share above 0 is expected here");
}

Result<Lesson> read_lesson(std::string_view text, const std::string& where) {
    return read_json_document<LessonDocument>(text, "lesson", where).map([](LessonDocument document) {
        return std::move(document.lesson);
    });
}

Result<std::vector<Lesson>> read_lessons(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none))
        if (entry.path().filename().string().ends_with(lesson_suffix)) files.push_back(entry.path());
    std::ranges::sort(files);
    if (files.empty()) return unexpected(ErrorCode::file_not_found, "There are no lessons", folder.string());
    std::vector<Lesson> lessons;
    for (const std::filesystem::path& file : files) {
        const auto lesson = MappedFile::open(file).and_then(
            [&](const MappedFile& content) { return read_lesson(content.text(), file.string()); });
        if (!lesson) return tl::unexpected(lesson.error());
        lessons.push_back(*lesson);
        lessons.back().session = (folder / lesson->session).string();
    }
    return lessons;
}

std::optional<ReportCell> figure_of(const Lesson& lesson, const WorkspaceResult& result,
                                    std::optional<std::uint32_t> selected) {
    if (!result.analysis) return std::nullopt;
    const KernelPoint* point = nullptr;
    if (!lesson.kernel.empty())
        point = kernel_named(result, lesson.kernel, lesson.choices.empty());
    else if (selected)
        point = &result.drawn()->points[*selected];
    if (!point) return std::nullopt;
    ReportCell figure = column_of_figure(lesson.figure)->cell(*point);
    return figure.number ? std::optional(std::move(figure)) : std::nullopt;
}

bool answers(const Lesson& lesson, const std::optional<ReportCell>& figure,
             std::optional<std::size_t> choice) {
    const std::optional<double> expected = lesson.answer ? lesson.answer
                                           : choice      ? std::optional(lesson.choices[*choice].answer)
                                                         : std::nullopt;
    return expected && figure && std::abs(*figure->number / *expected - 1) <= lesson.tolerance;
}

TextPage lessons_page(const std::vector<Lesson>& lessons, const LessonProgress& progress,
                      const WorkspaceResult* open, const std::optional<ReportCell>& figure) {
    TextPage page;
    if (!progress.lesson) {
        add_list(page, lessons, progress);
        return page;
    }
    const std::size_t number = *progress.lesson;
    const Lesson& lesson = lessons[number];
    const bool answered = progress.answered.contains(number);
    page.subject = fmt::format("{} {}", lesson.title, answered);
    page.add(BlockKind::note,
             fmt::format("Lesson {} of {}; its figures are modelled", number + 1, lessons.size()));
    page.add(BlockKind::title, lesson.title);
    page.add(BlockKind::text, lesson.question);
    if (!answered) page.add(BlockKind::question, lesson.task, "What to do");
    if (open && !answered)
        for (std::size_t i = 0; i < lesson.choices.size(); ++i)
            page.add(BlockKind::action, lesson.choices[i].text, fmt::format("choice_{}", i));
    if (open && !answered) add_try(page, lesson, progress, figure, *open);
    const auto begin = [&](std::size_t which, const char* text) {
        if (which < lessons.size()) page.add(BlockKind::action, text, fmt::format("lesson_{}", which));
    };
    if (open && answered) {
        begin(number + 1, "Next lesson");  // in sight, however long the explanation is
        add_answer(page, lesson, *open);
    }
    if (!open) page.add(BlockKind::text, "The session of this lesson is not open.");
    page.add(BlockKind::heading, " ");
    if (!(open && answered)) begin(number + 1, "Next lesson");
    begin(number - 1, "Previous lesson");
    begin(number, open ? "Begin again" : "Open it");
    page.add(BlockKind::action, "All lessons", "lessons");
    return page;
}

}  // namespace roofwalk
