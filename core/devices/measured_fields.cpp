// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/measured_fields.h"

#include <charconv>

#include "core/base/text.h"
#include "core/import/json/json_reader_device.h"

namespace roofwalk {

namespace {

/// A device has a handful of reasons to slow down.
constexpr std::size_t most_reasons = 64;

template <auto Member>
bool read_of_device(JsonElement value, const JsonPath& at, JsonChecker& check, MeasuredDevice& target) {
    return check.read(value, at, target.device.*Member);
}

template <auto Member>
bool read_number(JsonElement value, const JsonPath& at, JsonChecker& check, auto& target) {
    double number = 0;
    if (!check.amount(value, at, number)) return false;
    target.*Member = number;
    return true;
}

bool read_capability(JsonElement value, const JsonPath& at, JsonChecker& check, MeasuredDevice& target) {
    std::string_view text;
    if (!check.read(value, at, text)) return false;
    ComputeCapability capability;
    const char* end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, capability.major);
    if (major.ec == std::errc() && major.ptr != end && *major.ptr == '.') {
        const auto minor = std::from_chars(major.ptr + 1, end, capability.minor);
        if (minor.ec == std::errc() && minor.ptr == end && capability >= ComputeCapability{}) {
            target.device.compute_capability = capability;
            return true;
        }
    }
    return check.fail(at, "The compute capability cannot be read", R"(It looks like "9.0".)");
}

constexpr JsonField<MeasuredDevice> device_fields[] = {
    {"record", read_and_drop<std::string_view>},
    {"index", read_and_drop<Bytes>},
    {"mig", read_and_drop<bool>},
    {"obstacle", read_and_drop<std::string_view>},
    {"hint", read_and_drop<std::string_view>},
    {"bus_id", read_and_drop<std::string_view>},
    {"uuid", read_of_device<&Device::uuid>},
    {"name", read_of_device<&Device::name>},
    {"compute_capability", read_capability},
    {"sm_count", read_of_device<&Device::sm_count>},
    {"boost_clock_hz", read_of_device<&Device::boost_clock>},
    {"memory_clock_hz", read_of_device<&Device::memory_clock>},
    {"memory_bus_bits", read_of_device<&Device::memory_bus_bits>},
    {"l2_bytes", read_of_device<&Device::l2_size>},
    {"memory_bytes", read_of_device<&Device::memory_size>},
    {"driver", read_member<&MeasuredDevice::driver>},
    {"power_limit_w", read_number<&MeasuredDevice::power_limit>},
    {"highest_sm_clock_hz", read_member<&MeasuredDevice::highest_clock>},
    {"application_clock_hz", read_member<&MeasuredDevice::application_clock>},
    {"set_sm_clock_hz", read_member<&MeasuredDevice::set_clock>},
    {"temperature_c", read_number<&MeasuredDevice::temperature>},
    {"other_processes", read_number<&MeasuredDevice::other_processes>},
    {"ecc", read_member<&MeasuredDevice::error_correction>},
};

bool read_target(JsonElement value, const JsonPath& at, JsonChecker& check, MeasuredRate& target) {
    std::string_view id;
    if (!check.read(value, at, id)) return false;
    if (id.empty()) return true;
    if (const auto boundary = boundary_from_id(id)) {
        target.target = *boundary;
        return true;
    }
    Pipe pipe;
    if (!read_json_pipe(id, at, check, pipe)) return false;
    target.target = pipe;
    return true;
}

template <RateUnit Unit>
bool read_rate(JsonElement value, const JsonPath& at, JsonChecker& check, MeasuredRate& target) {
    if (target.rate != 0) return check.fail(at, "The result has two rates", "Keep the one of its unit.");
    target.unit = Unit;
    return check.positive(value, at, target.rate);
}

bool read_reasons(JsonElement value, const JsonPath& at, JsonChecker& check, auto& target) {
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        if (target.throttled.size() == most_reasons)
            return check.fail(here, "There are more reasons than a device has", "The file is damaged.");
        return check.read(item, here, target.throttled.emplace_back());
    });
}

