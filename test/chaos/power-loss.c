/*
 * A disk that can lose its power: preloaded into a process, it notes beside a folder what the process has written there since the last flush of
 * each file, so that restore-disk.ts can make of the folder what a disk would have after a power loss at that moment.
 *
 * POWER_LOSS_ROOT: the folder. POWER_LOSS_NOTES: an existing folder beside it, on the same file system.
 *
 * `<notes>/<inode>`: per file an entry per change since it began: { offset, old length, new length, old size } as 64-bit numbers, then the old
 * bytes and the new ones; -1 as the new length: cut to the offset. `<notes>/<inode>.flushed`: how many bytes of that are on the disk, a number.
 * `<notes>/names`: what happened to names since the last flush of any file (a flush writes the file system's journal, as ext4 does): a line
 * each, `create\tinode\tpath`, `rename\tfrom\tto\tkept` or `remove\tpath\tkept`, kept being a link to what was there, `-` for none.
 *
 * A change is noted before it is done: a process that is killed between the two leaves a note of something that is not there yet, which is
 * undone all the same. What is written through a mapping is not seen: of SQLite's files that is the index of the write-ahead log alone, which
 * a power loss takes anyway.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* How long a flush takes longer than it does: so that the power goes while something is not flushed yet. */
#define FLUSH_US 2000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX], notes[PATH_MAX];
static size_t root_length;
static unsigned long kept;

__attribute__((constructor)) static void begin(void) {
  const char *r = getenv("POWER_LOSS_ROOT"), *n = getenv("POWER_LOSS_NOTES");
  if (!r || !n || !realpath(r, root) || !realpath(n, notes)) return;
  root_length = strlen(root);
}

static ssize_t raw_pread(int fd, void *to, size_t size, off_t at) {
  REAL(ssize_t, "pread64", int, void *, size_t, off_t);
  return real(fd, to, size, at);
}
static ssize_t raw_write(int fd, const void *from, size_t size) {
  REAL(ssize_t, "write", int, const void *, size_t);
  return real(fd, from, size);
}
static int raw_open(const char *path, int flags, mode_t mode) {
  REAL(int, "open64", const char *, int, ...);
  return real(path, flags, mode);
}

static int within(const char *path) {
  return root_length && strncmp(path, root, root_length) == 0 && path[root_length] == '/';
}

/* The absolute path of what a name means, whether it is there or not. */
static int whole(int dir, const char *name, char *path) {
  char parent[PATH_MAX], link[64];
  if (!root_length || !name || strlen(name) >= PATH_MAX) return 0;
  if (name[0] == '/') strcpy(parent, name);
  else {
    if (dir == AT_FDCWD) { if (!getcwd(parent, PATH_MAX)) return 0; }
    else {
      snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
      ssize_t n = readlink(link, parent, PATH_MAX - 1);
      if (n < 0) return 0;
      parent[n] = 0;
    }
    if (strlen(parent) + strlen(name) + 2 > PATH_MAX) return 0;
    strcat(strcat(parent, "/"), name);
  }
  char *slash = strrchr(parent, '/');
  char last[NAME_MAX + 1];
  if (!slash || strlen(slash + 1) > NAME_MAX) return 0;
  strcpy(last, slash + 1);
  *slash = 0;
  if (!realpath(*parent ? parent : "/", path)) return 0;
  if (strlen(path) + strlen(last) + 2 > PATH_MAX) return 0;
  strcat(strcat(path, "/"), last);
  return within(path);
}

/* Whether the descriptor is of a file of the folder; its state by the way. */
static int tracked(int fd, struct stat *st) {
  char link[64], path[PATH_MAX];
  if (!root_length || fstat(fd, st) != 0 || !S_ISREG(st->st_mode)) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, PATH_MAX - 1);
  if (n < 0) return 0;
  path[n] = 0;
  return within(path);
}

static void note_path(char *path, ino_t inode, const char *suffix) {
  snprintf(path, PATH_MAX, "%s/%lu%s", notes, (unsigned long)inode, suffix);
}

static void append_note(const char *path, struct iovec *parts, int count) {
  int fd = raw_open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0) abort();
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  ssize_t want = 0;
  for (int i = 0; i < count; i++) want += parts[i].iov_len;
  if (real(fd, parts, count) != want) abort();
  close(fd);
}

