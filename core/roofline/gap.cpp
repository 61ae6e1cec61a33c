// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/gap.h"

#include <cmath>

namespace roofwalk {

double VerticalGap::decades() const {
    return std::log10(factor);
}

VerticalGap vertical_gap(Seconds time, Seconds speed_of_light) {
    return VerticalGap{time / speed_of_light};
}

}  // namespace roofwalk
