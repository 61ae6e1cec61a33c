// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/practical_json.h"

namespace roofwalk {

void write_practical(JsonText& json, const AnalysisOptions& options) {
    json.key("practical");
    json.begin_object();
    json.member("compute", options.practical.compute);
    json.member("bandwidth", options.practical.bandwidth);
    json.member("little_room", options.practical_limits.little_room);
    json.member("some_room", options.practical_limits.some_room);
    json.end_object();
}

}  // namespace roofwalk
