// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/profile_builder.h"

namespace roofwalk {

NvtxIndex ProfileBuilder::nvtx(NvtxStack stack) {
    if (stack.empty()) return NvtxIndex::none;
    const std::vector<std::string_view> names(stack.begin(), stack.end());
    const auto [entry, added] =
        stacks_.try_emplace(key_of(names), static_cast<NvtxIndex>(profile_.nvtx_stacks.size()));
    if (added) {
        stack.shrink_to_fit();
        profile_.nvtx_stacks.push_back(std::move(stack));
    }
    return entry->second;
}

const std::string& ProfileBuilder::key_of(std::span<const std::string_view> names) {
    key_.clear();
    for (const std::string_view name : names) {
        key_ += std::to_string(name.size());
        key_ += ':';
        key_ += name;
    }
    return key_;
}

Error of_file(Error error, const std::string& file) {
    error.where = place_in_file(file, error.where);
    return error;
}

Result<Profile> of_file(Result<Profile> read, const std::string& file) {
    if (!read) return tl::unexpected(of_file(std::move(read.error()), file));
    for (SourceInfo& source : read->sources)
        source.path = file;
    for (Warning& warning : read->warnings)
        warning.file = file;
    return read;
}

}  // namespace roofwalk
