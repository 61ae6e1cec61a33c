// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/import/zstd_pack.h"

#include <zstd.h>

#include <memory>
#include <stdexcept>

namespace roofwalk::test {

namespace {

std::size_t checked(std::size_t code) {
    if (ZSTD_isError(code) != 0) throw std::runtime_error(ZSTD_getErrorName(code));
    return code;
}

}  // namespace

std::string pack_zstd(std::string_view text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(checked(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3)));
    return packed;
}

std::string pack_zstd_stream(std::string_view text) {
    const std::unique_ptr<ZSTD_CStream, decltype(&ZSTD_freeCStream)> stream(ZSTD_createCStream(),
                                                                            &ZSTD_freeCStream);
    std::string packed(ZSTD_compressBound(text.size()) + 1024, '\0');
    ZSTD_outBuffer output{packed.data(), packed.size(), 0};
    ZSTD_inBuffer input{text.data(), text.size(), 0};
    (void)checked(ZSTD_compressStream2(stream.get(), &output, &input, ZSTD_e_flush));
    if (checked(ZSTD_compressStream2(stream.get(), &output, &input, ZSTD_e_end)) != 0)
        throw std::runtime_error("the buffer is too small");
    packed.resize(output.pos);
    return packed;
}

std::string zstd_skippable_frame(std::string_view content) {
    std::string frame("\x5A\x2A\x4D\x18", 4);
    for (unsigned shift = 0; shift < 32; shift += 8)
        frame += static_cast<char>((content.size() >> shift) & 0xFFU);
    return frame.append(content);
}

}  // namespace roofwalk::test