constexpr JsonField<MeasuredRate> rate_fields[] = {
    {"record", read_and_drop<std::string_view>},
    {"id", read_member<&MeasuredRate::id>},
    {"target", read_target},
    {"mix", read_member<&MeasuredRate::mix>},
    {"shape", read_member<&MeasuredRate::shape>},
    {"rate_byte_per_s", read_rate<RateUnit::byte_per_second>},
    {"rate_flop_per_s", read_rate<RateUnit::flop_per_second>},
    {"rate_op_per_s", read_rate<RateUnit::op_per_second>},
    {"rate_per_cycle_and_sm", read_number<&MeasuredRate::rate_per_cycle_and_sm>},
    {"sm_clock_hz", read_member<&MeasuredRate::clock>},
    {"spread", read_number<&MeasuredRate::spread>},
    {"repetitions", read_member<&MeasuredRate::repetitions>},
    {"operands", read_member<&MeasuredRate::operands>},
    {"footprint_bytes", read_member<&MeasuredRate::footprint>},
    {"throttled", read_reasons<MeasuredRate>},
};

constexpr JsonField<SweepPoint> sweep_fields[] = {
    {"record", read_and_drop<std::string_view>},
    {"shape", read_and_drop<std::string_view>},
    {"intensity_flop_per_byte", read_member<&SweepPoint::intensity>},
    {"rate_flop_per_s", read_member<&SweepPoint::rate>},
    {"rate_per_cycle_and_sm", read_and_drop<Bytes>},
    {"sm_clock_hz", read_member<&SweepPoint::clock>},
    {"spread", read_number<&SweepPoint::spread>},
    {"repetitions", read_and_drop<std::uint32_t>},
    {"operands", read_and_drop<std::string_view>},
    {"throttled", read_reasons<SweepPoint>},
};

constexpr JsonField<Error> problem_fields[] = {
    {"record", read_and_drop<std::string_view>},
    {"code",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, Error& target) {
         std::string_view name;
         if (!check.read(value, at, name)) return false;
         target.code = error_code_from_name(name).value_or(ErrorCode::not_profiled);
         return true;
     }},
    {"what", read_member<&Error::what>},
    {"hint", read_member<&Error::hint>},
    {"where", read_member<&Error::where>},
    {"id", read_member<&Error::where>},
};

void write_reasons(JsonText& json, const std::vector<std::string>& reasons) {
    json.key("throttled");
    json.begin_array();
    for (const std::string& reason : reasons)
        json.value(reason);
    json.end_array();
}

/// True where the targets of a rate counts what its unit counts.
bool fits(const MeasuredRate& rate) {
    if (!rate.target) return true;
    const auto* pipe = std::get_if<Pipe>(&*rate.target);
    if (pipe == nullptr) return rate.unit == RateUnit::byte_per_second;
    return rate.unit == (counts_integers(*pipe) ? RateUnit::op_per_second : RateUnit::flop_per_second);
}

}  // namespace

bool read_measured_device(JsonElement value, const JsonPath& at, JsonChecker& check, MeasuredDevice& target) {
    if (!read_fields(value, at, check, device_fields, target)) return false;
    if (target.device.uuid.empty() || target.device.name.empty())
        return check.fail(at, "The device says no name or UUID",
                          R"("name" and "uuid" tell which GPU it is.)");
    return true;
}

bool read_measured_rate(JsonElement value, const JsonPath& at, JsonChecker& check, MeasuredRate& target) {
    if (!read_fields(value, at, check, rate_fields, target)) return false;
    if (target.id.empty()) return check.fail(at, "The result says no benchmark", R"("id" names it.)");
    if (target.rate == 0)
        return check.fail(at, "The result has no rate",
                          R"("rate_byte_per_s", "rate_flop_per_s" or "rate_op_per_s" holds it.)");
    if (!fits(target))
        return check.fail(at, "The unit of the rate is not that of its target",
                          "Boundaries count bytes, integer pipes operations, all others FLOP.");
    return true;
}

