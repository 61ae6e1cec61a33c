// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/scenario/presets.h"

/// The rules behind the table of presets. Each gets a parameter within its bounds, or the usual one. What a
/// rule writes into Move::assumption is added to what the preset assumes of every kernel.
namespace roofwalk::preset_rules {

using Parameter = std::optional<double>;

/// A share of what is left from here on is no gain worth a move, where it was estimated from counters.
inline constexpr double no_gain = 0.999;
inline constexpr double largest_cluster = 16;   ///< [thread blocks]
inline constexpr double largest_batch = 65536;  ///< [inputs]

/// The compute capability of the device of the kernel, as the profile says, else by the name of the device.
[[nodiscard]] std::optional<ComputeCapability> compute_capability_of(const PresetSubject& subject);

/// What a preset that can leave `ideal` of the measured bytes still leaves of those that are there: its
/// earlier moves took their part. At most 1.
[[nodiscard]] double remaining_share(const PresetSubject& subject, std::string_view preset, MemoryLevel level,
                                     double ideal);

// Fewer bytes.
[[nodiscard]] Result<Move> tile(const PresetSubject& subject, Parameter reuse);
[[nodiscard]] Result<Move> batch(const PresetSubject& subject, Parameter size);
[[nodiscard]] Result<Move> multicast(const PresetSubject& subject, Parameter blocks);
[[nodiscard]] Result<Move> to_algorithm(const PresetSubject& subject, Parameter);
/// Data of `from` bits stored in `to`; the parameter is the share of the bytes that are stored so.
template <int from, int to>
[[nodiscard]] Result<Move> narrow(const PresetSubject& subject, Parameter share);
extern template Result<Move> narrow<32, 16>(const PresetSubject& subject, Parameter share);
extern template Result<Move> narrow<16, 8>(const PresetSubject& subject, Parameter share);
extern template Result<Move> narrow<16, 4>(const PresetSubject& subject, Parameter share);

/// How wide a move leaves data of these widths, where it stores data in fewer bits.
void narrow_as(const Move& move, std::vector<StoredPart>& stored);

// Less time, or less work.
[[nodiscard]] Result<Move> window(const PresetSubject& subject, Parameter share);
[[nodiscard]] Result<Move> overlap(const PresetSubject& subject, Parameter share);
[[nodiscard]] Result<Move> to_roof(const PresetSubject& subject, Parameter);
/// The work of the CUDA cores goes to tensor cores of that type.
template <PipeKind kind>
[[nodiscard]] Result<Move> onto_tensor(const PresetSubject& subject, Parameter);
extern template Result<Move> onto_tensor<PipeKind::tensor_fp16>(const PresetSubject& subject, Parameter);
extern template Result<Move> onto_tensor<PipeKind::tensor_tf32>(const PresetSubject& subject, Parameter);
extern template Result<Move> onto_tensor<PipeKind::tensor_fp64>(const PresetSubject& subject, Parameter);

/// Takes no more HBM and L2 bytes away than the algorithm can spare, where it is known what it needs: all of
/// those cross both.
void stop_at_algorithm(const PresetSubject& subject, Move& move);

/// Whether L2 serves next to nothing twice and no operation tells how often a byte is needed: a reuse may
/// then bring nothing.
[[nodiscard]] bool may_need_bytes_once(const KernelState& state, std::optional<Intensity> algorithmic);

/// Why a preset cannot be applied, and what to do.
[[nodiscard]] tl::unexpected<Error> not_applicable(const PresetSubject& subject, std::string why,
                                                   std::string hint = {});

}  // namespace roofwalk::preset_rules
