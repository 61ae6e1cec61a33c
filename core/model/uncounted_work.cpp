// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/uncounted_work.h"

namespace roofwalk {

std::string labels_of(const UncountedWork& uncounted) {
    std::string list;
    for (const UncountedKind& kind : uncounted_kinds)
        if (uncounted.*kind.member) list.append(list.empty() ? "" : ", ").append(kind.label);
    return list;
}

}  // namespace roofwalk
