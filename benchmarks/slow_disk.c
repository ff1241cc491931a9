/* Preloaded: every sync of a file takes longer, as on a slow disk, and is counted where all processes see it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static long *count;

__attribute__((constructor)) static void open_count(void)
{
    const char *name = getenv("SLOW_DISK_COUNT");
    int file = name ? open(name, O_RDWR) : -1;
    if (file >= 0) {
        void *found = mmap(NULL, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        count = found == MAP_FAILED ? NULL : found;
        close(file);
    }
}

static int slowly(const char *name, int file)
{
    const char *delay = getenv("SLOW_DISK_MICROSECONDS");
    if (count)
        __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
    if (delay)
        usleep((useconds_t)atoi(delay));
    return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return slowly("fsync", file); }

int fdatasync(int file) { return slowly("fdatasync", file); }
