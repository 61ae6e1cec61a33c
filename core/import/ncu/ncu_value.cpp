// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_value.h"

#include <cmath>

#include "core/import/ncu/ncu_wire.h"

namespace roofwalk::ncu {

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

}  // namespace roofwalk::ncu
