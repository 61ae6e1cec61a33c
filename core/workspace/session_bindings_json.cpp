// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_tree.h"
#include "core/workspace/session_parts.h"

namespace roofwalk {

namespace {

constexpr const char* operation_hint = R"(As in "gemm m=4096 n=4096 k=4096".)";

bool read_subject(JsonElement value, const JsonPath& at, JsonChecker& check, BindingRule& rule) {
    std::string_view id;
    if (!check.read(value, at, id)) return false;
    const auto found = std::ranges::find(rule_subject_ids, id);
    if (found == rule_subject_ids.end())
        return check.fail(at, "It is unknown what the pattern is searched in", "Known are: kernel, nvtx.");
    rule.subject = static_cast<RuleSubject>(found - rule_subject_ids.begin());
    return true;
}

constexpr JsonField<BindingRule> rule_fields[] = {
    {"pattern", read_member<&BindingRule::pattern>},
    {"in", read_subject},
    {"operation", read_member<&BindingRule::operation>},
};

constexpr JsonField<UserBinding> kernel_fields[] = {
    {"kernel", read_member<&UserBinding::kernel>},
    {"launch", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                  UserBinding& binding) { return check.read(value, at, binding.launch.emplace()); }},
    {"operation", read_member<&UserBinding::operation>},
    {"suggested", read_member<&UserBinding::suggested>},
};

bool read_rule(JsonElement value, const JsonPath& at, JsonChecker& check, BindingRule& rule) {
    if (!read_fields(value, at, check, rule_fields, rule)) return false;
    if (rule.pattern.empty() || rule.operation.empty())
        return check.fail(at, "A rule has a pattern and an operation", operation_hint);
    rule.further = unknown_members(value, rule_fields);
    return true;
}

bool read_kernel(JsonElement value, const JsonPath& at, JsonChecker& check, UserBinding& binding) {
    if (!read_fields(value, at, check, kernel_fields, binding)) return false;
    if (binding.kernel.empty() || binding.operation.empty())
        return check.fail(at, "A bound kernel has a name and an operation", operation_hint);
    binding.further = unknown_members(value, kernel_fields);
    return true;
}

constexpr JsonField<Bindings> bindings_fields[] = {
    {"kernels",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, Bindings& bindings) {
         return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
             if (bindings.user.size() == most_bound)
                 return too_many(here, check, "bound kernels", most_bound);
             return read_kernel(item, here, check, bindings.user.emplace_back());
         });
     }},
    {"rules",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, Bindings& bindings) {
         return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
             if (bindings.rules.size() == most_rules) return too_many(here, check, "rules", most_rules);
             return read_rule(item, here, check, bindings.rules.emplace_back());
         });
     }},
};

}  // namespace

void write_bindings(JsonText& json, const Bindings& bindings, std::string_view further) {
    json.begin_object();
    json.key("kernels");
    json.begin_array();
    for (const UserBinding& binding : bindings.user) {
        json.next_line();
        json.begin_object();
        json.member("kernel", binding.kernel);
        if (binding.launch) json.member("launch", *binding.launch);
        json.member("operation", binding.operation);
        if (binding.suggested) json.member("suggested", true);
        json.members(binding.further);
        json.end_object();
    }
    json.end_array();
    json.key("rules");
    json.begin_array();
    for (const BindingRule& rule : bindings.rules) {
        json.next_line();
        json.begin_object();
        json.member("pattern", rule.pattern);
        json.member("in", rule_subject_ids[static_cast<std::size_t>(rule.subject)]);
        json.member("operation", rule.operation);
        json.members(rule.further);
        json.end_object();
    }
    json.end_array();
    json.members(further);
    json.end_object();
}

bool read_bindings(JsonElement value, const JsonPath& at, JsonChecker& check, Session& target) {
    if (!read_fields(value, at, check, bindings_fields, target.bindings)) return false;
    target.bindings_further = unknown_members(value, bindings_fields);
    return true;
}

}  // namespace roofwalk
