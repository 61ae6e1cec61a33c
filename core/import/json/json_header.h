// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/json_decoder.h"
#include "core/model/profile_codec.h"

namespace roofwalk {

/// What the kernels of a profile refer to.
struct JsonHeader {
    bool has_format = false;           ///< the full form says what it is; the short form need not
    Origin origin = Origin::measured;  ///< of samples that do not say; modelled in the short form
    std::unordered_map<std::string, DeviceIndex> device_ids;
    bool devices_by_name = false;  ///< short form: a kernel may name any device
    std::vector<TextId> texts;
    std::vector<std::shared_ptr<const CeilingSet>> ceiling_sets;
    bool recording = false;  ///< written while the program ran: later lines may add to the header
};

/// What the lines of a recording say of it, beside its launches.
struct JsonRecording {
    std::optional<JsonRecordingEnd> end;
    std::optional<RecordingCounts> counts;  ///< the last ones

    /// What to say of a recording with no more lines that does not end in order: whatever wrote it was
    /// killed, or says why launches may be missing. `name` stands for the file.
    [[nodiscard]] std::optional<Error> cut(const std::string& name) const;
};

/// Reads the outer object without its kernels; fills sources, warnings, devices and texts of the
/// profile.
bool read_json_header(const JsonValue& value, JsonHeader& header, Profile& profile);

/// A later line of a recording: "more" adds devices, texts and warnings to the header and has the counts
/// so far, "end" is the last.
/// Absent where the line is a kernel.
std::optional<bool> read_recording_line(const JsonValue& value, JsonHeader& header, Profile& profile,
                                        JsonRecording& recording);

}  // namespace roofwalk
