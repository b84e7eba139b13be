// Records the file operations of a process below one directory, so that a test can derive the states that a power cut may leave.
// Load it with LD_PRELOAD; POWER_CUT_DIR names the directory, and POWER_CUT_RECORD the output file.
//
// A record is a header of five 64-bit numbers {kind, a, b, c, length} and `length` bytes:
//   'W' a=file b=offset, data      written              'T' a=file b=new length        truncated
//   's' a=file                     a sync begins        'S' a=file                     that sync has completed
//   'C' a=directory b=file, name   file created         'M' a=directory b=new, name    directory created
//   'U' a=directory, name          name removed         'N' a=directory b=directory, "old\0new"  renamed
//   'A' a=number                   the process said "ACK number" on its standard output
// Files and directories are identified by inode number. `sync_file_range` is not recorded, because it guarantees nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))real(#name))

static int out = -1;
static char root[4096];
static size_t root_len;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
    const char *dir = getenv("POWER_CUT_DIR"), *record = getenv("POWER_CUT_RECORD");
    if (!dir || !record || !realpath(dir, root)) return;
    root_len = strlen(root);
    out = REAL(open64)(record, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(const void *bytes, size_t length) {
    for (size_t done = 0; done < length;) {
        ssize_t more = REAL(write)(out, (const char *)bytes + done, length - done);
        if (more <= 0) abort();
        done += more;
    }
}

// The caller holds `order`.
static void record(char kind, uint64_t a, uint64_t b, const void *bytes, uint64_t length) {
    uint64_t header[5] = {kind, a, b, 0, length};
    put(header, sizeof header);
    put(bytes, length);
}

static int inside(const char *path) {
    return out >= 0 && !strncmp(path, root, root_len) && (path[root_len] == '/' || !path[root_len]);
}

// Returns the inode of an open file below the directory, or 0.
static uint64_t file_of(int fd) {
    char link[64], path[4096];
    struct stat st;
    if (out < 0 || fd == out) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n <= 0) return 0;
    path[n] = 0;
    return inside(path) && !fstat(fd, &st) ? st.st_ino : 0;
}

// Returns the inode of the directory that contains `path`, or 0 outside the recorded directory; puts the last part into `name`.
static uint64_t parent_of(const char *path, char *name) {
    char copy[4096], whole[4096];
    struct stat st;
    if (out < 0 || strlen(path) >= sizeof copy) return 0;
    strcpy(copy, path);
    strcpy(name, basename(copy));
    strcpy(copy, path);
    if (!realpath(dirname(copy), whole) || !inside(whole) || stat(whole, &st)) return 0;
    return st.st_ino;
}

static uint64_t inode_at(const char *path) {
    struct stat st;
    return lstat(path, &st) ? 0 : st.st_ino;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
    uint64_t file = file_of(fd);
    if (!file) return REAL(pwrite64)(fd, bytes, length, offset);
    pthread_mutex_lock(&order);
    ssize_t n = REAL(pwrite64)(fd, bytes, length, offset);
    if (n > 0) record('W', file, offset, bytes, n);
    pthread_mutex_unlock(&order);
    return n;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }

ssize_t write(int fd, const void *bytes, size_t length) {
    uint64_t file = file_of(fd);
    if (out >= 0 && fd == 1 && length > 4 && !memcmp(bytes, "ACK ", 4)) {
        pthread_mutex_lock(&order);
        record('A', strtoull((const char *)bytes + 4, 0, 10), 0, 0, 0);
        pthread_mutex_unlock(&order);
    }
    if (!file) return REAL(write)(fd, bytes, length);
    pthread_mutex_lock(&order);
    off64_t at = lseek64(fd, 0, SEEK_CUR);
    ssize_t n = REAL(write)(fd, bytes, length);
    if (n > 0) record('W', file, at, bytes, n);
    pthread_mutex_unlock(&order);
    return n;
}

int ftruncate64(int fd, off64_t length) {
    uint64_t file = file_of(fd);
    if (!file) return REAL(ftruncate64)(fd, length);
    pthread_mutex_lock(&order);
    int r = REAL(ftruncate64)(fd, length);
    if (!r) record('T', file, length, 0, 0);
    pthread_mutex_unlock(&order);
    return r;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

// Runs without the lock: concurrent writes continue, and this sync does not cover them.
static int synced(int fd, int (*sync)(int)) {
    uint64_t file = file_of(fd);
    if (!file) return sync(fd);
    pthread_mutex_lock(&order);
    record('s', file, 0, 0, 0);
    pthread_mutex_unlock(&order);
    int r = sync(fd);
    pthread_mutex_lock(&order);
    if (!r) record('S', file, 0, 0, 0);
    pthread_mutex_unlock(&order);
    return r;
}

int fsync(int fd) { return synced(fd, REAL(fsync)); }
int fdatasync(int fd) { return synced(fd, REAL(fdatasync)); }

int open64(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    char name[4096];
    uint64_t directory = parent_of(path, name);
    if (!directory) return REAL(open64)(path, flags, mode);
    pthread_mutex_lock(&order);
    uint64_t before = inode_at(path);
    int fd = REAL(open64)(path, flags, mode);
    if (fd >= 0 && !before) record('C', directory, inode_at(path), name, strlen(name));
    if (fd >= 0 && before && (flags & O_TRUNC)) record('T', before, 0, 0, 0);
    pthread_mutex_unlock(&order);
    return fd;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    return open64(path, flags, mode);
}

int mkdir(const char *path, mode_t mode) {
    char name[4096];
    uint64_t directory = parent_of(path, name);
    pthread_mutex_lock(&order);
    int r = REAL(mkdir)(path, mode);
    if (!r && directory) record('M', directory, inode_at(path), name, strlen(name));
    pthread_mutex_unlock(&order);
    return r;
}

int rename(const char *from, const char *to) {
    char names[8192], second[4096];
    uint64_t a = parent_of(from, names), b = parent_of(to, second);
    pthread_mutex_lock(&order);
    int r = REAL(rename)(from, to);
    if (!r && a && b) {
        size_t length = strlen(names) + 1;
        strcpy(names + length, second);
        record('N', a, b, names, length + strlen(second));
    }
    pthread_mutex_unlock(&order);
    return r;
}

static int removed(const char *path, int (*remove)(const char *)) {
    char name[4096];
    uint64_t directory = parent_of(path, name);
    pthread_mutex_lock(&order);
    int r = remove(path);
    if (!r && directory) record('U', directory, 0, name, strlen(name));
    pthread_mutex_unlock(&order);
    return r;
}

int unlink(const char *path) { return removed(path, REAL(unlink)); }
int rmdir(const char *path) { return removed(path, REAL(rmdir)); }
