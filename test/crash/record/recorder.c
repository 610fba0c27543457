/*
 * Records, in order, everything that changes files under one folder: see recording.ts for the format and the contract.
 *
 *   TILLD_RECORD_FOLDER  the folder, absolute; what is not below it passes unseen
 *   TILLD_RECORD_OUTPUT  where the recording goes; must not be below the folder
 *   TILLD_RECORD_ACK     a file: what is written to it becomes an acknowledgement among the recorded writes
 *
 * One lock is held over a call and its record, so that the order in the recording is the order on the disk. A change that is not
 * understood (a shared writable mapping, copy_file_range …) is recorded as such: a recording that holds one is refused.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, TRUNCATE, SYNC, UNLINK, RENAME, LINK, MKDIR, RMDIR, CLOSE, ACK, UNKNOWN };
enum { CREATED = 1, EMPTIED = 2, IS_FOLDER = 4, DATA_ONLY = 8 };
enum { MOST_FILES = 65536 };

/* What a file descriptor of ours is: 0 nothing to us, 1 a file or folder below the folder, 2 the acknowledgements. */
static unsigned char watched[MOST_FILES];
/* Which inode it was when it was opened: a close that did not come through here must not make another file ours. */
static ino_t inode[MOST_FILES];
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static char folder[PATH_MAX];
static char ack_path[PATH_MAX];
static int output = -1;
static int is_ready = 0;


static ssize_t raw_write(int fd, const void *bytes, size_t length) { return syscall(SYS_write, fd, bytes, length); }

static void fail(const char *why) {
  char text[256];
  int length = snprintf(text, sizeof text, "recorder: %s\n", why);
  raw_write(2, text, (size_t)length);
  _exit(70);
}

__attribute__((constructor)) static void start(void) {
  if (is_ready) return;
  is_ready = 1;
  const char *root = getenv("TILLD_RECORD_FOLDER"), *out = getenv("TILLD_RECORD_OUTPUT"), *ack = getenv("TILLD_RECORD_ACK");
  if (!root || !out) return;
  snprintf(folder, sizeof folder, "%s", root);
  if (ack) snprintf(ack_path, sizeof ack_path, "%s", ack);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, out, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) fail("the recording cannot be opened");
  /* Out of the way of whoever closes low descriptors. */
  output = fcntl(fd, F_DUPFD_CLOEXEC, 900);
  syscall(SYS_close, fd);
  if (output < 0) fail("the recording cannot be kept open");
}

static void put_all(const struct iovec *parts, int count) {
  struct iovec left[8];
  memcpy(left, parts, sizeof(struct iovec) * (size_t)count);
  for (int at = 0; at < count;) {
    ssize_t done = syscall(SYS_writev, output, left + at, count - at);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("the recording cannot be written");
    while (at < count && (size_t)done >= left[at].iov_len) done -= (ssize_t)left[at++].iov_len;
    if (at < count) {
      left[at].iov_base = (char *)left[at].iov_base + done;
      left[at].iov_len -= (size_t)done;
    }
  }
}

/* u32 length of what follows, u8 type, u8 flags, u16 path, u16 other path, u16 -, i32 process, i32 fd, i64 offset, then both paths and the bytes. */
static void record(int type, int flags, int fd, int64_t offset, const char *path, const char *other, const void *bytes, size_t length) {
  if (output < 0) return;
  unsigned char head[32];
  uint16_t path_length = path ? (uint16_t)strlen(path) : 0, other_length = other ? (uint16_t)strlen(other) : 0, none = 0;
  uint32_t size = (uint32_t)(sizeof head - 4 + path_length + other_length + length);
  int32_t process = (int32_t)getpid(), descriptor = fd;
  memcpy(head, &size, 4);
  head[4] = (unsigned char)type;
  head[5] = (unsigned char)flags;
  memcpy(head + 6, &path_length, 2);
  memcpy(head + 8, &other_length, 2);
  memcpy(head + 10, &none, 2);
  memcpy(head + 12, &process, 4);
  memcpy(head + 16, &descriptor, 4);
  memset(head + 20, 0, 4);
  memcpy(head + 24, &offset, 8);
  struct iovec parts[4] = {
      {head, sizeof head}, {(void *)path, path_length}, {(void *)other, other_length}, {(void *)bytes, length}};
  int kept = errno;
  put_all(parts, 4);
  errno = kept;
}

