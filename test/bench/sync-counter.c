/*
 * Counts what a process asks the disk to make safe, and how long that takes: preloaded, so that it is counted and not assumed.
 *
 *   TILLD_SYNC_COUNTS  a file; five 64-bit numbers are kept in it:
 *                      syncs of a write-ahead log of `money.db`, ns in them, all other syncs, ns in them, bytes written to that log
 *   TILLD_SYNC_DELAY_US  each sync takes so many µs longer, as on a slower disk
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { LOG_SYNCS, LOG_NS, OTHER_SYNCS, OTHER_NS, LOG_BYTES, NUMBERS };
static int64_t spare[NUMBERS];
static int64_t *counts = spare;
static struct timespec delay;
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);

__attribute__((constructor)) static void start(void) {
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  const char *slower = getenv("TILLD_SYNC_DELAY_US");
  long us = slower ? atol(slower) : 0;
  delay.tv_sec = us / 1000000;
  delay.tv_nsec = us % 1000000 * 1000;
  const char *path = getenv("TILLD_SYNC_COUNTS");
  if (!path) return;
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, sizeof spare) != 0) return;
  void *place = mmap(NULL, sizeof spare, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (place != MAP_FAILED) counts = place;
  close(fd);
}

static int is_log(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 12) return 0;
  path[length] = 0;
  return strcmp(path + length - 12, "money.db-wal") == 0;
}

static int64_t now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1000000000LL + at.tv_nsec;
}

static int counted(int (*sync)(int), int fd) {
  int log = is_log(fd);
  int64_t from = now();
  int result = sync(fd);
  int error = errno;
  if (delay.tv_sec || delay.tv_nsec) nanosleep(&delay, NULL);
  errno = error;
  __atomic_add_fetch(&counts[log ? LOG_NS : OTHER_NS], now() - from, __ATOMIC_RELAXED);
  __atomic_add_fetch(&counts[log ? LOG_SYNCS : OTHER_SYNCS], 1, __ATOMIC_RELAXED);
  return result;
}

int fsync(int fd) { return counted(real_fsync, fd); }
int fdatasync(int fd) { return counted(real_fdatasync, fd); }

static ssize_t written(int fd, const void *bytes, size_t length, off_t at) {
  if (length > 4000 && is_log(fd)) __atomic_add_fetch(&counts[LOG_BYTES], (int64_t)length, __ATOMIC_RELAXED);
  return real_pwrite(fd, bytes, length, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t at) { return written(fd, bytes, length, at); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) { return written(fd, bytes, length, at); }
