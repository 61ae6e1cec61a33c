// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_bounds.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/text.h"
#include "core/devices/match_device.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/point_bounds.h"

namespace roofwalk {

namespace {

GroupTotals totals_of(const OperationModel& model, const CeilingSet& ceilings) {
    GroupTotals totals;
    for (const PipeWork& part : model.work)
        totals.pipes.push_back({.pipe = pipe_on(part, ceilings),
                                .origin = Origin::modelled,
                                .work = part.work,
                                .ceiling = {},
                                .bound = {}});
    for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2})
        totals.traffic[level] = {Origin::modelled, model.bytes_moved()};
    if (model.tiles) {
        totals.traffic[MemoryLevel::l2] = {Origin::modelled, model.tiles->l2};
        totals.traffic[MemoryLevel::smem] = {Origin::modelled, model.tiles->smem};
    }
    return totals;
}

KernelClass class_of(const std::optional<CeilingTarget>& binding) {
    if (!binding) return KernelClass::not_measured;
    return std::holds_alternative<Boundary>(*binding) ? KernelClass::memory_bound
                                                      : KernelClass::compute_bound;
}

}  // namespace

KernelPoint bounds_of(const OperationModel& model, const Device& device, const AnalysisOptions& options) {
    AnalysisOptions of_model = options;
    of_model.operations = counts_integers(model) ? OperationClass::all : OperationClass::floating;
    KernelPoint point;
    point.name = to_text(model);
    point.memory = common_memory_name(options.memory, memory_of(device));
    point.ceilings = std::make_shared<const CeilingSet>(resolve_ceilings(
        device, nullptr, options.clock, overrides_of(options, device), measured_of(options, device)));
    apply_totals(totals_of(model, *point.ceilings), of_model, point);
    point.verdict = judge(point, options.thresholds);
    point.verdict.kernel_class = class_of(point.binding);
    return point;
}

std::optional<FlopRate> attainable_performance(const KernelPoint& bounds) {
    if (!bounds.work || !bounds.speed_of_light || bounds.speed_of_light->value() <= 0) return std::nullopt;
    return *bounds.work / *bounds.speed_of_light;
}

Intensity asymptotic_intensity(const GemmShape& product) {
    const double work = 2 * product.m * complex_factor(product_type(product.a, product.b));
    return Intensity(work / bytes_of(product.b));
}

double asymptotic_batch(const GemmShape& product, Intensity ridge) {
    return product.m * (ridge / asymptotic_intensity(product));
}

std::optional<L2Residence> l2_residence(const OperationModel& model, const Device& device) {
    if (!device.l2_size) return std::nullopt;
    const Bytes size = *device.l2_size;
    if (model.bytes_moved() <= size) return L2Residence{L2Fit::all, model.bytes_moved(), 1};
    if (model.shared.value() > 0 && model.shared <= size) return L2Residence{L2Fit::weights, model.shared, 1};
    return L2Residence{L2Fit::part, model.bytes_moved(), size / model.bytes_moved()};
}

std::string l2_sentence(const L2Residence& residence, Bytes l2_size, MemoryName name) {
    const std::string size = format(l2_size);
    const std::string_view memory = label_of(name);
    switch (residence.fit) {
        case L2Fit::all:
            return fmt::format("All bytes fit into the L2 of {}: repeated launches need not reach {}.", size,
                               memory);
        case L2Fit::weights:
            return fmt::format(
                "The {} that inputs share, as weights are, fit into the L2 of {}, and all bytes do not. Repeated "
                "launches need not read these from {}.",
                format(residence.needed), size, memory);
        case L2Fit::part:
            break;
    }
    return fmt::format("The L2 of {} holds {} of all bytes at once: data streams from {}.", size,
                       format_percent(residence.share), memory);
}

std::vector<TileLevel> tile_levels(const OperationModel& model, const KernelPoint& bounds) {
    const CeilingSet* ceilings = bounds.ceilings.get();
    if (!model.tiles) return {};
    std::vector<TileLevel> levels;
    for (const auto& [level, bytes] :
         {std::pair(MemoryLevel::hbm, model.bytes_moved()), std::pair(MemoryLevel::l2, model.tiles->l2),
          std::pair(MemoryLevel::smem, model.tiles->smem)}) {
        TileLevel& added = levels.emplace_back(TileLevel{label_of(level, bounds.memory), bytes, {}, {}});
        const BandwidthCeiling* known = ceilings ? ceilings->find(default_boundary(level)) : nullptr;
        if (known == nullptr) continue;
        added.rate = known->rate;
        added.source = describe(known->provenance);
    }
    TileLevel& registers = levels.emplace_back(TileLevel{"registers", model.tiles->registers, {}, {}});
    if (const ComputeCeiling* fp32 = ceilings ? ceilings->find(Pipe{PipeKind::fp32}) : nullptr) {
        constexpr double bytes_per_flop = 4;
        registers.rate = ByteRate(fp32->rate.value() * bytes_per_flop);
        registers.source = "theory: two operands of 4 bytes for each FMA at the FP32 peak";
    }
    return levels;
}

}  // namespace roofwalk
