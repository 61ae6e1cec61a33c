// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/processes.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QTest>

#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_process_owner {

using namespace roofwalk;
using roofwalk::test::MadeRoot;

class TestProcessOwner : public QObject {
    Q_OBJECT

  private slots:
    void the_kernel_tells_whose_a_process_is() {
        const MadeRoot root;
        root.write(
            "proc/300/status",
            "Name:\tGroups: 7 Uid:\nUid:\t1000\t1000\t1000\t1000\nGid:\t100\t100\t100\t100\nGroups:\t27 44 100 \n");
        const auto owner = read_owner(300, root.path());
        QVERIFY(owner && owner->one_user);
        QCOMPARE(owner->user, uid_t{1000});
        QCOMPARE(owner->group, gid_t{100});
        QCOMPARE(owner->groups, (std::vector<gid_t>{27, 44, 100}));
        QVERIFY(!read_owner(301, root.path()));
        QVERIFY(!owner_in(""));
        QVERIFY(!owner_in("Uid:\nGid:\t0"));
    }

    void one_id_of_another_user_is_enough() {
        for (const char* const users : {"1000\t0\t1000\t1000", "0\t1000\t0\t0", "0\t0\t0\t1000"}) {
            const auto owner = owner_in("Uid:\t" + std::string(users) + "\nGroups:\t\n");
            QVERIFY(owner && !owner->one_user && owner->groups.empty());
        }
    }

    void our_own_process_is_ours() {
        QVERIFY(refuse_other_owner(getpid()));
        QVERIFY(!refuse_other_owner(999'999'999));
    }

    void the_rights_of_root_do_not_come_back() {
        if (geteuid() != 0) QSKIP("Only root has rights to give up.");
        const pid_t child = fork();
        if (child == 0) {
            ProcessOwner owner;
            owner.user = owner.group = 65534;
            const bool gone = become_owner(owner) && getuid() == 65534 && geteuid() == 65534 &&
                              getegid() == 65534 && getgroups(0, nullptr) == 0 && setuid(0) != 0 &&
                              setgid(0) != 0 && access("/proc/1/environ", R_OK) != 0 && !become_owner(owner);
            _exit(gone ? 0 : 1);
        }
        int status = -1;
        QCOMPARE(waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
        // To root itself nobody is brought down.
        QVERIFY(!become_owner({}));
    }
};

}  // namespace tst_process_owner

ROOFWALK_TEST(tst_process_owner, TestProcessOwner, NoApplication)
#include "tst_process_owner.moc"
