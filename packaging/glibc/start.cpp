// SPDX-License-Identifier: GPL-3.0-or-later
// Before 2.34 a program handed the function that runs its constructors to the C library; since then the C
// library runs them where it is handed none, and the start code that the compiler adds hands it none.
using Function = void (*)(int argc, char** argv, char** environment);
using Main = int (*)(int argc, char** argv, char** environment);

extern "C" {
void _init();
extern Function __init_array_start[];
extern Function __init_array_end[];

__attribute__((visibility("default"))) int start_of_old(Main, int argc, char** argv, Function constructors,
                                                        void (*)(), void (*)(), void* stack);
#ifdef __x86_64__
__asm__(".symver start_of_old, __libc_start_main@GLIBC_2.2.5");
#else
__asm__(".symver start_of_old, __libc_start_main@GLIBC_2.17");
#endif

static void run_constructors(int argc, char** argv, char** environment) {
    _init();
    for (Function* next = __init_array_start; next != __init_array_end; ++next)
        (*next)(argc, argv, environment);
}

int __libc_start_main(Main main, int argc, char** argv, Function, void (*)(), void (*at_exit)(),
                      void* stack) {
    return start_of_old(main, argc, argv, run_constructors, nullptr, at_exit, stack);
}
}
