// The first process inside the jail: proves that it is jailed, then runs one bash per program it reads and prints what happened.
// usage: driver NONCE HOST_MNT HOST_NET HOST_PID HOST_FILE BASE; programs come on stdin, each ended by a NUL.
// An outcome is STATUS GS KEPT GS RECORDS NUL; KEPT has a letter for each kept file that was opened, read or changed.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_KEPT 26
#define PROGRAM_MS 3000
#define STRAGGLERS_MS 400

static char repo[PATH_MAX], home[PATH_MAX];
static char kept[MAX_KEPT][PATH_MAX];
static int kept_count, watch;
static int watched[MAX_KEPT];

static void refuse(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "not jailed, so nothing was run: ");
  vfprintf(stderr, format, args);
  fprintf(stderr, "\n");
  va_end(args);
  exit(97);
}

static void join_path(char *out, const char *folder, const char *name) {
  if (snprintf(out, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX) refuse("a path is too long: %s", name);
}

// ---- the proof

static void prove_namespace(const char *which, const char *host) {
  char path[64], link[128];
  snprintf(path, sizeof path, "/proc/self/ns/%s", which);
  ssize_t length = readlink(path, link, sizeof link - 1);
  if (length < 0) refuse("%s cannot be read", path);
  link[length] = 0;
  if (strcmp(link, host) == 0) refuse("the %s namespace is that of the host", which);
}

static void prove_marker(const char *nonce) {
  char text[128] = "";
  FILE *file = fopen("/jail/marker", "r");
  if (!file || !fgets(text, sizeof text, file)) refuse("there is no marker");
  fclose(file);
  if (strcmp(text, nonce) != 0) refuse("the marker is another one");
}

static void prove_no_network(void) {
  struct ifaddrs *list;
  if (getifaddrs(&list) != 0) refuse("the network interfaces cannot be listed");
  for (struct ifaddrs *each = list; each; each = each->ifa_next)
    if (strcmp(each->ifa_name, "lo") != 0) refuse("there is a network interface, %s", each->ifa_name);
  freeifaddrs(list);
}

static void prove_no_rights(void) {
  char line[256];
  FILE *file = fopen("/proc/self/status", "r");
  if (!file) refuse("/proc/self/status cannot be read");
  while (fgets(line, sizeof line, file))
    if ((strncmp(line, "CapEff:", 7) == 0 || strncmp(line, "CapBnd:", 7) == 0) && strtoull(line + 7, 0, 16) != 0)
      refuse("there are capabilities left: %s", line);
  fclose(file);
}

static void prove_stubs(void) {
  static const char *const shadowed[] = {"rm", "git", "curl", "wget", "sudo", "ssh", "npm", "docker", "kill", "evil"};
  struct stat stub, found;
  if (stat("/jail/stub", &stub) != 0) refuse("there is no stub");
  for (size_t i = 0; i < sizeof shadowed / sizeof *shadowed; i++) {
    char path[64];
    snprintf(path, sizeof path, "/usr/bin/%s", shadowed[i]);
    if (stat(path, &found) != 0 || found.st_ino != stub.st_ino || found.st_dev != stub.st_dev) refuse("%s is not the stub", path);
  }
  if (open("/usr/bin/planted", O_CREAT | O_WRONLY, 0700) >= 0 || errno != EROFS) refuse("/usr/bin can be written");
}

static void prove_jailed(char **argv) {
  if (getpid() != 1) refuse("process %d is not the first one", getpid());
  prove_marker(argv[1]);
  prove_namespace("mnt", argv[2]);
  prove_namespace("net", argv[3]);
  prove_namespace("pid", argv[4]);
  if (access(argv[5], F_OK) == 0) refuse("%s of the host is there", argv[5]);
  prove_no_network();
  prove_no_rights();
  prove_stubs();
}

// ---- the scratch folders

static void wipe(const char *folder, dev_t device) {
  chmod(folder, 0700);
  DIR *list = opendir(folder);
  if (!list) return;
  for (struct dirent *entry; (entry = readdir(list));) {
    char path[PATH_MAX];
    struct stat info;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    join_path(path, folder, entry->d_name);
    if (lstat(path, &info) != 0 || info.st_dev != device) continue;
    if (!S_ISDIR(info.st_mode)) unlink(path);
    else {
      wipe(path, device);
      rmdir(path);
    }
  }
  closedir(list);
}

static void empty(const char *folder) {
  struct stat info;
  if (lstat(folder, &info) == 0 && S_ISDIR(info.st_mode)) wipe(folder, info.st_dev);
  else {
    unlink(folder);
    mkdir(folder, 0755);
  }
}

static void copy_file(const char *from, const char *to, mode_t mode) {
  char text[4096];
  int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_EXCL, mode & 0777);
  ssize_t length = in < 0 ? -1 : read(in, text, sizeof text);
  if (out < 0 || length < 0 || write(out, text, (size_t)length) != length) refuse("%s cannot be made", to);
  close(in);
  close(out);
}

