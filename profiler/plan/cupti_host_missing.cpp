// SPDX-License-Identifier: GPL-3.0-or-later
// In the place of cupti_host.cpp where CUPTI's headers were missing.
#include "profiler/plan/cupti_host.h"

namespace roofwalk {

struct CuptiHost::Functions {};

namespace {

tl::unexpected<Error> not_built() {
    return tl::unexpected(Error{ErrorCode::unsupported_version, "This program was built without CUPTI", "",
                                "Build it where the headers of CUDA 13.0 or later are installed."});
}

}  // namespace

CuptiHost::CuptiHost(std::unique_ptr<Functions> functions) : functions_(std::move(functions)) {}
CuptiHost::CuptiHost(CuptiHost&&) noexcept = default;
CuptiHost& CuptiHost::operator=(CuptiHost&&) noexcept = default;
CuptiHost::~CuptiHost() = default;

bool built_with_cupti() {
    return false;
}

Result<CuptiHost> CuptiHost::load(const std::filesystem::path& /*library*/) {
    return not_built();
}

std::uint32_t CuptiHost::version() const {
    return 0;
}

Result<std::vector<std::string>> CuptiHost::chips() const {
    return not_built();
}

Result<std::vector<std::string>> CuptiHost::unknown_metrics(const std::string& /*chip*/,
                                                            std::span<const std::string> /*metrics*/) const {
    return not_built();
}

Result<ConfigImage> CuptiHost::config_image(const std::string& /*chip*/,
                                            std::span<const std::string> /*metrics*/,
                                            std::span<const std::uint8_t> /*availability*/) const {
    return not_built();
}

Result<std::size_t> CuptiHost::pass_count(std::span<const std::uint8_t> /*image*/) const {
    return not_built();
}

Result<std::map<std::string, double>> CuptiHost::evaluate(const std::string& /*chip*/,
                                                          std::span<const std::uint8_t> /*availability*/,
                                                          std::span<const std::uint8_t> /*counter_data*/,
                                                          std::size_t /*range*/,
                                                          std::span<const std::string> /*metrics*/) const {
    return not_built();
}

}  // namespace roofwalk
