// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/machine.h"

#include <QTest>
#include <string_view>

#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"

namespace tst_container {

using namespace roofwalk;
using roofwalk::test::MadeRoot;
using namespace std::string_literals;

namespace {

constexpr const char* overlay = "812 711 0:95 / / rw,relatime - overlay overlay rw,lowerdir=";
constexpr const char* hosts = " /etc/hosts rw,relatime - ext4 /dev/sda1 rw\n";

bool says(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

class TestContainer : public QObject {
    Q_OBJECT

  private slots:
    void engines_are_told_by_what_they_leave_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<ContainerKind>("container");
        const auto row = [](const char* name, const char* file, const std::string& text,
                            ContainerKind container) {
            QTest::newRow(name) << file << QByteArray::fromStdString(text) << container;
        };
        row("Docker", ".dockerenv", "", ContainerKind::docker);
        row("Docker, its group", "proc/1/cgroup", "0::/system.slice/docker-4f.scope\n",
            ContainerKind::docker);
        row("Docker, its hosts", "proc/self/mountinfo",
            "1 2 8:1 /var/lib/docker/containers/4f/hosts"s + hosts, ContainerKind::docker);
        row("Podman", "run/.containerenv", "engine=\"podman-4.9.3\"\nrootless=1\n", ContainerKind::podman);
        row("Podman, nothing in its mark", "run/.containerenv", "", ContainerKind::podman);
        row("Podman, its group", "proc/self/cgroup", "0::/user.slice/libpod-4f.scope/container\n",
            ContainerKind::podman);
        row("Podman, its root", "proc/self/mountinfo",
            overlay + "/home/jane/.local/share/containers/storage/overlay/l/X\n"s, ContainerKind::podman);
        row("Kubernetes, its group", "proc/1/cgroup",
            "0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-4f.scope\n", ContainerKind::kubernetes);
        row("Kubernetes, its hosts", "proc/self/mountinfo",
            "1 2 8:1 /var/lib/kubelet/pods/4f-1/etc-hosts"s + hosts, ContainerKind::kubernetes);
        row("Kubernetes, its account", "run/secrets/kubernetes.io/serviceaccount/token", "",
            ContainerKind::kubernetes);
        row("Kubernetes, its variables", "proc/self/environ", "A=1\0KUBERNETES_SERVICE_HOST=10.0.0.1\0"s,
            ContainerKind::kubernetes);
        row("containerd", "proc/self/mountinfo",
            overlay + "/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/7/fs\n"s,
            ContainerKind::containerd);
        row("Apptainer", ".singularity.d/runscript", "", ContainerKind::apptainer);
        row("Singularity", "proc/self/environ", "SINGULARITY_CONTAINER=/a.sif\0"s, ContainerKind::apptainer);
        row("LXC", "proc/1/cgroup", "0::/lxc.payload.train\n", ContainerKind::lxc);
        row("LXC, by its manager", "run/systemd/container", "lxc\n", ContainerKind::lxc);
        row("systemd-nspawn", "run/systemd/container", "systemd-nspawn\n", ContainerKind::lxc);
        row("another", "proc/self/environ", "container=flatpak\0"s, ContainerKind::other);
        row("none", "proc/1/cgroup", "0::/init.scope\n", ContainerKind::none);
        row("a host of containers", "proc/self/mountinfo",
            "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
            "90 29 0:4 / /var/lib/docker/overlay2/4f/merged rw - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/X\n"
            "91 29 0:5 / /var/lib/kubelet/pods/4f/volumes/t rw - tmpfs tmpfs rw\n",
            ContainerKind::none);
    }
    void engines_are_told_by_what_they_leave() {
        QFETCH(const QString, file);
        QFETCH(const QByteArray, text);
        QFETCH(const ContainerKind, container);
        const MadeRoot root;
        root.write(file.toStdString(), text.toStdString());
        QVERIFY(read_container(root.path()) == container);
    }

    void a_pod_is_one_whatever_its_engine() {
        for (const char* mark : {".dockerenv", "run/.containerenv"}) {
            const MadeRoot root;
            root.write(mark, "");
            root.write("proc/1/cgroup", "0::/\n");
            root.write("proc/self/mountinfo", "1 2 8:1 /var/lib/kubelet/pods/4f-1/etc-hosts"s + hosts);
            QVERIFY(read_container(root.path()) == ContainerKind::kubernetes);
        }
    }

    void users_of_a_namespace_are_numbered_otherwise_data() {
        QTest::addColumn<QString>("map");
        QTest::addColumn<bool>("own");
        QTest::newRow("the machine's") << "         0          0 4294967295\n" << false;
        QTest::newRow("unshare -r") << "         0       1000          1\n" << true;
        QTest::newRow("rootless Podman") << "0 1000 1\n1 100000 65536\n" << true;
        QTest::newRow("a remapped daemon") << "0 100000 65536\n" << true;
        QTest::newRow("the same numbers, but not all") << "0 0 65536\n" << true;
        QTest::newRow("a kernel without namespaces") << "" << false;
    }
    void users_of_a_namespace_are_numbered_otherwise() {
        QFETCH(const QString, map);
        QFETCH(const bool, own);
        const MadeRoot root;
        if (!map.isEmpty()) root.write("proc/self/uid_map", map.toStdString());
        QCOMPARE(has_own_users(root.path()), own);
    }

    void each_has_its_remedy_for_counters_data() {
        QTest::addColumn<ContainerKind>("container");
        QTest::addColumn<bool>("own_users");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, ContainerKind container, bool own_users, const char* part) {
            QTest::newRow(name) << container << own_users << part;
        };
        row("machine", ContainerKind::none, false, "Run the profiler as root");
        row("unshare", ContainerKind::none, true, "run outside of it as root");
        row("Docker", ContainerKind::docker, false, "--cap-add=SYS_ADMIN");
        row("Docker, rootless or remapped", ContainerKind::docker, true, "--userns=host");
        row("containerd", ContainerKind::containerd, false, "--cap-add=SYS_ADMIN");
        row("Podman", ContainerKind::podman, false, "sudo podman run --cap-add=SYS_ADMIN");
        row("Podman, rootless", ContainerKind::podman, true, "rootless, so that no --cap-add gives counters");
        row("Kubernetes", ContainerKind::kubernetes, false,
            "`securityContext: {runAsUser: 0, capabilities: {add: [\"SYS_ADMIN\"]}}`");
        row("Kubernetes, users of its own", ContainerKind::kubernetes, true, "`hostUsers: true`");
        row("Apptainer", ContainerKind::apptainer, false, "--add-caps CAP_SYS_ADMIN");
        row("LXC", ContainerKind::lxc, false, "lxc.cap.drop");
        row("LXC, unprivileged", ContainerKind::lxc, true, "privileged one");
        row("another", ContainerKind::other, false, "outside of this container");
    }
    void each_has_its_remedy_for_counters() {
        QFETCH(const ContainerKind, container);
        QFETCH(const bool, own_users);
        QFETCH(const QString, part);
        const std::string remedy = how_to_permit_counters(container, own_users, false);
        QVERIFY2(says(remedy, part.toStdString()), remedy.c_str());
        QVERIFY2(says(remedy, "NVreg_RestrictProfilingToAdminUsers=0"), remedy.c_str());
    }

