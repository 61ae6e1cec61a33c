// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison_table.h"
#include "core/report/json_text.h"

namespace roofwalk {

namespace {

void write_bound(JsonText& json, std::string_view key, const Bound& bound) {
    json.key(key);
    json.begin_object();
    json.key("binding");
    bound.binding ? json.value(label_of(*bound.binding)) : json.null();
    json.key("class");
    bound.binding ? json.value(id_of(bound.kernel_class())) : json.null();
    json.key("side");
    bound.side ? json.value(id_of(*bound.side)) : json.null();
    json.key("level");
    bound.level ? json.value(id_of(*bound.level)) : json.null();
    json.member("intensity", bound.intensity);
    json.member("ridge", bound.ridge);
    json.member("speed_of_light_s", bound.speed_of_light);
    json.member("at_least_s", bound.at_least);
    json.key("at_least_by");
    bound.at_least_by ? json.value(label_of(*bound.at_least_by)) : json.null();
    json.key("without_ceiling");
    json.begin_array();
    for (const MemoryLevel level : bound.without_ceiling)
        json.value(id_of(level));
    json.end_array();
    json.end_object();
}

}  // namespace

std::string to_roof_change_json(const RunView& run, std::span<const DeviceRoofs> devices) {
    JsonText json;
    json.begin_object();
    json.next_line();
    json.member("format", "roofwalk-roof-comparison");
    json.member("version", 1U);
    json.member("work_unit", work_unit(run.analysis->options.operations));
    json.next_line();
    write_sources(json, *run.profile);
    json.next_line();
    json.key("devices");
    json.begin_array();
    for (const DeviceRoofs& roofs : devices) {
        json.next_line();
        json.begin_object();
        json.member("device", roofs.device);
        json.member("sentence", roof_change_sentence(roofs));
        json.key("kernels");
        json.begin_array();
        for (const RoofChange& change : roofs.changes) {
            const KernelPoint& point = run.point(change.point);
            json.next_line();
            json.begin_object();
            json.member("name", point.name);
            json.member("device", run.device_of(point).name);
            write_bound(json, "here", change.here);
            write_bound(json, "there", change.there);
            json.key("class_changes");
            const std::optional<bool> crosses = change.crosses_over();
            crosses ? json.value(*crosses) : json.null();
            json.key("speed_up_at_most");
            const std::optional<double> most = change.speed_up_at_most();
            most ? json.value(*most) : json.null();
            json.end_object();
        }
        json.end_array();
        json.end_object();
    }
    json.end_array();
    json.next_line();
    json.end_object();
    json.end_line();
    return json.take();
}

}  // namespace roofwalk
