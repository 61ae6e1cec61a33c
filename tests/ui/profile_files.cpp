// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/profile_files.h"

#include <QFile>
#include <QStringList>
#include <QTemporaryDir>

#include "tests/support/separate_runs.h"

namespace roofwalk::test {

namespace {

QString write(const QTemporaryDir& folder, const QString& name, const QString& text) {
    const QString path = folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(path));
    file.write(text.toUtf8());
    return path;
}

QString profile_of(const QStringList& kernels) {
    return QStringLiteral(R"({"device": "A100 SXM4 80GB", "kernels": [%1]})").arg(kernels.join(",\n"));
}

}  // namespace

QString write_three_kernels(const QTemporaryDir& folder, const QString& name) {
    const QString stream = R"json({"name": "stream_add(float const*, float*)", "flops": 4e8, "bytes": 4.8e9,
                                   "duration_ns": 3000000})json";
    const QString sgemm = R"json({"name": "void sgemm_tiled<128, 8>(float const*, float const*, float*)",
                                  "duration_ns": 3000000, "flops": {"fp32": 3e10},
                                  "bytes": {"hbm/dram-rw": 1e9, "l2/sm-sectors": 4e9,
                                            "smem/wavefronts": 2e10}})json";
    const QString copy = R"json({"name": "copy_indices", "flops": {"fp32": 0}, "bytes": 1e9,
                                 "duration_ns": 1000000})json";
    return write(folder, name, profile_of({stream, sgemm, copy, stream}));
}

QString write_gemm_by_its_numbers(const QTemporaryDir& folder, const QString& name) {
    const auto launch = [](int blocks, double size) {
        return QStringLiteral(R"({"name": "ampere_sgemm_128x128_nn", "grid": [%1, %1, 1],
                                  "block": [256, 1, 1], "flops": {"fp32": %2}, "bytes": 1e9,
                                  "duration_ns": %3})")
            .arg(blocks)
            .arg(2 * size * size * size, 0, 'f', 0)
            .arg(blocks * 1000000);
    };
    return write(folder, name, profile_of({launch(32, 4096), launch(16, 2048)}));
}

QString write_many_kernels(const QTemporaryDir& folder, const QString& name, int count) {
    QStringList kernels;
    for (int i = 0; i < count; ++i)
        kernels.append(
            QStringLiteral(R"({"name": "kernel_%1", "flops": 1e9, "bytes": 1e8, "duration_ns": %2})")
                .arg(i)
                .arg(100000 + 10 * (count - i)));
    return write(folder, name, profile_of(kernels));
}

QString write_kernel_without_flops(const QTemporaryDir& folder, const QString& name) {
    return write(folder, name,
                 profile_of({R"({"name": "unknown_work", "bytes": 1e9, "duration_ns": 1000000})"}));
}

QString write_kernel_without_roof(const QTemporaryDir& folder, const QString& name) {
    return write(folder, name,
                 R"({"device": "GPU of nobody", "kernels": [{"name": "roofless", "flops": 2e8, "bytes": 1.2e9,
                                                "duration_ns": 1000000}]})");
}

QString write_modelled_kernel(const QTemporaryDir& folder, const QString& name) {
    return write(
        folder, name,
        R"({"device": "A100 SXM4 80GB", "origin": "modelled", "kernels": [{"name": "by_hand", "flops": 2e8,
                                                "bytes": {"hbm": 1.2e9}, "duration_ns": 1000000}]})");
}

QString write_kernel_with_uncounted_work(const QTemporaryDir& folder, const QString& name) {
    return write(folder, name, profile_of({R"({"name": "half_counted", "flops": 2e8, "bytes": 1.2e9,
                                               "duration_ns": 1000000, "uncounted_work": ["tensor"]})"}));
}

QString write_kernel_with_busy_sm(const QTemporaryDir& folder, const QString& name) {
    return write(folder, name, profile_of({R"json({"name": "issuing", "flops": 1e9, "duration_ns": 1000000,
                                     "bytes": {"hbm": 1e8, "l2": 1e8, "smem": 1e8},
                                     "metrics": {"sm__throughput.avg.pct_of_peak_sustained_elapsed": 70}})json"}));
}

QString write_kernel_bound_by_l1(const QTemporaryDir& folder, const QString& name) {
    return write(folder, name, profile_of({R"({"name": "through_l1", "flops": 1e9, "duration_ns": 1000000,
                                               "bytes": {"hbm": 1e8, "l1": 1e10}})"}));
}

QString write_on_device(const QTemporaryDir& folder, const QString& name, const QString& device) {
    return write(folder, name,
                 QStringLiteral(R"({"device": "%1", "kernels": [{"name": "elsewhere", "flops": 1e9,
                                   "bytes": 1e9, "duration_ns": 1000000}]})")
                     .arg(device));
}

QString write_partial_file(const QTemporaryDir& folder, const QString& name) {
    return write(folder, name,
                 R"({"device": "A100 SXM4 80GB", "kernels": [
                     {"name": "whole", "flops": 1e9, "bytes": 1e8, "duration_ns": 100000},
                     {"name": "cut", "flo)");
}

QStringList write_separate_runs(const QTemporaryDir& folder) {
    QStringList paths;
    for (const SeparateRun run : separate_runs) {
        const char* names[] = {"time.ncu-rep", "bytes.ncu-rep", "flop.ncu-rep"};
        paths.append(folder.filePath(names[static_cast<std::size_t>(run)]));
        const std::string report = write_report(separate_report(run, separate_launches()));
        QFile file(paths.back());
        if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(paths.back()));
        file.write(QByteArray::fromStdString(report));
    }
    return paths;
}

QString write_broken_file(const QTemporaryDir& folder, const QString& name) {
    return write(folder, name, QStringLiteral("this is no profile"));
}

}  // namespace roofwalk::test