bool read_sweep_point(JsonElement value, const JsonPath& at, JsonChecker& check, SweepPoint& target) {
    if (!read_fields(value, at, check, sweep_fields, target)) return false;
    if (target.intensity <= Intensity(0) || target.rate <= FlopRate(0))
        return check.fail(at, "The point of the sweep lacks its intensity or its rate",
                          R"("intensity_flop_per_byte" and "rate_flop_per_s" hold them.)");
    return true;
}

bool read_measuring_problem(JsonElement value, const JsonPath& at, JsonChecker& check, Error& target) {
    target.code = ErrorCode::not_profiled;
    return read_fields(value, at, check, problem_fields, target);
}

void write_measured_device(JsonText& json, const MeasuredDevice& device) {
    json.begin_object();
    json.member("uuid", device.device.uuid);
    json.member("name", device.device.name);
    if (device.device.compute_capability)
        json.member("compute_capability", std::to_string(device.device.compute_capability->major) + "." +
                                              std::to_string(device.device.compute_capability->minor));
    if (device.device.sm_count) json.member("sm_count", std::int64_t{*device.device.sm_count});
    json.known_member("boost_clock_hz", device.device.boost_clock);
    json.known_member("memory_clock_hz", device.device.memory_clock);
    if (device.device.memory_bus_bits)
        json.member("memory_bus_bits", std::int64_t{*device.device.memory_bus_bits});
    json.known_member("l2_bytes", device.device.l2_size);
    json.known_member("memory_bytes", device.device.memory_size);
    json.known_member("driver", device.driver);
    json.known_member("power_limit_w", device.power_limit);
    json.known_member("highest_sm_clock_hz", device.highest_clock);
    json.known_member("application_clock_hz", device.application_clock);
    json.known_member("set_sm_clock_hz", device.set_clock);
    json.known_member("temperature_c", device.temperature);
    json.known_member("other_processes", device.other_processes);
    if (device.error_correction) json.member("ecc", *device.error_correction);
    json.end_object();
}

void write_measured_rate(JsonText& json, const MeasuredRate& rate) {
    json.begin_object();
    json.member("id", rate.id);
    if (rate.target) {
        const auto* pipe = std::get_if<Pipe>(&*rate.target);
        json.member("target",
                    pipe != nullptr ? id_of(*pipe) : std::string(id_of(std::get<Boundary>(*rate.target))));
    }
    json.known_member("mix", rate.mix);
    json.known_member("shape", rate.shape);
    switch (rate.unit) {
        case RateUnit::byte_per_second:
            json.member("rate_byte_per_s", rate.rate);
            break;
        case RateUnit::flop_per_second:
            json.member("rate_flop_per_s", rate.rate);
            break;
        case RateUnit::op_per_second:
            json.member("rate_op_per_s", rate.rate);
            break;
    }
    json.known_member("rate_per_cycle_and_sm", rate.rate_per_cycle_and_sm);
    json.known_member("sm_clock_hz", rate.clock);
    json.member("spread", rate.spread);
    json.member("repetitions", rate.repetitions);
    json.known_member("operands", rate.operands);
    json.known_member("footprint_bytes", rate.footprint);
    write_reasons(json, rate.throttled);
    json.end_object();
}

void write_sweep_point(JsonText& json, const SweepPoint& point) {
    json.begin_object();
    json.member("intensity_flop_per_byte", point.intensity.value());
    json.member("rate_flop_per_s", point.rate.value());
    json.known_member("sm_clock_hz", point.clock);
    json.member("spread", point.spread);
    write_reasons(json, point.throttled);
    json.end_object();
}

}  // namespace roofwalk
