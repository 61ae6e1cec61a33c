// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/chart/layout/layout.h"

namespace roofwalk {

/// A length or place in pixels: at most two decimals, no trailing zeros, no "-0", the same in every locale.
[[nodiscard]] std::string svg_number(double value);

/// An attribute, with a space behind it, of what belongs to a kernel: an index into Analysis::points.
[[nodiscard]] inline std::string of_kernel(std::uint32_t point) {
    return fmt::format("data-kernel=\"{}\" ", point);
}

/// SVG elements, one a line, appended to a text. Names given as text are escaped; attributes are not.
class SvgCanvas {
  public:
    /// Of a picture whose ids begin with `ids`.
    explicit SvgCanvas(std::string ids = {}) : ids_(std::move(ids)) {}

    [[nodiscard]] const std::string& ids() const { return ids_; }

    /// Raw markup.
    template <class... Args>
    void put(fmt::format_string<Args...> pattern, Args&&... args) {
        fmt::format_to(std::back_inserter(out_), pattern, std::forward<Args>(args)...);
    }
    void element(std::string_view name, std::string_view content);
    void line(PointF from, PointF to, std::string_view attributes = {});
    /// Nothing where `commands`, those of the attribute d, are empty.
    void path(std::string_view commands, std::string_view attributes = {});
    void rect(const RectF& area, std::string_view attributes);
    void polygon(const std::vector<PointF>& corners, std::string_view attributes);
    /// Each of its lines in one piece; size and colour come from the group around it.
    void text(const PlacedText& label, std::string_view attributes = {});

    [[nodiscard]] std::string take() { return std::move(out_); }

  private:
    std::string ids_;
    std::string out_;
};

}  // namespace roofwalk