/* The absolute path of what a call names; 0 when it is not below the folder. */
static int below(int at, const char *path, char *whole) {
  start();
  if (output < 0 || !path) return 0;
  char base[PATH_MAX] = "";
  if (path[0] != '/') {
    if (at == AT_FDCWD) {
      if (!getcwd(base, sizeof base)) return 0;
    } else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", at);
      ssize_t length = readlink(link, base, sizeof base - 1);
      if (length < 0) return 0;
      base[length] = 0;
    }
  }
  int length = base[0] ? snprintf(whole, PATH_MAX, "%s/%s", base, path) : snprintf(whole, PATH_MAX, "%s", path);
  if (length <= 0 || length >= PATH_MAX) return 0;
  while (length > 1 && whole[length - 1] == '/') whole[--length] = 0;
  size_t root = strlen(folder);
  return strncmp(whole, folder, root) == 0 && (whole[root] == '/' || whole[root] == 0);
}

static const char *relative(const char *whole) {
  const char *rest = whole + strlen(folder);
  return *rest == '/' ? rest + 1 : rest;
}

static int is_watched(int fd) {
  if (fd < 0 || fd >= MOST_FILES || !watched[fd]) return 0;
  struct stat now;
  if (fstat(fd, &now) != 0 || now.st_ino != inode[fd]) watched[fd] = 0;
  return watched[fd];
}
static void watch(int fd, int kind) {
  if (fd < 0 || fd >= MOST_FILES) return;
  struct stat now;
  if (kind && fstat(fd, &now) == 0) inode[fd] = now.st_ino;
  watched[fd] = (unsigned char)kind;
}

static int open_real(int at, const char *path, int flags, mode_t mode) {
  return (int)syscall(SYS_openat, at, path, flags | O_LARGEFILE, mode);
}

static int opened(int at, const char *path, int flags, mode_t mode) {
  char whole[PATH_MAX];
  pthread_mutex_lock(&lock);
  int is_ours = below(at, path, whole);
  struct stat before;
  int was_there = is_ours && stat(whole, &before) == 0;
  int fd = open_real(at, path, flags, mode);
  if (fd >= 0) {
    watch(fd, 0);
    if (is_ours) {
      struct stat now;
      int marks = was_there ? 0 : CREATED;
      if (was_there && (flags & O_TRUNC) && before.st_size > 0) marks |= EMPTIED;
      if (fstat(fd, &now) == 0 && S_ISDIR(now.st_mode)) marks |= IS_FOLDER;
      watch(fd, 1);
      record(OPEN, marks, fd, was_there ? before.st_size : 0, relative(whole), NULL, NULL, 0);
      if ((flags & O_TMPFILE) == O_TMPFILE) record(UNKNOWN, 0, fd, 0, "O_TMPFILE", NULL, NULL, 0);
    } else if (output >= 0 && ack_path[0] && strcmp(whole, ack_path) == 0) {
      watch(fd, 2);
    }
  }
  pthread_mutex_unlock(&lock);
  return fd;
}

#define MODE_OF(flags)                       \
  mode_t mode = 0;                           \
  if ((flags) & (O_CREAT | O_TMPFILE)) {     \
    va_list list;                            \
    va_start(list, flags);                   \
    mode = (mode_t)va_arg(list, int);        \
    va_end(list);                            \
  }

