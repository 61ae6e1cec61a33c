// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/chart/chart_file.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <memory>

#include "app/cli/chart/chart_look.h"
#include "app/cli/output.h"
#include "core/base/text.h"
#include "core/chart/scene/scene.h"

namespace roofwalk::cli {

namespace {

constexpr const char* library_file = "librsvg-2.so.2";
constexpr double points_per_inch = 72;
constexpr double metres_per_inch = 0.0254;
constexpr int opaque = 1;     // CAIRO_FORMAT_RGB24
constexpr int pdf_title = 0;  // CAIRO_PDF_METADATA_TITLE
constexpr int pdf_maker = 4;  // CAIRO_PDF_METADATA_CREATOR
constexpr int pdf_date = 5;   // CAIRO_PDF_METADATA_CREATE_DATE

/// RsvgRectangle
struct Rectangle {
    double x;
    double y;
    double width;
    double height;
};
using Write = int(void* text, const unsigned char* data, unsigned size);  // cairo_write_func_t
using Release = void(void*);
using Object = std::unique_ptr<void, Release*>;

/// What is called of librsvg and of cairo, which it brings. Loaded where a chart needs them, they cost no
/// other command anything, and need not be there.
class Rsvg {
    struct Found {
        void* function;
        template <class Function>
        operator Function*() const {  // NOLINT(google-explicit-constructor): takes the type of its member
            return reinterpret_cast<Function*>(function);
        }
    };
    Found find(const char* name) {
        void* const function = library_ == nullptr ? nullptr : dlsym(library_, name);
        if (function == nullptr && missing_.empty()) missing_ = library_ == nullptr ? library_file : name;
        return {function};
    }

    void* library_ = dlopen(library_file, RTLD_NOW | RTLD_LOCAL);
    std::string missing_;

  public:
    [[nodiscard]] const std::string& missing() const { return missing_; }

    void* (*read)(const char*, std::size_t, void*) = find("rsvg_handle_new_from_data");
    void (*set_dpi)(void*, double) = find("rsvg_handle_set_dpi");
    int (*size)(void*, double*, double*) = find("rsvg_handle_get_intrinsic_size_in_pixels");
    int (*render)(void*, void*, const Rectangle*, void*) = find("rsvg_handle_render_document");
    Release* drop = find("g_object_unref");
    void* (*pdf)(Write*, void*, double, double) = find("cairo_pdf_surface_create_for_stream");
    void (*tell)(void*, int, const char*) = find("cairo_pdf_surface_set_metadata");
    void* (*image)(int, int, int) = find("cairo_image_surface_create");
    int (*write_png)(void*, Write*, void*) = find("cairo_surface_write_to_png_stream");
    void* (*draw_on)(void*) = find("cairo_create");
    Release* drawn = find("cairo_destroy");
    void (*finish)(void*) = find("cairo_surface_finish");
    int (*status)(void*) = find("cairo_surface_status");
    Release* drop_surface = find("cairo_surface_destroy");
};

int append(void* text, const unsigned char* data, unsigned size) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), size);
    return 0;
}

/// A figure of one file has one form: nothing of the day stands in it.
Object pdf_page(const Rsvg& rsvg, const Rectangle& page, const std::string& title, std::string& text) {
    Object surface(rsvg.pdf(append, &text, page.width, page.height), rsvg.drop_surface);
    rsvg.tell(surface.get(), pdf_title, title.empty() ? "Roofline" : title.c_str());
    rsvg.tell(surface.get(), pdf_maker, "Roofwalk");
    rsvg.tell(surface.get(), pdf_date, "");
    return surface;
}

/// So many pixels to the inch, which a paper needs for the size: cairo writes no pHYs.
void tell_size(std::string& png, double dots_per_inch) {
    constexpr std::size_t after_head = 33;  // signature and IHDR
    if (png.size() < after_head) return;
    const auto big_endian = [](std::size_t number) {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8)
            bytes += static_cast<char>(number >> shift & 0xFFU);
        return bytes;
    };
    const std::string dots =
        big_endian(static_cast<std::size_t>(std::lround(dots_per_inch / metres_per_inch)));
    const std::string chunk = "pHYs" + dots + dots + '\x01';  // to the metre
    const auto check =
        crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size()));
    png.insert(after_head, big_endian(chunk.size() - 4) + chunk + big_endian(check));
}

struct LatexWord {
    char letter;
    std::string_view command;
};
constexpr std::array latex_words{LatexWord{'\\', "textbackslash"},  LatexWord{'~', "textasciitilde"},
                                 LatexWord{'^', "textasciicircum"}, LatexWord{'<', "textless"},
                                 LatexWord{'>', "textgreater"},     LatexWord{'|', "textbar"},
                                 LatexWord{'"', "char34"},          LatexWord{'`', "char96"}};

/// Of letters beyond ASCII those that every engine sets: Latin ones, and what we write ourselves.
std::string latex_letter(std::string_view letter) {
    if (letter == "…") return "\\ldots{}";
    if (letter == "–") return "--";
    const auto first = static_cast<unsigned char>(letter.front());
    return first >= 0xC3 && first <= 0xC5 ? std::string(letter) : "?";
}

