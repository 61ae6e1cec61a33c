// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSharedPointer>

#include "core/chart/layout/log_axis.h"

class QCPAxis;
class QCPAxisTicker;

namespace roofwalk {

/// Gives an axis the ticks of log_ticks(): decades in plain or SI numbers, finer steps when zoomed in.
[[nodiscard]] QSharedPointer<QCPAxisTicker> make_log_ticker(const QCPAxis& axis, TickLabels labels);

}  // namespace roofwalk
