/* Loaded before libc: once the file that FAILS_SINCE names is there, writes to files below FAILS_BELOW end with EIO, as
 * they do on a device that breaks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int fails(int descriptor) {
    char link[64], path[4096];
    const char *below = getenv("FAILS_BELOW"), *since = getenv("FAILS_SINCE");
    if (below == NULL || since == NULL || access(since, F_OK) != 0)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return strncmp(path, below, strlen(below)) == 0;
}

ssize_t write(int descriptor, const void *data, size_t size) {
    static ssize_t (*inner)(int, const void *, size_t);
    if (inner == NULL)
        inner = dlsym(RTLD_NEXT, "write");
    if (fails(descriptor)) {
        errno = EIO;
        return -1;
    }
    return inner(descriptor, data, size);
}

ssize_t pwrite64(int descriptor, const void *data, size_t size, off64_t offset) {
    static ssize_t (*inner)(int, const void *, size_t, off64_t);
    if (inner == NULL)
        inner = dlsym(RTLD_NEXT, "pwrite64");
    if (fails(descriptor)) {
        errno = EIO;
        return -1;
    }
    return inner(descriptor, data, size, offset);
}

ssize_t pwrite(int descriptor, const void *data, size_t size, off_t offset) {
    return pwrite64(descriptor, data, size, offset);
}
