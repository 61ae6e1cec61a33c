// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/model/profile.h"

namespace roofwalk {

/// A profile while a reader builds it: gives equal kernels, devices and NVTX stacks one index.
class ProfileBuilder {
  public:
    using Names = std::initializer_list<std::string_view>;

    /// The kernel that these names tell apart from the others; `describe` is called when it is met first.
    template <class Describe>
    [[nodiscard]] KernelIndex kernel(Names names, const Describe& describe) {
        return index_of<KernelIndex>(kernels_, names, profile_.kernels, describe);
    }
    /// The same for devices. A profile has at most 65,536; later ones count as the last.
    template <class Describe>
    [[nodiscard]] DeviceIndex device(Names names, const Describe& describe) {
        constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max() + std::size_t{1};
        if (profile_.devices.size() < most)
            return index_of<DeviceIndex>(devices_, names, profile_.devices, describe);
        const auto known = devices_.find(key_of(names));
        return known == devices_.end() ? static_cast<DeviceIndex>(most - 1) : known->second;
    }
    /// NvtxIndex::none for the empty stack.
    [[nodiscard]] NvtxIndex nvtx(NvtxStack stack);

    [[nodiscard]] Profile& profile() { return profile_; }
    [[nodiscard]] const Profile& profile() const { return profile_; }
    [[nodiscard]] Profile take() { return std::move(profile_); }

  private:
    template <class Index>
    using Indices = std::unordered_map<std::string, Index>;

    /// Names behind each other, in memory that the next call uses again; their lengths keep apart what would
    /// read the same when joined.
    const std::string& key_of(std::span<const std::string_view> names);

    template <class Index, class Value, class Describe>
    Index index_of(Indices<Index>& known, Names names, std::vector<Value>& values, const Describe& describe) {
        const auto [entry, added] = known.try_emplace(key_of(names), static_cast<Index>(values.size()));
        if (added) values.push_back(describe());
        return entry->second;
    }

    Profile profile_;
    Indices<KernelIndex> kernels_;
    Indices<DeviceIndex> devices_;
    Indices<NvtxIndex> stacks_;
    std::string key_;
};

/// What a reader made of a file, which it names here: its sources, its warnings and why it could not be read.
[[nodiscard]] Result<Profile> of_file(Result<Profile> read, const std::string& file);
[[nodiscard]] Error of_file(Error error, const std::string& file);

}  // namespace roofwalk
