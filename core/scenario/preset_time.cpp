// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/operations/op_model.h"
#include "core/roofline/utilisation.h"
#include "core/scenario/move_words.h"
#include "core/scenario/preset_rules.h"

namespace roofwalk::preset_rules {

namespace {

tl::unexpected<Error> no_roof(const PresetSubject& subject) {
    return not_applicable(subject, "Its roof is not known: time, work, bytes or a ceiling is missing",
                          "roofwalk-cli report names what to collect.");
}

/// The CUDA-core pipe with most work among those whose arithmetic tensor cores of a type can take over.
std::optional<Pipe> replaced_by(const PresetSubject& subject, PipeKind tensor) {
    const auto fits = [&](PipeKind kind) {
        if (tensor == PipeKind::tensor_fp64) return kind == PipeKind::fp64;
        if (tensor == PipeKind::tensor_tf32) return kind == PipeKind::fp32;
        return kind == PipeKind::fp32 || kind == PipeKind::fp16;
    };
    std::optional<Pipe> most;
    Flops work = work_of(subject.state, subject.model.roofs) * trace_of_work;
    for (std::size_t slot = 0; slot < pipe_slots; ++slot)
        if (fits(pipe_at(slot).kind) && subject.state.work[slot] > work) {
            work = subject.state.work[slot];
            most = pipe_at(slot);
        }
    return most;
}

}  // namespace

Result<Move> window(const PresetSubject& subject, Parameter share) {
    const auto& target = subject.kernel().target;
    const std::string operation = target ? target->operation->model->operation : std::string();
    const bool may_be = operation.empty() || operation == "custom" || operation.starts_with("attention");
    if (!may_be)
        return not_applicable(
            subject, fmt::format("Only attention has a window, and this kernel carries out {}", operation),
            "Bind it to attention_prefill or attention_decode if that is what it does.");
    Move move;
    move.work = *share;
    std::ranges::fill(move.bytes, *share);
    move.needs = {.bytes = *share, .work = *share};
    return move;
}

Result<Move> overlap(const PresetSubject& subject, Parameter share) {
    const auto gap = gap_of(subject.state, subject.model.roofs);
    const auto bound = speed_of_light(subject.state, subject.model.roofs);
    if (!gap || !bound) return no_roof(subject);
    if (!std::holds_alternative<Boundary>(bound->binding))
        return not_applicable(subject,
                              fmt::format("It is bound by {}, not by memory", label_of(bound->binding)));
    if (gap->efficiency() >= *share)
        return not_applicable(
            subject, fmt::format("It reaches {} of the {} roof already", format_percent(gap->efficiency()),
                                 label_of(bound->binding)));
    Move move;
    move.time_rule = MoveTime::factor;
    move.time = gap->efficiency() / *share;
    say_it_is_the_most(subject, move);
    return move;
}

Result<Move> to_roof(const PresetSubject& subject, Parameter) {
    const auto limit = tightest_limit(subject.state, subject.model);
    if (!limit) return no_roof(subject);
    if (limit->share >= 1)
        return not_applicable(subject,
                              fmt::format("It is at the {}, or above it, already", limit_named(*limit)));
    Move move;
    move.time_rule = MoveTime::to_roof;
    return move;
}

template <PipeKind kind>
Result<Move> onto_tensor(const PresetSubject& subject, Parameter) {
    const Pipe target{kind, false};
    const auto from = replaced_by(subject, kind);
    if (!from)
        return not_applicable(
            subject, fmt::format("It does no work on CUDA cores that {} could take over", label_of(target)));
    if (!subject.model.roofs.peak[slot_of(target)])
        return not_applicable(subject, fmt::format("No {} ceiling of this GPU is known", label_of(target)),
                              "It may have no such tensor cores; a ceiling can be typed in.");
    Move move;
    move.pipe = PipeChange{*from, target};
    const auto before = speed_of_light(subject.state, subject.model.roofs);
    const auto after = speed_of_light(moved(subject.state, subject.model, move), subject.model.roofs);
    if (before && after && after->time > before->time)
        return not_applicable(
            subject, fmt::format("{} would be what binds: it has too much work already", label_of(target)));
    return move;
}

template Result<Move> onto_tensor<PipeKind::tensor_fp16>(const PresetSubject& subject, Parameter);
template Result<Move> onto_tensor<PipeKind::tensor_tf32>(const PresetSubject& subject, Parameter);
template Result<Move> onto_tensor<PipeKind::tensor_fp64>(const PresetSubject& subject, Parameter);

}  // namespace roofwalk::preset_rules
