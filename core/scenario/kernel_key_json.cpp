// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_element.h"

namespace roofwalk {

namespace {

void write_size(JsonText& json, std::string_view name, const Dim3& size) {
    if (size == Dim3{}) return;
    json.key(name);
    json.begin_array();
    for (const std::uint32_t part : {size.x, size.y, size.z})
        json.value(part);
    json.end_array();
}

template <auto Member>
bool read_size(JsonElement value, const JsonPath& at, JsonChecker& check, KernelKey& key) {
    return read_dim3(value, at, check, key.*Member);
}

constexpr JsonField<KernelKey> key_fields[] = {
    {"kernel", read_member<&KernelKey::name>},
    {"group", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                 KernelKey& key) { return read_group_by(value, at, check, key.group_by); }},
    {"grid", read_size<&KernelKey::grid>},
    {"block", read_size<&KernelKey::block>},
    {"occurrence", read_member<&KernelKey::occurrence>},
};

}  // namespace

void write_kernel_key(JsonText& json, const KernelKey& key) {
    json.member("kernel", key.name);
    json.member("group", id_of(key.group_by));
    write_size(json, "grid", key.grid);
    write_size(json, "block", key.block);
    if (key.occurrence != 0) json.member("occurrence", key.occurrence);
}

bool read_kernel_key(JsonElement value, const JsonPath& at, JsonChecker& check, KernelKey& target) {
    if (!read_fields(value, at, check, key_fields, target)) return false;
    if (!target.name.empty()) return true;
    return check.fail(at, "It is not said which kernel is meant",
                      "\"kernel\" is the whole name as roofwalk-cli report --format csv gives it.");
}

bool read_group_by(JsonElement value, const JsonPath& at, JsonChecker& check, GroupBy& target) {
    std::string_view id;
    if (!check.read(value, at, id)) return false;
    const auto group = group_by_from_id(id);
    if (!group) return check.fail(at, "The grouping is unknown", "Known are: launch, kernel, nvtx.");
    target = *group;
    return true;
}

}  // namespace roofwalk
