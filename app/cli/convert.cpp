// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "app/cli/input.h"
#include "app/cli/measured_roofs.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "app/cli/view_arguments.h"
#include "core/import/open_profile.h"
#include "core/report/profile_to_json.h"

namespace roofwalk::cli {

namespace {

struct ConvertOptions {
    std::vector<std::string> files;
    bool join = false;
    std::string output;
    std::string format;    ///< empty: by the suffix of `output`
    std::string device;    ///< of a file that names none
    std::string ceilings;  ///< a file, or "kept"; empty: none are added
};

/// "json" or "jsonl", as asked for or as the name of the output says; standard output and names without a
/// suffix get JSON.
Result<std::string> form_of(const ConvertOptions& options) {
    if (!options.format.empty()) return options.format;
    const std::filesystem::path output(options.output);
    const std::string suffix = output.extension();
    if (suffix.empty() || suffix == ".json") return "json";
    if (suffix == ".jsonl") return "jsonl";
    return unexpected(
        ErrorCode::bad_argument, "convert writes .json and .jsonl, and no " + suffix, options.output,
        "Name the output so, or choose with --format json or jsonl; report --format csv writes a table.");
}

/// What was measured apart from the profile, as somebody asked for: by itself a file is converted as it is.
Result<void> add_measured(const std::string& ceilings, std::shared_ptr<const Profile>& profile) {
    if (ceilings.empty()) return {};
    return measured_use(*profile, ceilings == "kept" ? std::string() : ceilings, {})
        .and_then([&](const MeasuredUse& use) -> Result<void> {
            if (measured_sets(*profile, use).empty())
                return unexpected(ErrorCode::bad_argument,
                                  "No ceilings are kept that hold for a device of this profile", "",
                                  "`roofwalk-cli ceilings --list` shows those that are kept.");
            auto measured = std::make_shared<Profile>(*profile);
            merge_measured(*measured, use);
            profile = std::move(measured);
            return {};
        });
}

Result<std::shared_ptr<const Profile>> read_one(const ConvertOptions& options) {
    if (!options.join && options.files.size() > 1)
        return unexpected(ErrorCode::bad_argument, "convert reads one file", options.files[1],
                          "--join makes one run of several.");
    NamedFiles files;
    for (const std::string& file : options.files)
        files.reports.push_back({file, {}});
    files.session.joined = options.join;
    files.whole = true;
    return read_reports(files);
}

Result<void> converted(const ConvertOptions& options) {
    const Result<std::string> form = form_of(options);
    if (!form) return tl::unexpected(form.error());
    Result<std::shared_ptr<const Profile>> profile = read_one(options);
    if (!profile) return tl::unexpected(profile.error());
    return name_devices(*profile, options.device)
        .and_then([&] { return add_measured(options.ceilings, *profile); })
        .and_then([&] {
            return write_output(options.output,
                                *form == "jsonl" ? to_json_lines(**profile) : to_json(**profile));
        });
}

int convert(const ConvertOptions& options) {
    const Result<void> written = converted(options);
    if (written) return exit_done;
    return fail(written.error());
}

}  // namespace

void add_convert(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("convert", "Write a profile as Roofwalk JSON");
    const auto options = std::make_shared<ConvertOptions>();
    verb->add_option("FILE", options->files, list_of_formats() + "; - is stdin; several with --join")
        ->required()
        ->type_name("");
    add_join_option(*verb, options->join);
    add_device_option(*verb, options->device);
    verb->add_option("-o,--output", options->output, "file to write, .json or .jsonl; - for stdout")
        ->required()
        ->type_name("FILE");
    verb->add_option("--format", options->format, "json or jsonl, whatever the name of the file")
        ->check(CLI::IsMember({"json", "jsonl"}));
    verb->add_option(
            "--ceilings", options->ceilings,
            "put ceilings measured on the device into its profile: those of FILE, as `ceilings -o` writes it, or "
            "those kept of the same GPU. Without it none are added")
        ->type_name("FILE|kept");
    verb->callback([options, &status] { status = convert(*options); });
}

}  // namespace roofwalk::cli
