// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_array.h"
#include "core/scenario/move.h"

namespace roofwalk {

/// Bytes of a kernel that hold elements of one width.
struct StoredPart {
    int bits = 0;
    double share = 0;  ///< of all its bytes
};

/// What the moves of presets did to a kernel, so that none of them takes away the same bytes twice.
class PastMoves {
  public:
    void add(const Move& move);

    /// The factor of the bytes at a level by all moves of a preset; 1 where it made none.
    [[nodiscard]] double left_by(std::string_view preset, MemoryLevel level) const;
    /// How wide they left the data; empty: as measured.
    [[nodiscard]] const std::vector<StoredPart>& stored() const { return stored_; }

  private:
    struct PresetFactors {
        std::string preset;
        EnumArray<MemoryLevel, double> bytes;
    };

    std::vector<PresetFactors> factors_;
    std::vector<StoredPart> stored_;
};

}  // namespace roofwalk