    void a_container_with_the_capability_needs_its_root_alone() {
        QVERIFY(
            says(how_to_permit_counters(ContainerKind::kubernetes, false, true), "run as root inside of it"));
        QVERIFY(
            !says(how_to_permit_counters(ContainerKind::kubernetes, true, true), "run as root inside of it"));
        for (const ContainerKind container : {ContainerKind::none, ContainerKind::apptainer})
            QVERIFY(!says(how_to_permit_counters(container, false, true), "run as root inside of it"));
    }

    void each_shows_gpus_in_its_way() {
        QVERIFY(says(how_to_show_gpus(ContainerKind::docker), "--gpus all"));
        QVERIFY(says(how_to_show_gpus(ContainerKind::podman), "--device nvidia.com/gpu=all"));
        QVERIFY(says(how_to_show_gpus(ContainerKind::kubernetes), "nvidia.com/gpu: 1"));
        QVERIFY(says(how_to_show_gpus(ContainerKind::apptainer), "--nv"));
        QVERIFY(says(how_to_show_gpus(ContainerKind::lxc), "nvidia.runtime"));
        QVERIFY(says(how_to_show_gpus(ContainerKind::other), "/dev/nvidia*"));
    }
};

}  // namespace tst_container

ROOFWALK_TEST(tst_container, TestContainer, NoApplication)
#include "tst_container.moc"
