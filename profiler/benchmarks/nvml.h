// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roofwalk::ceilings {

/// What the driver's management library says of one device. Where it is missing, or does not say, nothing is
/// known.
class Nvml {
  public:
    /// The library, loaded and begun until the last one lets go of it; null where it is missing.
    using Session = std::shared_ptr<void>;
    [[nodiscard]] static Session open();

    /// `bus_id` as CUDA spells it: "0000:01:00.0".
    explicit Nvml(const std::string& bus_id, Session session = open());

    [[nodiscard]] std::string driver_version() const;
    [[nodiscard]] std::optional<double> power_limit() const;        ///< [W] that is enforced
    [[nodiscard]] std::optional<double> highest_sm_clock() const;   ///< [1/s]
    [[nodiscard]] std::optional<double> application_clock() const;  ///< [1/s] of the SMs, as set for programs
    [[nodiscard]] std::optional<double> sm_clock() const;           ///< [1/s] at present
    /// [1/s] that the SMs hold at present while they work, where an application clock or a locked clock keeps
    /// them from more: no function tells a locked clock itself. Absent while they rest, and where they are
    /// free or held down by something else.
    [[nodiscard]] std::optional<double> set_clock() const;
    [[nodiscard]] std::optional<bool> error_correction() const;  ///< ECC is on; off where there is none
    [[nodiscard]] std::optional<double> temperature() const;     ///< [degree Celsius]
    [[nodiscard]] std::optional<bool> multi_instance() const;    ///< MIG is on
    /// Processes that compute on the device at present.
    [[nodiscard]] std::optional<unsigned> computing_processes() const;
    /// Why the clock is lower than it could be: "power limit", "temperature", ...; empty: it is not.
    [[nodiscard]] std::vector<std::string> throttle_reasons() const;

  private:
    template <class... Out>
    bool ask(const char* name, Out... out) const;
    /// nvmlClocksEventReason* of the moment; 0: unknown or none.
    [[nodiscard]] unsigned long long event_reasons() const;
    [[nodiscard]] std::optional<double> clock(const char* name, unsigned domain) const;

    Session library_;
    void* device_ = nullptr;
};

}  // namespace roofwalk::ceilings
