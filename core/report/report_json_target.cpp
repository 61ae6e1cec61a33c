// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_json_target.h"

namespace roofwalk {

namespace {

void write_factor(JsonText& json, std::string_view key, std::optional<double> factor) {
    json.key(key);
    factor ? json.value(*factor) : json.null();
}

}  // namespace

void write_ceiling_target(JsonText& json, std::string_view key, const std::optional<CeilingTarget>& target) {
    json.key(key);
    if (!target) return json.null();
    json.begin_object();
    if (const Boundary* boundary = std::get_if<Boundary>(&*target)) {
        json.member("kind", "bandwidth");
        json.member("boundary", id_of(*boundary));
    } else {
        json.member("kind", "compute");
        json.member("pipe", id_of(std::get<Pipe>(*target)));
    }
    json.member("label", label_of(*target));
    json.end_object();
}

void write_algorithmic_target(JsonText& json, const KernelPoint& point) {
    json.key("target");
    if (!point.target) return json.null();
    const AlgorithmicTarget& target = *point.target;
    json.begin_object();
    json.member("operation", target.operation->text);
    json.member("operation_source", id_of(target.operation->source));
    json.member("operation_why", target.operation->why);
    json.member("operations", target.operations);
    json.member("bound_launches", target.bound);
    json.member("launches_without", target.not_bound);
    json.member("work", target.work.value());
    json.member("bytes", target.bytes.value());
    json.member("intensity", target.intensity);
    json.member("place", target.place);
    write_factor(json, "horizontal_gap", target.gap);
    write_factor(json, "byte_gap", target.byte_gap);
    write_factor(json, "work_ratio", target.work_ratio);
    write_factor(json, "useful_gap", target.useful);
    json.member("useful_until", target.useful_until);
    write_ceiling_target(json, "binding", target.binding);
    write_factor(json, "potential", target.potential);
    json.end_object();
}

}  // namespace roofwalk
