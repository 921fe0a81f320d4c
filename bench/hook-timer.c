/* Starts programs in turns and says how long each took, in nanoseconds: what a program costs, not what the language that starts it does.
 *
 *   hook-timer ROUNDS PAYLOAD   < commands, one a line, words separated by tabs   > "INDEX NANOSECONDS EXIT" lines
 *
 * A first word BELAY_HOME=FOLDER holds for that command alone. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_COMMANDS 32
#define MAX_WORDS 64

extern char **environ;

static long long now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void split(char *line, char **words) {
  int count = 0;
  for (char *word = strtok(line, "\t\n"); word && count < MAX_WORDS - 1; word = strtok(NULL, "\t\n")) words[count++] = word;
  words[count] = NULL;
}

static const char HOME[] = "BELAY_HOME=";

static void time_command(int index, char **words, const char *payload, const char *own_home) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, payload, O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  const char *home = strncmp(words[0], HOME, sizeof HOME - 1) == 0 ? *words++ + sizeof HOME - 1 : own_home;
  setenv("BELAY_HOME", home, 1);
  pid_t child;
  int status = 0;
  long long begun = now_ns();
  int failed = posix_spawnp(&child, words[0], &files, NULL, words, environ);
  if (!failed) waitpid(child, &status, 0);
  printf("%d %lld %d\n", index, now_ns() - begun, failed ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128);
  posix_spawn_file_actions_destroy(&files);
}

int main(int count, char **arguments) {
  static char lines[MAX_COMMANDS][8192];
  static char *commands[MAX_COMMANDS][MAX_WORDS];
  if (count < 3) return 2;
  int known = 0;
  while (known < MAX_COMMANDS && fgets(lines[known], sizeof lines[known], stdin)) {
    split(lines[known], commands[known]);
    known++;
  }
  char *home = strdup(getenv("BELAY_HOME") ? getenv("BELAY_HOME") : "");
  for (int round = 0; round < atoi(arguments[1]); round++)
    for (int index = 0; index < known; index++) time_command(index, commands[index], arguments[2], home);
  return 0;
}
