// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace roofwalk::ceilings {

/// Keeps two measurements of one device apart, whoever started them: a file named after the device is locked
/// as long as the object lives. The lock goes with its process, however that ends; the file stays.
class DeviceLock {
  public:
    enum class State {
        held,         ///< by us
        busy,         ///< another measurement has it
        unavailable,  ///< the file cannot be made: nothing is known of others
    };

    /// `uuid` names the device as the driver gives it; `folder` is the same for all users of a machine.
    DeviceLock(const std::filesystem::path& folder, std::string_view uuid);
    DeviceLock(const DeviceLock&) = delete;
    DeviceLock& operator=(const DeviceLock&) = delete;
    ~DeviceLock();

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] const std::filesystem::path& file() const { return file_; }
    /// Process that has it, as its file says; empty where it does not.
    [[nodiscard]] const std::string& holder() const { return holder_; }

  private:
    std::filesystem::path file_;
    std::string holder_;
    State state_ = State::unavailable;
    int descriptor_ = -1;
};

}  // namespace roofwalk::ceilings