/* To be called with the lock held, before the file is changed. `size` < 0: it is cut to `at`. */
static void note_change(int fd, const struct stat *st, const void *bytes, ssize_t size, off_t at) {
  char path[PATH_MAX];
  off_t end = size < 0 ? st->st_size : at + size;
  if (end > st->st_size) end = st->st_size;
  size_t old_length = end > at ? end - at : 0;
  char *old = malloc(old_length + 1);
  size_t got = 0;
  int reading = fd;
  /* A descriptor for writing alone cannot be read. */
  if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    reading = raw_open(link, O_RDONLY, 0);
  }
  while (got < old_length) {
    ssize_t n = raw_pread(reading, old + got, old_length - got, at + got);
    if (n <= 0) abort();
    got += n;
  }
  if (reading != fd) close(reading);
  int64_t head[4] = {at, (int64_t)old_length, size, st->st_size};
  struct iovec parts[3] = {{head, sizeof head}, {old, old_length}, {(void *)bytes, size < 0 ? 0 : size}};
  note_path(path, st->st_ino, "");
  append_note(path, parts, 3);
  free(old);
}

static void note_name(const char *line) {
  char path[PATH_MAX];
  snprintf(path, PATH_MAX, "%s/names", notes);
  struct iovec part = {(void *)line, strlen(line)};
  append_note(path, &part, 1);
}

/* A link to what is at the path, so that it can be had again. */
static void keep(const char *path, char *to) {
  snprintf(to, PATH_MAX, "%s/kept-%d-%lu", notes, getpid(), kept++);
  if (link(path, to) != 0) strcpy(to, "-");
}

/* ---- writing ---- */

static ssize_t write_at(int fd, const void *bytes, size_t size, off_t at) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off_t);
  struct stat st;
  if (!tracked(fd, &st)) return real(fd, bytes, size, at);
  pthread_mutex_lock(&lock);
  fstat(fd, &st);
  note_change(fd, &st, bytes, size, at);
  ssize_t done = real(fd, bytes, size, at);
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return done;
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { return write_at(fd, bytes, size, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) { return write_at(fd, bytes, size, at); }

static off_t place(int fd, const struct stat *st) {
  return fcntl(fd, F_GETFL) & O_APPEND ? st->st_size : lseek(fd, 0, SEEK_CUR);
}

ssize_t write(int fd, const void *bytes, size_t size) {
  struct stat st;
  if (!tracked(fd, &st)) return raw_write(fd, bytes, size);
  pthread_mutex_lock(&lock);
  fstat(fd, &st);
  note_change(fd, &st, bytes, size, place(fd, &st));
  ssize_t done = raw_write(fd, bytes, size);
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return done;
}

static ssize_t write_parts(int fd, const struct iovec *parts, int count, off_t at, int moves) {
  ssize_t total = 0;
  for (int i = 0; i < count; i++) {
    if (parts[i].iov_len == 0) continue;
    ssize_t done = moves ? write(fd, parts[i].iov_base, parts[i].iov_len)
                         : write_at(fd, parts[i].iov_base, parts[i].iov_len, at + total);
    if (done < 0) return total > 0 ? total : done;
    total += done;
    if ((size_t)done < parts[i].iov_len) break;
  }
  return total;
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  struct stat st;
  return tracked(fd, &st) ? write_parts(fd, parts, count, 0, 1) : real(fd, parts, count);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  REAL(ssize_t, "pwritev64", int, const struct iovec *, int, off_t);
  struct stat st;
  return tracked(fd, &st) ? write_parts(fd, parts, count, at, 0) : real(fd, parts, count, at);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t at) { return pwritev(fd, parts, count, at); }

int ftruncate64(int fd, off_t size) {
  REAL(int, "ftruncate64", int, off_t);
  struct stat st;
  if (!tracked(fd, &st)) return real(fd, size);
  pthread_mutex_lock(&lock);
  fstat(fd, &st);
  note_change(fd, &st, NULL, -1, size);
  int done = real(fd, size);
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return done;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

/* ---- flushing ---- */

/*
 * In one write of always the same length: at any moment the file is empty (nothing was flushed yet) or whole. Of two flushes at once the one
 * that began first may end last: what is on the disk stays there.
 */
static void note_flushed(const char *path, off_t size) {
  char text[32] = {0};
  int out = raw_open(path, O_RDWR | O_CREAT, 0600);
  if (out < 0) abort();
  if (raw_pread(out, text, 20, 0) == 20 && strtoll(text, NULL, 10) >= size) {
    close(out);
    return;
  }
  int n = snprintf(text, sizeof text, "%020lld", (long long)size);
  if (raw_write(out, text, n) != n) abort();
  close(out);
}

static int flush(int fd, int (*real)(int)) {
  struct stat st;
  struct stat note = {0}, names = {0};
  char path[PATH_MAX], names_path[PATH_MAX];
  char link[64], target[PATH_MAX];
  int is_file = tracked(fd, &st), is_folder = 0;
  if (!is_file && root_length && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, target, PATH_MAX - 1);
    if (n > 0) { target[n] = 0; is_folder = within(target) || strcmp(target, root) == 0; }
  }
  if (!is_file && !is_folder) return real(fd);
  note_path(path, st.st_ino, "");
  snprintf(names_path, PATH_MAX, "%s/names", notes);
  /* What is written while it is flushed may not be on the disk when it has been; and disks take their time. */
  pthread_mutex_lock(&lock);
  if (is_file) stat(path, &note);
  stat(names_path, &names);
  pthread_mutex_unlock(&lock);
  usleep(FLUSH_US);
  int done = real(fd);
  int error = errno;
  if (done == 0) {
    pthread_mutex_lock(&lock);
    if (is_file) {
      note_path(path, st.st_ino, ".flushed");
      note_flushed(path, note.st_size);
    }
    snprintf(names_path, PATH_MAX, "%s/names.flushed", notes);
    note_flushed(names_path, names.st_size);
    pthread_mutex_unlock(&lock);
  }
  errno = error;
  return done;
}
int fsync(int fd) {
  REAL(int, "fsync", int);
  return flush(fd, real);
}
int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  return flush(fd, real);
}

