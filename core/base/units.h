// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>

namespace roofwalk {

/// A double that knows its dimension: FLOP^F * byte^B * second^T. Products and quotients of quantities get
/// the right dimension by themselves, so that a byte rate can never be taken for a FLOP rate.
template <int F, int B, int T>
class Quantity {
  public:
    constexpr Quantity() = default;
    constexpr explicit Quantity(double value) : value_(value) {}

    /// The bare number in base units (FLOP, byte, second and their quotients).
    [[nodiscard]] constexpr double value() const { return value_; }

    constexpr Quantity& operator+=(Quantity other) {
        value_ += other.value_;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value_ + b.value_); }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value_ - b.value_); }
    friend constexpr Quantity operator*(Quantity a, double k) { return Quantity(a.value_ * k); }
    friend constexpr Quantity operator*(double k, Quantity a) { return Quantity(a.value_ * k); }
    friend constexpr Quantity operator/(Quantity a, double k) { return Quantity(a.value_ / k); }
    friend constexpr auto operator<=>(Quantity, Quantity) = default;

  private:
    double value_ = 0;
};

using Flops = Quantity<1, 0, 0>;       ///< Work [FLOP]; for integer pipes, operations.
using Bytes = Quantity<0, 1, 0>;       ///< Traffic [byte].
using Seconds = Quantity<0, 0, 1>;     ///< Time [s].
using Hertz = Quantity<0, 0, -1>;      ///< Clock [1/s].
using FlopRate = Quantity<1, 0, -1>;   ///< Performance [FLOP/s].
using ByteRate = Quantity<0, 1, -1>;   ///< Bandwidth [byte/s].
using Intensity = Quantity<1, -1, 0>;  ///< Arithmetic intensity [FLOP/byte].

template <int F, int B, int T>
constexpr auto quantity_or_number(double value) {
    if constexpr (F == 0 && B == 0 && T == 0)
        return value;
    else
        return Quantity<F, B, T>(value);
}

template <int F1, int B1, int T1, int F2, int B2, int T2>
constexpr auto operator*(Quantity<F1, B1, T1> a, Quantity<F2, B2, T2> b) {
    return quantity_or_number<F1 + F2, B1 + B2, T1 + T2>(a.value() * b.value());
}

template <int F1, int B1, int T1, int F2, int B2, int T2>
constexpr auto operator/(Quantity<F1, B1, T1> a, Quantity<F2, B2, T2> b) {
    return quantity_or_number<F1 - F2, B1 - B2, T1 - T2>(a.value() / b.value());
}

}  // namespace roofwalk