std::string latex(std::string_view text) {
    constexpr std::string_view with_backslash = "{}$&#_%";
    std::string escaped;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80) {
            std::size_t end = i + 1;
            while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
                ++end;
            escaped += latex_letter(text.substr(i, end - i));
            i = end - 1;
        } else if (with_backslash.find(c) != std::string_view::npos) {
            escaped += {'\\', c};
        } else if (const auto word = std::ranges::find(latex_words, c, &LatexWord::letter);
                   word != latex_words.end()) {
            escaped += fmt::format("\\{}{{}}", word->command);
        } else {
            escaped += byte < ' ' || byte == 0x7F ? '?' : c;
        }
    }
    return escaped;
}

/// The same with places where a line may end: behind punctuation, and inside long words.
std::string latex_name(std::string_view name) {
    constexpr std::size_t longest_part = 12;
    std::string broken;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool letter = std::isalnum(static_cast<unsigned char>(name[i])) != 0;
        const bool of_one = static_cast<unsigned char>(name[i]) >= 0x80;  // a letter of several bytes
        if (of_one || (letter && i - begin + 1 < longest_part)) continue;
        broken += latex(name.substr(begin, i + 1 - begin)) + "\\allowbreak{}";
        begin = i + 1;
    }
    return broken + latex(name.substr(begin));
}

}  // namespace

ChartFormat chart_format(const std::string& file) {
    const std::string suffix = suffix_of(file);
    if (suffix == ".pdf") return ChartFormat::pdf;
    if (suffix == ".html" || suffix == ".htm") return ChartFormat::html;
    return suffix == ".png" ? ChartFormat::png : ChartFormat::svg;
}

std::string chart_file_check(const std::string& file) {
    const std::string suffix = suffix_of(file);
    if (suffix.empty() || suffix == ".svg" || chart_format(file) != ChartFormat::svg) return {};
    return "a chart is written as .svg, .pdf, .png or .html, not as " + suffix;
}

Result<std::string> chart_as(ChartFormat format, std::string svg, const ChartLook& look) {
    if (format == ChartFormat::svg || format == ChartFormat::html) return svg;
    const Rsvg rsvg;
    if (!rsvg.missing().empty())
        return unexpected(ErrorCode::not_understood,
                          "There is no librsvg 2.52 or later to write a PDF or PNG with", rsvg.missing(),
                          "Install it (Debian and Ubuntu: librsvg2-2), or write a .svg.");
    const Object document(rsvg.read(svg.data(), svg.size(), nullptr), rsvg.drop);
    if (document) rsvg.set_dpi(document.get(), page_pixels_per_inch);
    Rectangle page{};
    if (!document || rsvg.size(document.get(), &page.width, &page.height) == 0)
        return unexpected(ErrorCode::corrupt, "librsvg cannot read the chart");
    const bool as_pdf = format == ChartFormat::pdf;
    const double scale = (as_pdf ? points_per_inch : look.dots_per_inch()) / page_pixels_per_inch;
    page.width *= scale;
    page.height *= scale;
    const double width = std::round(page.width);
    const double height = std::round(page.height);
    // A pixel that is not all page would have a dark edge.
    const double cover = as_pdf ? 1 : std::max(width / page.width, height / page.height);
    page.width *= cover;
    page.height *= cover;
    if (auto fits = refuse_huge_picture(
            {page.width, page.height},
            "Choose a smaller --size or --dpi, or write a .pdf or .svg, which has no pixels.");
        !as_pdf && !fits)
        return tl::unexpected(std::move(fits.error()));
    std::string text;
    const Object surface = as_pdf
                               ? pdf_page(rsvg, page, look.title, text)
                               : Object(rsvg.image(opaque, static_cast<int>(width), static_cast<int>(height)),
                                        rsvg.drop_surface);
    const bool drawn = rsvg.status(surface.get()) == 0 &&
                       rsvg.render(document.get(), Object(rsvg.draw_on(surface.get()), rsvg.drawn).get(),
                                   &page, nullptr) != 0 &&
                       (as_pdf || rsvg.write_png(surface.get(), append, &text) == 0);
    rsvg.finish(surface.get());
    if (!as_pdf) tell_size(text, look.dots_per_inch());
    if (drawn && rsvg.status(surface.get()) == 0) return text;
    return unexpected(ErrorCode::too_large, "There is not enough memory for a picture of this size",
                      fmt::format("{:.0f}x{:.0f}", page.width, page.height),
                      "Choose a smaller size or --dpi.");
}

std::string key_as_latex(const Scene& scene) {
    // As wide as a line: the name has what number, "FLOP/byte" and "12.3 %" leave of it.
    std::string text = fmt::format(
        "\\noindent\\begin{{tabular}}{{@{{}}rp{{\\dimexpr\\linewidth-6\\tabcolsep-10.5em\\relax}}rr@{{}}}}\n\\hline\n"
        " & kernel & {}/byte & time \\\\\n\\hline\n",
        latex(scene.unit));
    for (const KeyRow& row : scene.key)
        text += fmt::format("{} & \\raggedright\\hangindent=1em\\texttt{{{}}} & {} & {} \\\\\n", row.number,
                            latex_name(row.name), latex(row.intensity), latex(row.share));
    return text + "\\hline\n\\end{tabular}\n";
}

}  // namespace roofwalk::cli