/* ---- names ---- */

static int open_noted(int dir, const char *name, int flags, mode_t mode, int (*real)(int, const char *, int, ...)) {
  char path[PATH_MAX], line[3 * PATH_MAX];
  struct stat st;
  if (!(flags & (O_CREAT | O_TRUNC)) || !whole(dir, name, path)) return real(dir, name, flags, mode);
  pthread_mutex_lock(&lock);
  int is_new = stat(path, &st) != 0;
  int fd = real(dir, name, is_new ? flags : flags & ~O_TRUNC, mode);
  int error = errno;
  if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
    if (is_new) {
      /* The number may have been another file's. */
      char note[PATH_MAX];
      note_path(note, st.st_ino, "");
      unlink(note);
      note_path(note, st.st_ino, ".flushed");
      unlink(note);
      snprintf(line, sizeof line, "create\t%lu\t%s\n", (unsigned long)st.st_ino, path);
      note_name(line);
    } else if (flags & O_TRUNC && st.st_size > 0) {
      REAL(int, "ftruncate64", int, off_t);
      note_change(fd, &st, NULL, -1, 0);
      real(fd, 0);
    }
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return fd;
}
#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(int, "openat64", int, const char *, int, ...); \
    va_list rest; va_start(rest, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return open_noted(AT_FDCWD, path, flags, mode, real); \
  }
#define OPENAT(name) \
  int name(int dir, const char *path, int flags, ...) { \
    REAL(int, "openat64", int, const char *, int, ...); \
    va_list rest; va_start(rest, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return open_noted(dir, path, flags, mode, real); \
  }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)

int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  char a[PATH_MAX], b[PATH_MAX], was[PATH_MAX] = "-", line[4 * PATH_MAX];
  if (!whole(AT_FDCWD, from, a) || !whole(AT_FDCWD, to, b)) return real(from, to);
  pthread_mutex_lock(&lock);
  keep(b, was);
  snprintf(line, sizeof line, "rename\t%s\t%s\t%s\n", a, b, was);
  note_name(line);
  int done = real(from, to);
  int error = errno;
  if (done != 0) abort();
  pthread_mutex_unlock(&lock);
  errno = error;
  return done;
}

int unlink(const char *name) {
  REAL(int, "unlink", const char *);
  char path[PATH_MAX], was[PATH_MAX] = "-", line[3 * PATH_MAX];
  struct stat st;
  if (!whole(AT_FDCWD, name, path) || lstat(path, &st) != 0 || !S_ISREG(st.st_mode)) return real(name);
  pthread_mutex_lock(&lock);
  keep(path, was);
  snprintf(line, sizeof line, "remove\t%s\t%s\n", path, was);
  note_name(line);
  int done = real(name);
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return done;
}
