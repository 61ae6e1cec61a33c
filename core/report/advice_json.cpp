// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/advice/guide.h"
#include "core/report/advice_report.h"
#include "core/report/json_text.h"
#include "core/roofline/missing.h"
#include "core/roofline/summary.h"

namespace roofwalk {

namespace {

void write_thresholds(JsonText& json, const AdviceThresholds& thresholds) {
    json.key("thresholds");
    json.begin_object();
    for (const ThresholdSpec& spec : advice_threshold_specs())
        json.member(spec.id, thresholds.*(spec.member));
    json.end_object();
}

void write_position(JsonText& json, const KernelAdvice& advice, const KernelPoint& point,
                    const PracticalLimits& limits) {
    json.key("position");
    if (!advice.position) return json.null();
    const KernelGuide guide = guide_of(advice, point, limits);
    json.begin_object();
    json.member("id", id_of(*advice.position));
    json.member("title", guide.title);
    json.member("symptom", guide.symptom);
    json.member("meaning", guide.meaning);
    json.member("primary", guide.primary);
    json.member("secondary", guide.secondary);
    json.end_object();
}

void write_answers(JsonText& json, std::span<const Answer> answers) {
    json.key("questions");
    json.begin_array();
    for (const Answer& answer : answers) {
        json.begin_object();
        json.member("id", answer.id);
        json.member("question", answer.question);
        json.member("answer", answer.answer);
        json.key("figures");
        json.begin_array();
        for (const AnswerFigure& figure : answer.figures) {
            json.begin_object();
            json.member("id", figure.id);
            json.member("value", figure.value);
            json.member("unit", figure.unit);
            json.end_object();
        }
        json.end_array();
        json.end_object();
    }
    json.end_array();
}

void write_levels(JsonText& json, const KernelPoint& point, std::span<const LevelReuse> reuse) {
    json.key("levels");
    json.begin_object();
    json.member("reuse_sentence", reuse_sentence(point));
    json.member("binding_sentence", binding_sentence(point));
    json.key("reuse");
    json.begin_array();
    for (const LevelReuse& level : reuse) {
        json.begin_object();
        json.member("from", id_of(level.from));
        json.member("level", id_of(level.level));
        json.member("factor", level.factor);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

void write_evidence(JsonText& json, const AdviceEvidence& evidence) {
    json.begin_object();
    json.member("label", evidence.label);
    json.member("metric", evidence.metric);
    json.member("value", evidence.value);
    json.member("unit", evidence.unit);
    json.key("threshold");
    evidence.threshold ? json.value(*evidence.threshold) : json.null();
    json.end_object();
}

void write_missing(JsonText& json, const MissingEvidence& missing) {
    json.begin_object();
    json.member("label", missing.label);
    json.member("metric", missing.metric);
    json.member("option", missing.option);
    json.end_object();
}

void write_advice(JsonText& json, const Advice& advice) {
    json.begin_object();
    json.member("rule", advice.id);
    json.member("list", id_of(advice.list));
    json.member("axis", id_of(advice.axis));
    json.member("title", advice.title);
    json.member("text", advice.text);
    json.member("source", advice.source);
    json.key("evidence");
    json.begin_array();
    for (const AdviceEvidence& evidence : advice.evidence)
        write_evidence(json, evidence);
    json.end_array();
    json.key("worth");
    if (advice.worth) {
        json.begin_object();
        json.member("factor", advice.worth->factor);
        json.member("of", advice.worth->of);
        json.end_object();
    } else {
        json.null();
    }
    json.key("missing");
    json.begin_array();
    for (const MissingEvidence& missing : advice.missing)
        write_missing(json, missing);
    json.end_array();
    json.end_object();
}

void write_list(JsonText& json, std::string_view key, std::span<const Advice> list) {
    json.next_line();
    json.key(key);
    json.begin_array();
    for (const Advice& advice : list)
        write_advice(json, advice);
    json.end_array();
}

void write_kernel(JsonText& json, const AdvisedKernel& kernel, const Profile& profile,
                  const Analysis& analysis) {
    const KernelPoint& point = analysis.points[kernel.point];
    json.begin_object();
    json.member("name", point.name);
    json.member("device", device_of(profile, point, analysis).name);
    json.member("launches", point.launches);
    json.member("time_s", point.time);
    json.key("time_share");
    point.time ? json.value(point.time_share) : json.null();
    json.member("class", id_of(point.verdict.kernel_class));
    json.member("sentence", sentence(point));
    json.member("rule", rule_text(point, analysis.options.thresholds));
    write_answers(json, kernel.answers);
    write_levels(json, point, kernel.reuse);
    write_position(json, kernel.advice, point, analysis.options.practical_limits);
    json.key("above_roof");
    json.begin_array();
    for (const std::string& cause : above_roof_causes(point))
        json.value(cause);
    json.end_array();
    write_list(json, "warnings", kernel.advice.warnings);
    write_list(json, "indicated", kernel.advice.indicated);
    write_list(json, "not_measured", kernel.advice.not_measured);
    write_list(json, "ruled_out", kernel.advice.ruled_out);
    json.member("collect", fmt::format("{}", fmt::join(options_to_collect(kernel.advice), " ")));
    json.end_object();
}

}  // namespace

std::string to_json(const AdviceReport& report, const Profile& profile, const Analysis& analysis) {
    JsonText json;
    json.begin_object();
    json.next_line();
    json.member("format", "roofwalk-advice");
    json.member("version", 1U);
    json.next_line();
    json.member("summary", session_sentence(analysis));
    json.key("partial");
    if (report.partial.empty())
        json.null();
    else
        json.value(report.partial);
    json.next_line();
    write_thresholds(json, report.thresholds);
    json.next_line();
    json.key("kernels");
    json.begin_array();
    for (const AdvisedKernel& kernel : report.kernels) {
        json.next_line();
        write_kernel(json, kernel, profile, analysis);
    }
    json.end_array();
    json.next_line();
    json.key("before_collecting");
    json.begin_array();
    for (const std::string& sentence : report.before_collecting)
        json.value(sentence);
    json.end_array();
    json.next_line();
    json.member("command", report.command);
    json.next_line();
    json.end_object();
    json.end_line();
    return json.take();
}

}  // namespace roofwalk