int open(const char *path, int flags, ...) { MODE_OF(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE_OF(flags) return opened(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE_OF(flags) return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE_OF(flags) return opened(at, path, flags, mode); }
int __open_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __openat_2(int at, const char *path, int flags) { return opened(at, path, flags, 0); }
int __openat64_2(int at, const char *path, int flags) { return opened(at, path, flags, 0); }
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int fd) {
  if (fd == output && output >= 0) return 0;
  pthread_mutex_lock(&lock);
  if (is_watched(fd) == 1) record(CLOSE, 0, fd, 0, NULL, NULL, NULL, 0);
  watch(fd, 0);
  int result = (int)syscall(SYS_close, fd);
  pthread_mutex_unlock(&lock);
  return result;
}

/* Where a write without an offset goes. */
static int64_t place_of(int fd) {
  if (fcntl(fd, F_GETFL) & O_APPEND) {
    struct stat now;
    return fstat(fd, &now) == 0 ? now.st_size : -1;
  }
  return lseek(fd, 0, SEEK_CUR);
}

static void written(int fd, int64_t offset, const void *bytes, ssize_t length) {
  if (length <= 0) return;
  if (is_watched(fd) == 2)
    record(ACK, 0, fd, 0, NULL, NULL, bytes, (size_t)length);
  else
    record(WRITE, 0, fd, offset, NULL, NULL, bytes, (size_t)length);
}

ssize_t write(int fd, const void *bytes, size_t length) {
  if (!is_watched(fd)) return raw_write(fd, bytes, length);
  pthread_mutex_lock(&lock);
  int64_t place = place_of(fd);
  ssize_t done = raw_write(fd, bytes, length);
  written(fd, place, bytes, done);
  pthread_mutex_unlock(&lock);
  return done;
}

static ssize_t pwritten(int fd, const void *bytes, size_t length, off_t offset) {
  if (!is_watched(fd)) return syscall(SYS_pwrite64, fd, bytes, length, offset);
  pthread_mutex_lock(&lock);
  ssize_t done = syscall(SYS_pwrite64, fd, bytes, length, offset);
  written(fd, offset, bytes, done);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwritten(fd, bytes, length, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return pwritten(fd, bytes, length, offset); }

/* Vectors are written piece by piece: what comes out is the same, and each piece has its own record. */
static ssize_t vector(int fd, const struct iovec *parts, int count, int64_t offset, int has_offset) {
  pthread_mutex_lock(&lock);
  ssize_t total = 0;
  for (int index = 0; index < count; index += 1) {
    if (parts[index].iov_len == 0) continue;
    ssize_t done = has_offset ? pwritten(fd, parts[index].iov_base, parts[index].iov_len, offset + total)
                              : write(fd, parts[index].iov_base, parts[index].iov_len);
    if (done < 0) {
      if (total == 0) total = -1;
      break;
    }
    total += done;
    if ((size_t)done < parts[index].iov_len) break;
  }
  pthread_mutex_unlock(&lock);
  return total;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  return is_watched(fd) ? vector(fd, parts, count, 0, 0) : syscall(SYS_writev, fd, parts, count);
}
static ssize_t pvector(int fd, const struct iovec *parts, int count, off_t offset) {
  if (is_watched(fd)) return vector(fd, parts, count, offset, 1);
  return syscall(SYS_pwritev, fd, parts, count, offset, 0);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return pvector(fd, parts, count, offset); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) { return pvector(fd, parts, count, offset); }

static int ftruncated(int fd, off_t size) {
  pthread_mutex_lock(&lock);
  int result = (int)syscall(SYS_ftruncate, fd, size);
  if (result == 0 && is_watched(fd) == 1) record(TRUNCATE, 0, fd, size, NULL, NULL, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int ftruncate(int fd, off_t size) { return ftruncated(fd, size); }
int ftruncate64(int fd, off64_t size) { return ftruncated(fd, size); }

static int truncated(const char *path, off_t size) {
  char whole[PATH_MAX];
  pthread_mutex_lock(&lock);
  int is_ours = below(AT_FDCWD, path, whole);
  int result = (int)syscall(SYS_truncate, path, size);
  if (result == 0 && is_ours) record(TRUNCATE, 0, -1, size, relative(whole), NULL, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int truncate(const char *path, off_t size) { return truncated(path, size); }
int truncate64(const char *path, off64_t size) { return truncated(path, size); }

static int synced(int fd, int number, int flags) {
  pthread_mutex_lock(&lock);
  int result = (int)syscall(number, fd);
  if (result == 0 && is_watched(fd) == 1) record(SYNC, flags, fd, 0, NULL, NULL, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int fsync(int fd) { return synced(fd, SYS_fsync, 0); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync, DATA_ONLY); }
/* Starts writing and promises nothing (no metadata, no cache of the disk): not a boundary. */
int sync_file_range(int fd, off64_t offset, off64_t length, unsigned flags) {
  return (int)syscall(SYS_sync_file_range, fd, offset, length, flags);
}

static int one_path(int type, int at, const char *path, int number, long flags) {
  char whole[PATH_MAX];
  pthread_mutex_lock(&lock);
  int is_ours = below(at, path, whole);
  int result = (int)syscall(number, at, path, flags);
  if (result == 0 && is_ours) record(type, 0, -1, 0, relative(whole), NULL, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int unlink(const char *path) { return one_path(UNLINK, AT_FDCWD, path, SYS_unlinkat, 0); }
int rmdir(const char *path) { return one_path(RMDIR, AT_FDCWD, path, SYS_unlinkat, AT_REMOVEDIR); }
int unlinkat(int at, const char *path, int flags) {
  return one_path(flags & AT_REMOVEDIR ? RMDIR : UNLINK, at, path, SYS_unlinkat, flags);
}
int remove(const char *path) {
  struct stat now;
  return lstat(path, &now) == 0 && S_ISDIR(now.st_mode) ? rmdir(path) : unlink(path);
}
int mkdir(const char *path, mode_t mode) { return one_path(MKDIR, AT_FDCWD, path, SYS_mkdirat, mode); }
int mkdirat(int at, const char *path, mode_t mode) { return one_path(MKDIR, at, path, SYS_mkdirat, mode); }

static int two_paths(int type, int at, const char *from, int to_at, const char *to, int number, unsigned flags) {
  char whole[PATH_MAX], other[PATH_MAX];
  pthread_mutex_lock(&lock);
  int is_from = below(at, from, whole), is_to = below(to_at, to, other);
  int result = (int)syscall(number, at, from, to_at, to, flags);
  if (result == 0 && (is_from || is_to)) {
    if (is_from && is_to && flags == 0)
      record(type, 0, -1, 0, relative(whole), relative(other), NULL, 0);
    else
      record(UNKNOWN, 0, -1, 0, "a rename or link over the edge of the folder", NULL, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
int rename(const char *from, const char *to) { return two_paths(RENAME, AT_FDCWD, from, AT_FDCWD, to, SYS_renameat2, 0); }
int renameat(int at, const char *from, int to_at, const char *to) {
  return two_paths(RENAME, at, from, to_at, to, SYS_renameat2, 0);
}
int renameat2(int at, const char *from, int to_at, const char *to, unsigned flags) {
  return two_paths(RENAME, at, from, to_at, to, SYS_renameat2, flags);
}
int link(const char *from, const char *to) { return two_paths(LINK, AT_FDCWD, from, AT_FDCWD, to, SYS_linkat, 0); }
int linkat(int at, const char *from, int to_at, const char *to, int flags) {
  return two_paths(LINK, at, from, to_at, to, SYS_linkat, (unsigned)flags);
}

/* What is not understood. */
static void unknown(int fd, const char *what) {
  if (is_watched(fd) == 1) record(UNKNOWN, 0, fd, 0, what, NULL, NULL, 0);
}
static int is_index(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  return length > 4 && memcmp(path + length - 4, "-shm", 4) == 0;
}
/* SQLite's -shm is an index that every start rebuilds from the log: its mapping is no loss. */
static void *mapped(void *place, size_t length, int protection, int flags, int fd, off_t offset) {
  if (is_watched(fd) == 1 && (flags & MAP_SHARED) && (protection & PROT_WRITE) && !is_index(fd)) unknown(fd, "mmap");
  return (void *)syscall(SYS_mmap, place, length, protection, flags, fd, offset);
}
void *mmap(void *place, size_t length, int protection, int flags, int fd, off_t offset) {
  return mapped(place, length, protection, flags, fd, offset);
}
void *mmap64(void *place, size_t length, int protection, int flags, int fd, off64_t offset) {
  return mapped(place, length, protection, flags, fd, offset);
}
ssize_t copy_file_range(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t length, unsigned flags) {
  unknown(out, "copy_file_range");
  return syscall(SYS_copy_file_range, in, in_offset, out, out_offset, length, flags);
}
ssize_t sendfile(int out, int in, off_t *offset, size_t count) {
  unknown(out, "sendfile");
  return syscall(SYS_sendfile, out, in, offset, count);
}
ssize_t sendfile64(int out, int in, off64_t *offset, size_t count) {
  unknown(out, "sendfile");
  return syscall(SYS_sendfile, out, in, offset, count);
}
int fallocate(int fd, int mode, off_t offset, off_t length) {
  unknown(fd, "fallocate");
  return (int)syscall(SYS_fallocate, fd, mode, offset, length);
}
int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
  unknown(fd, "fallocate");
  return (int)syscall(SYS_fallocate, fd, mode, offset, length);
}
int posix_fallocate(int fd, off_t offset, off_t length) {
  unknown(fd, "fallocate");
  return syscall(SYS_fallocate, fd, 0, offset, length) == 0 ? 0 : errno;
}
int posix_fallocate64(int fd, off64_t offset, off64_t length) { return posix_fallocate(fd, offset, length); }
int dup2(int from, int to) {
  pthread_mutex_lock(&lock);
  unknown(from, "dup2");
  watch(to, 0);
  int result = from == to ? fcntl(from, F_GETFD) < 0 ? -1 : to : (int)syscall(SYS_dup3, from, to, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int dup3(int from, int to, int flags) {
  unknown(from, "dup3");
  watch(to, 0);
  return (int)syscall(SYS_dup3, from, to, flags);
}
int dup(int fd) {
  unknown(fd, "dup");
  return (int)syscall(SYS_dup, fd);
}