static void copy_tree(const char *from, const char *to) {
  DIR *list = opendir(from);
  if (!list) refuse("%s cannot be listed", from);
  for (struct dirent *entry; (entry = readdir(list));) {
    char source[PATH_MAX], target[PATH_MAX], link[PATH_MAX];
    struct stat info;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    join_path(source, from, entry->d_name);
    join_path(target, to, entry->d_name);
    if (lstat(source, &info) != 0) refuse("%s is gone", source);
    if (S_ISDIR(info.st_mode)) {
      mkdir(target, 0755);
      copy_tree(source, target);
    } else if (S_ISLNK(info.st_mode)) {
      ssize_t length = readlink(source, link, sizeof link - 1);
      if (length < 0) refuse("%s cannot be read", source);
      link[length] = 0;
      if (symlink(link, target) != 0) refuse("%s cannot be made", target);
    } else copy_file(source, target, info.st_mode);
  }
  closedir(list);
}

static void reset_scratch(void) {
  empty("/tmp");
  empty(repo);
  empty(home);
  copy_tree("/jail/seed/repo", repo);
  copy_tree("/jail/seed/home", home);
  char events[16384];
  while (read(watch, events, sizeof events) > 0) {}
  for (int i = 0; i < kept_count; i++) {
    watched[i] = inotify_add_watch(watch, kept[i], IN_OPEN | IN_ACCESS | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVE_SELF | IN_DELETE_SELF);
    if (watched[i] < 0) refuse("%s cannot be watched", kept[i]);
  }
  int log = open("/jail/log/record", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (log < 0) refuse("there is no place to record");
  close(log);
}

static void print_kept(void) {
  char events[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
  int touched[MAX_KEPT] = {0};
  for (ssize_t length; (length = read(watch, events, sizeof events)) > 0;)
    for (char *at = events; at < events + length; at += sizeof(struct inotify_event) + ((struct inotify_event *)at)->len) {
      struct inotify_event *event = (struct inotify_event *)at;
      for (int i = 0; i < kept_count; i++)
        if (event->wd == watched[i] && !(event->mask & IN_IGNORED)) touched[i] = 1;
    }
  for (int i = 0; i < kept_count; i++)
    if (touched[i]) putchar('a' + i);
}

// ---- one program

static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void limit(int what, rlim_t most) {
  struct rlimit both = {most, most};
  setrlimit(what, &both);
}

static void become_bash(const char *program) {
  static char home_text[PATH_MAX + 8];
  snprintf(home_text, sizeof home_text, "HOME=%s", home);
  char *env[] = {"PATH=/usr/bin:/bin", home_text, "USER=dev", "LANG=C", "TERM=dumb", 0};
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
  int nothing = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; fd++) dup2(nothing, fd);
  close_range(3, ~0U, 0);
  setsid();
  limit(RLIMIT_CPU, 2);
  limit(RLIMIT_AS, 512UL << 20);
  limit(RLIMIT_FSIZE, 1 << 20);
  limit(RLIMIT_NPROC, 256);
  limit(RLIMIT_CORE, 0);
  if (chdir(repo) != 0) _exit(97);
  execle("/usr/bin/bash", "bash", "-c", program, (char *)0, env);
  _exit(97);
}

// Waits until `main_child` ended and then for what it left in the background; what takes longer is ended. -1: it was too slow.
static int wait_for_all(pid_t main_child) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  int main_status = -1;
  long until = now_ms() + PROGRAM_MS;
  for (;;) {
    int status;
    pid_t ended = waitpid(-1, &status, WNOHANG);
    if (ended == main_child) {
      main_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      until = now_ms() + STRAGGLERS_MS;
    }
    if (ended > 0) continue;
    if (ended < 0 && errno == ECHILD) break;
    long left = until - now_ms();
    if (left <= 0) break;
    struct timespec pause = {left / 1000, left % 1000 * 1000000};
    sigtimedwait(&child, 0, &pause);
  }
  kill(-1, SIGKILL);
  while (waitpid(-1, 0, 0) > 0 || errno == EINTR) {}
  return main_status;
}

static void print_records(void) {
  static char text[262144];
  int file = open("/jail/log/record", O_RDONLY);
  ssize_t length = file < 0 ? 0 : read(file, text, sizeof text);
  if (length > 0) fwrite(text, 1, (size_t)length, stdout);
  if (file >= 0) close(file);
}

static void run_program(const char *program) {
  reset_scratch();
  fflush(stdout);
  pid_t child = fork();
  if (child < 0) refuse("no process can be started");
  if (child == 0) become_bash(program);
  printf("%d\x1d", wait_for_all(child));
  print_kept();
  putchar('\x1d');
  print_records();
  putchar(0);
}

static void read_kept(void) {
  FILE *file = fopen("/jail/kept", "r");
  if (!file) refuse("nobody said which files are kept");
  while (kept_count < MAX_KEPT && fgets(kept[kept_count], PATH_MAX, file)) {
    kept[kept_count][strcspn(kept[kept_count], "\n")] = 0;
    kept_count++;
  }
  fclose(file);
}

int main(int argc, char **argv) {
  if (argc != 7) refuse("six arguments are needed");
  prove_jailed(argv);
  join_path(repo, argv[6], "repo");
  join_path(home, argv[6], "home");
  read_kept();
  watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (watch < 0) refuse("files cannot be watched");
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, 0);
  char *program = 0;
  size_t size = 0;
  while (getdelim(&program, &size, 0, stdin) > 0) run_program(program);
  return 0;
}
