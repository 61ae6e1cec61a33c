// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_metric_set.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/import/ncu/ncu_wire.h"

namespace roofwalk::ncu {

namespace {

/// Calls `visit(id, value)` at every instance of a metric entry. Throws protozero::exception.
template <class Visit>
void visit_instances(std::string_view entry, Visit visit) {
    read_fields(entry, field(3, [&](std::string_view instance) {
                    Value id;
                    Value value;
                    read_fields(instance, field(1, [&](std::string_view part) { id = decode_value(part); }),
                                field(2, [&](std::string_view part) { value = decode_value(part); }));
                    visit(id, value);
                }));
}

}  // namespace

std::optional<double> Value::finite() const {
    if (kind != Kind::number || !std::isfinite(number)) return std::nullopt;
    return number;
}

Value decode_value(std::string_view message) {
    Value value;
    const auto number = [&](double read) {
        value.kind = Value::Kind::number;
        value.number = read;
    };
    for_each_field(message, [&](protozero::pbf_reader& field) {
        switch (field.tag_and_type()) {
            case bytes(1):
                value.kind = Value::Kind::text;
                value.text = view_of(field);
                break;
            case fixed32(2):
                number(static_cast<double>(field.get_float()));
                break;
            case fixed64(3):
                number(field.get_double());
                break;
            case varint(4):
                number(field.get_uint32());
                break;
            case varint(5):
                number(static_cast<double>(field.get_uint64()));
                break;
            default:
                field.skip();
        }
    });
    return value;
}

bool StringTable::holds_any(const std::vector<std::string_view>& names) const {
    return std::ranges::any_of(names, [&](std::string_view name) { return ids_.contains(name); });
}

void StringTable::append(const std::vector<std::string_view>& names) {
    for (const std::string_view name : names) {
        const bool fresh = ids_.emplace(name, static_cast<std::uint32_t>(names_.size())).second;
        names_.push_back(name);
        if (!is_plain_text(name)) ++damaged_;
        if (!fresh) ++repeated_;
    }
}

std::optional<std::uint32_t> StringTable::find(std::string_view name) const {
    const auto it = ids_.find(name);
    if (it == ids_.end()) return std::nullopt;
    return it->second;
}

void MetricSet::load(const std::vector<std::string_view>& entries, const StringTable& names) {
    names_ = &names;
    unnamed_ = 0;
    slots_.clear();
    opcodes_.clear();
    opcodes_read_ = false;
    if (place_.size() < names.size()) place_.resize(names.size());
    for (const std::string_view entry : entries)
        store(entry);
}

void MetricSet::store(std::string_view entry) {
    Slot read;
    read.entry = entry;
    read_fields(entry, field(1, read.id),
                field(2, [&](std::string_view part) { read.value = decode_value(part); }),
                field(3, [&](std::string_view) { read.has_instances = true; }));
    if (read.id >= names_->size()) {
        ++unnamed_;
    } else if (!holds(read.id)) {
        place_[read.id] = static_cast<std::uint32_t>(slots_.size());
        slots_.push_back(read);
    } else if (Slot& known = slots_[place_[read.id]]; read.has_instances || !known.has_instances) {
        known = read;
    }
}

bool MetricSet::holds(std::uint32_t id) const {
    return place_[id] < slots_.size() && slots_[place_[id]].id == id;
}

const MetricSet::Slot* MetricSet::slot(std::string_view name) const {
    const auto id = names_ == nullptr ? std::nullopt : names_->find(name);
    if (!id || !holds(*id)) return nullptr;
    return &slots_[place_[*id]];
}

const Value* MetricSet::find(std::string_view name) const {
    const Slot* found = slot(name);
    return found == nullptr ? nullptr : &found->value;
}

std::optional<double> MetricSet::finite(std::string_view name) const {
    const Value* value = find(name);
    return value == nullptr ? std::nullopt : value->finite();
}

std::optional<std::string_view> MetricSet::text(std::string_view name) const {
    const Value* value = find(name);
    if (value == nullptr || value->kind != Value::Kind::text) return std::nullopt;
    return value->text;
}

std::optional<double> MetricSet::instance_sum(std::string_view name) const {
    const Slot* found = slot(name);
    if (found == nullptr) return std::nullopt;
    if (!found->has_instances) return found->value.finite();
    double sum = 0;
    try {
        visit_instances(found->entry,
                        [&](const Value&, const Value& value) { sum += value.finite().value_or(0); });
    } catch (const protozero::exception&) {
        return std::nullopt;
    }
    return sum;
}

void MetricSet::for_each_instance(std::string_view name, const NumberVisitor& visit) const {
    if (const Slot* found = slot(name))
        for_each_instance_of(found->entry, [&](const Value& id, const Value& value) {
            if (id.kind == Value::Kind::text && value.finite()) visit(id.text, value.number);
        });
}

void MetricSet::for_each_sample(std::string_view name,
                                const std::function<void(double, double)>& visit) const {
    if (const Slot* found = slot(name))
        for_each_instance_of(found->entry, [&](const Value& time, const Value& value) {
            if (time.finite() && value.finite()) visit(time.number, value.number);
        });
}

void MetricSet::for_each_entry(const EntryVisitor& visit) const {
    for (const Slot& slot : slots_)
        visit(names_->name(slot.id), slot.value, slot.entry);
}

void MetricSet::for_each_instance_of(std::string_view entry, const InstanceVisitor& visit) {
    try {
        visit_instances(entry, visit);
    } catch (const protozero::exception&) {
        // A damaged list of instances ends where the damage is.
        return;
    }
}

std::optional<double> MetricSet::opcode_count(std::string_view opcode) const {
    if (!opcodes_read_) {
        for_each_instance("sass__inst_executed_per_opcode",
                          [&](std::string_view name, double executed) { opcodes_[name] += executed; });
        opcodes_read_ = true;
    }
    if (opcodes_.empty()) return std::nullopt;
    const auto found = opcodes_.find(opcode);
    return found == opcodes_.end() ? 0 : found->second;
}

void MetricSet::for_each_finite(const NumberVisitor& visit) const {
    for (const Slot& slot : slots_)
        if (const auto value = slot.value.finite()) visit(names_->name(slot.id), *value);
}

}  // namespace roofwalk::ncu
