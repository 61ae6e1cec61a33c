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
        QTest::addColumn<Container>("container");
        const auto row = [](const char* name, const char* file, const std::string& text,
                            Container container) {
            QTest::newRow(name) << file << QByteArray::fromStdString(text) << container;
        };
        row("Docker", ".dockerenv", "", Container::docker);
        row("Docker, its group", "proc/1/cgroup", "0::/system.slice/docker-4f.scope\n", Container::docker);
        row("Docker, its hosts", "proc/self/mountinfo",
            "1 2 8:1 /var/lib/docker/containers/4f/hosts"s + hosts, Container::docker);
        row("Podman", "run/.containerenv", "engine=\"podman-4.9.3\"\nrootless=1\n", Container::podman);
        row("Podman, nothing in its mark", "run/.containerenv", "", Container::podman);
        row("Podman, its group", "proc/self/cgroup", "0::/user.slice/libpod-4f.scope/container\n",
            Container::podman);
        row("Podman, its root", "proc/self/mountinfo",
            overlay + "/home/jane/.local/share/containers/storage/overlay/l/X\n"s, Container::podman);
        row("Kubernetes, its group", "proc/1/cgroup",
            "0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-4f.scope\n", Container::kubernetes);
        row("Kubernetes, its hosts", "proc/self/mountinfo",
            "1 2 8:1 /var/lib/kubelet/pods/4f-1/etc-hosts"s + hosts, Container::kubernetes);
        row("Kubernetes, its account", "run/secrets/kubernetes.io/serviceaccount/token", "",
            Container::kubernetes);
        row("Kubernetes, its variables", "proc/self/environ", "A=1\0KUBERNETES_SERVICE_HOST=10.0.0.1\0"s,
            Container::kubernetes);
        row("containerd", "proc/self/mountinfo",
            overlay + "/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/7/fs\n"s,
            Container::containerd);
        row("Apptainer", ".singularity.d/runscript", "", Container::apptainer);
        row("Singularity", "proc/self/environ", "SINGULARITY_CONTAINER=/a.sif\0"s, Container::apptainer);
        row("LXC", "proc/1/cgroup", "0::/lxc.payload.train\n", Container::lxc);
        row("LXC, by its manager", "run/systemd/container", "lxc\n", Container::lxc);
        row("systemd-nspawn", "run/systemd/container", "systemd-nspawn\n", Container::lxc);
        row("another", "proc/self/environ", "container=flatpak\0"s, Container::other);
        row("none", "proc/1/cgroup", "0::/init.scope\n", Container::none);
        row("a host of containers", "proc/self/mountinfo",
            "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
            "90 29 0:4 / /var/lib/docker/overlay2/4f/merged rw - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/X\n"
            "91 29 0:5 / /var/lib/kubelet/pods/4f/volumes/t rw - tmpfs tmpfs rw\n",
            Container::none);
    }
    void engines_are_told_by_what_they_leave() {
        QFETCH(const QString, file);
        QFETCH(const QByteArray, text);
        QFETCH(const Container, container);
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
            QVERIFY(read_container(root.path()) == Container::kubernetes);
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
        QTest::addColumn<Container>("container");
        QTest::addColumn<bool>("own_users");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, Container container, bool own_users, const char* part) {
            QTest::newRow(name) << container << own_users << part;
        };
        row("machine", Container::none, false, "Run the profiler as root");
        row("unshare", Container::none, true, "run outside of it as root");
        row("Docker", Container::docker, false, "--cap-add=SYS_ADMIN");
        row("Docker, rootless or remapped", Container::docker, true, "--userns=host");
        row("containerd", Container::containerd, false, "--cap-add=SYS_ADMIN");
        row("Podman", Container::podman, false, "sudo podman run --cap-add=SYS_ADMIN");
        row("Podman, rootless", Container::podman, true, "rootless, so that no --cap-add gives counters");
        row("Kubernetes", Container::kubernetes, false,
            "`securityContext: {runAsUser: 0, capabilities: {add: [\"SYS_ADMIN\"]}}`");
        row("Kubernetes, users of its own", Container::kubernetes, true, "`hostUsers: true`");
        row("Apptainer", Container::apptainer, false, "--add-caps CAP_SYS_ADMIN");
        row("LXC", Container::lxc, false, "lxc.cap.drop");
        row("LXC, unprivileged", Container::lxc, true, "privileged one");
        row("another", Container::other, false, "outside of this container");
    }
    void each_has_its_remedy_for_counters() {
        QFETCH(const Container, container);
        QFETCH(const bool, own_users);
        QFETCH(const QString, part);
        const std::string remedy = how_to_permit_counters(container, own_users, false);
        QVERIFY2(says(remedy, part.toStdString()), remedy.c_str());
        QVERIFY2(says(remedy, "NVreg_RestrictProfilingToAdminUsers=0"), remedy.c_str());
    }

    void a_container_with_the_capability_needs_its_root_alone() {
        QVERIFY(says(how_to_permit_counters(Container::kubernetes, false, true), "run as root inside of it"));
        QVERIFY(!says(how_to_permit_counters(Container::kubernetes, true, true), "run as root inside of it"));
        for (const Container container : {Container::none, Container::apptainer})
            QVERIFY(!says(how_to_permit_counters(container, false, true), "run as root inside of it"));
    }

    void each_shows_gpus_in_its_way() {
        QVERIFY(says(how_to_show_gpus(Container::docker), "--gpus all"));
        QVERIFY(says(how_to_show_gpus(Container::podman), "--device nvidia.com/gpu=all"));
        QVERIFY(says(how_to_show_gpus(Container::kubernetes), "nvidia.com/gpu: 1"));
        QVERIFY(says(how_to_show_gpus(Container::apptainer), "--nv"));
        QVERIFY(says(how_to_show_gpus(Container::lxc), "nvidia.runtime"));
        QVERIFY(says(how_to_show_gpus(Container::other), "/dev/nvidia*"));
    }
};

}  // namespace tst_container

ROOFWALK_TEST(tst_container, TestContainer, NoApplication)
#include "tst_container.moc"
