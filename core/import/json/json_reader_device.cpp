// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_reader_device.h"

#include <charconv>
#include <utility>

namespace roofwalk {

namespace {

struct CeilingDraft {
    std::string_view kind;
    std::optional<Pipe> pipe;
    std::optional<Boundary> boundary;
    double rate = 0;
    Provenance provenance;
};

bool read_source(JsonElement value, const JsonPath& at, JsonChecker& check, Provenance& target) {
    std::string_view id;
    if (!check.read(value, at, id)) return false;
    const auto source = ceiling_source_from_id(id);
    if (!source)
        return check.fail(at, "The source of the ceiling is unknown",
                          "Known are: benchmark, counters, attributes, table, user.");
    target.source = *source;
    return true;
}

bool read_basis(JsonElement value, const JsonPath& at, JsonChecker& check, Provenance& target) {
    std::string_view id;
    if (!check.read(value, at, id)) return false;
    const auto basis = clock_basis_from_id(id);
    if (!basis) return check.fail(at, "The clock basis is unknown", "Known are: measured, boost.");
    target.basis = *basis;
    return true;
}

constexpr JsonField<Provenance> provenance_fields[] = {
    {"source", read_source},
    {"basis", read_basis},
    {"clock_hz", read_member<&Provenance::clock>},
    {"detail", read_member<&Provenance::detail>},
    {"mix", read_member<&Provenance::mix>},
    {"date", read_member<&Provenance::date>},
};

constexpr JsonField<CeilingDraft> ceiling_fields[] = {
    {"kind", read_member<&CeilingDraft::kind>},
    {"pipe",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, CeilingDraft& target) {
         std::string_view id;
         return check.read(value, at, id) && read_json_pipe(id, at, check, target.pipe.emplace());
     }},
    {"boundary",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, CeilingDraft& target) {
         std::string_view id;
         return check.read(value, at, id) && read_json_boundary(id, at, check, target.boundary.emplace());
     }},
    {"rate", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                CeilingDraft& target) { return check.positive(value, at, target.rate); }},
    {"provenance",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, CeilingDraft& target) {
         return read_fields(value, at, check, provenance_fields, target.provenance);
     }},
};

bool read_ceiling(JsonElement value, const JsonPath& at, JsonChecker& check, CeilingSet& target) {
    CeilingDraft draft;
    if (!read_fields(value, at, check, ceiling_fields, draft)) return false;
    if (draft.rate == 0) return check.fail(at, "A ceiling needs a rate", "In FLOP/s or byte/s.");
    if (draft.kind == "compute" && draft.pipe && !draft.boundary) {
        target.compute.push_back({*draft.pipe, FlopRate(draft.rate), std::move(draft.provenance)});
        return true;
    }
    if (draft.kind == "bandwidth" && draft.boundary && !draft.pipe) {
        target.bandwidth.push_back({*draft.boundary, ByteRate(draft.rate), std::move(draft.provenance)});
        return true;
    }
    return check.fail(at, "The kind of the ceiling does not fit its other fields",
                      R"(A "compute" ceiling names a pipe, a "bandwidth" ceiling a boundary.)");
}

/// "8.0"
bool read_compute_capability(JsonElement value, const JsonPath& at, JsonChecker& check,
                             std::optional<ComputeCapability>& target) {
    std::string_view text;
    if (!check.read(value, at, text)) return false;
    ComputeCapability capability;
    const char* end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, capability.major);
    if (major.ec == std::errc() && major.ptr != end && *major.ptr == '.') {
        const auto minor = std::from_chars(major.ptr + 1, end, capability.minor);
        if (minor.ec == std::errc() && minor.ptr == end && capability >= ComputeCapability{}) {
            target = capability;
            return true;
        }
    }
    return check.fail(at, "The compute capability cannot be read", R"(It looks like "8.0".)");
}

constexpr JsonField<Device> clock_fields[] = {
    {"sm_hz", read_member<&Device::boost_clock>},
    {"memory_hz", read_member<&Device::memory_clock>},
};

template <auto Member>
bool read_device_member(JsonElement value, const JsonPath& at, JsonChecker& check, JsonDevice& target) {
    return check.read(value, at, target.device.*Member);
}

constexpr JsonField<JsonDevice> device_fields[] = {
    {"id", read_member<&JsonDevice::id>},
    {"name", read_device_member<&Device::name>},
    {"chip", read_device_member<&Device::chip>},
    {"uuid", read_device_member<&Device::uuid>},
    {"compute_capability",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, JsonDevice& target) {
         return read_compute_capability(value, at, check, target.device.compute_capability);
     }},
    {"sm_count", read_device_member<&Device::sm_count>},
    {"clocks", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                  JsonDevice& target) { return read_fields(value, at, check, clock_fields, target.device); }},
    {"memory_bus_bits", read_device_member<&Device::memory_bus_bits>},
    {"l2_bytes", read_device_member<&Device::l2_size>},
    {"memory_bytes", read_device_member<&Device::memory_size>},
    {"ceilings",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, JsonDevice& target) {
         return read_json_ceilings(value, at, check, target.device.ceilings);
     }},
};

}  // namespace

bool read_json_pipe(std::string_view id, const JsonPath& at, JsonChecker& check, Pipe& target) {
    const auto pipe = pipe_from_id(id);
    if (!pipe) {
        std::string hint = "Known are:";
        for (const PipeKind kind : all_pipe_kinds())
            hint += " " + id_of(Pipe{kind, false});
        return check.fail(at, "The pipe is unknown", hint + R"(, each with ".sparse" too.)");
    }
    target = *pipe;
    return true;
}

bool read_json_boundary(std::string_view id, const JsonPath& at, JsonChecker& check, Boundary& target) {
    const auto boundary = boundary_from_id(id);
    if (!boundary) {
        std::string hint = "Known are:";
        for (const Boundary known : all_boundaries())
            hint += " " + std::string(id_of(known));
        return check.fail(at, "The boundary is unknown", hint + ".");
    }
    target = *boundary;
    return true;
}

bool read_json_ceilings(JsonElement value, const JsonPath& at, JsonChecker& check, CeilingSet& target) {
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        return read_ceiling(item, here, check, target);
    });
}

bool read_json_device(JsonElement value, const JsonPath& at, JsonChecker& check, JsonDevice& target) {
    return read_fields(value, at, check, device_fields, target);
}

}  // namespace roofwalk
