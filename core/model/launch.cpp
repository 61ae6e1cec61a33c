// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/launch.h"

#include <algorithm>

namespace roofwalk {

const TrafficSample* Launch::find(Boundary boundary) const {
    const auto it = std::ranges::find(traffic, boundary, &TrafficSample::boundary);
    return it == traffic.end() ? nullptr : &*it;
}

const WorkSample* Launch::find(Pipe pipe) const {
    const auto it = std::ranges::find(work, pipe, &WorkSample::pipe);
    return it == work.end() ? nullptr : &*it;
}

}  // namespace roofwalk
