// Stands in for every program that matters inside the jail: writes down its name, arguments and directory, and does nothing.
// Under the name of a program that starts another one it then becomes that program, as the real one would.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// The file that was started: what a link or `exec -a` calls it does not matter.
static const char *own_name(void) {
  static char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length < 0) _exit(97);
  path[length] = 0;
  return base_name(path);
}

// One write, so that records of programs that run at once do not mix.
static void record(const char *name, int argc, char **argv) {
  static char text[65536];
  size_t used = 0;
  char cwd[4096];
  if (!getcwd(cwd, sizeof cwd)) strcpy(cwd, "?");
  used += (size_t)snprintf(text, sizeof text, "%s", cwd);
  for (int i = 0; i < argc && used < sizeof text - 2; i++) {
    int room = (int)(sizeof text - used - 2);
    int made = snprintf(text + used, (size_t)room, "\x1f%s", i == 0 ? name : argv[i]);
    used += (size_t)(made < room ? made : room);
  }
  text[used++] = '\x1e';
  int file = open("/jail/log/record", O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0 || write(file, text, used) < 0) _exit(97);
  close(file);
}

static int is_one_of(const char *name, const char *const *list) {
  for (; *list; list++)
    if (strcmp(name, *list) == 0) return 1;
  return 0;
}

// The words behind the options, put together for a shell.
static void run_text(char **words) {
  static char text[65536];
  text[0] = 0;
  for (; *words; words++) {
    if (strlen(text) + strlen(*words) + 2 > sizeof text) return;
    if (text[0]) strcat(text, " ");
    strcat(text, *words);
  }
  execl("/usr/bin/sh", "sh", "-c", text, (char *)0);
}

int main(int argc, char **argv) {
  static const char *const starters[] = {"sudo", "doas", "npx", "foo", "firejail", 0};
  static const char *const after_one[] = {"chroot", "flock", 0};
  const char *name = own_name();
  record(name, argc, argv);
  char **rest = argv + 1;
  while (*rest && rest[0][0] == '-') rest++;
  if (!*rest) return 0;
  if (is_one_of(name, starters)) execvp(rest[0], rest);
  if (is_one_of(name, after_one) && rest[1]) execvp(rest[1], rest + 1);
  if (strcmp(name, "watch") == 0) run_text(rest);
  if (strcmp(name, "ssh") == 0) run_text(rest + 1);
  return 0;
}
