// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/devices/match_device.h"
#include "core/model/profile.h"

namespace CLI {
class App;
}

namespace roofwalk::cli {

/// The GPU that an option names: a file that describes one, where the name has a '/' or ends in ".json", or
/// there is such a file and the name fits no GPU of the built-in table; else one of the table. A part of a
/// name is enough where it fits one model; of several variants the usual one is taken. Both are said on
/// stderr. An error lists the models that fit, or all there are.
[[nodiscard]] Result<Device> named_device(const std::string& name, const char* option = "--device");

/// The GPUs of the built-in table that such a name may mean; none of a file.
[[nodiscard]] MeantDevices table_devices_meant(const std::string& name);

/// Says on stderr which GPUs of a profile the name of a device fits too, each name once.
void say_ambiguous_devices(const Profile& profile);
/// The option of the commands that draw roofs.
void add_device_option(CLI::App& verb, std::string& name);

/// Callback of an option that names a GPU: "list" prints them, and the command ends.
void print_device_list(const std::string& text);
/// What is wrong with the value of an option that names a GPU; empty where nothing is.
[[nodiscard]] std::string device_name_check(const std::string& text);

/// named_profile() takes the place of the profile; what is refused is said on stderr. Whether it gave a name.
bool name_unnamed(std::shared_ptr<const Profile>& profile, const Device& device, const std::string& where);

/// Gives the named GPU to the launches of a profile that ran on none that it names. Nothing without a name;
/// an error when it names no GPU, or when the profile names each of its own.
[[nodiscard]] Result<void> name_devices(std::shared_ptr<const Profile>& profile, const std::string& name);

}  // namespace roofwalk::cli
