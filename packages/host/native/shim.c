/* The hook client that agents start for every event: send, wait, print. It knows nothing else.
 *
 *   shim --agent AGENT --event EVENT [--deadline-ms N] [--proof P]   < payload   > answer
 *
 * It frames the payload as one line of JSON, sends it to the daemon's socket and prints the answer. A daemon that is still at it sends
 * a blank now and then. On silence, no answer within the deadline, a refusal, or anything unexpected it starts the Node shim with the
 * same stdin and the same event id, and only that one judges.
 * Invariant: it ends with exit code 0 only when the daemon or the Node shim said so; before a tool every failure ends with 2, because
 * agents let a tool run on any other code.
 * --proof P adds P to the code of every answer. Whatever else stands in the client's place, whole or broken, ends with another code, and the
 * line that started it can tell. The Node shim is asked for the same. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef SHIM_BARE
#include "bare.h"
#else
extern char **environ;
#endif

#ifndef SHIM_HOME
#define SHIM_HOME ""
#endif
#ifndef SHIM_SOCKET
#define SHIM_SOCKET ""
#endif
/* Lines NAME=value. */
#ifndef SHIM_ENVIRONMENT
#define SHIM_ENVIRONMENT ""
#endif
#ifndef SHIM_NODE
#define SHIM_NODE ""
#endif
#ifndef SHIM_SCRIPT
#define SHIM_SCRIPT ""
#endif
/* How a person calls Belay in a shell. */
#ifndef SHIM_COMMAND
#define SHIM_COMMAND "belay"
#endif
#ifndef SHIM_DEADLINE_MS
#define SHIM_DEADLINE_MS 25000
#endif
/* A daemon that has not even sent a blank for so long hangs. */
#ifndef SHIM_QUIET_MS
#define SHIM_QUIET_MS 5000
#endif
/* How long one that was found hanging is listened to: the file beside its socket says so, and a daemon that works removes it every second. */
#define PROBE_MS 250
#define HUNG_SUFFIX ".hung"
/* What the fallback may take beyond the deadline: the agent waits longer than both together before a tool. */
#define LEAST_FALLBACK_MS 10000
#define MOST_FALLBACK_MS 18000
/* As in hook-command.ts. */
#define PROOF 90
/* A daemon that stands still while others wait at its door would hold us there without end. */
#ifdef SOCK_NONBLOCK
#define WITHOUT_WAITING SOCK_NONBLOCK
#else
#define WITHOUT_WAITING 0
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

#include "text.h"

static const char *agent = "", *event = "", *deadline_text = NULL;
/* What is added to the code of an answer. */
static int proof = 0;
static char event_id[EVENT_ID_LENGTH + 1];

/* Events at which a failure must not hold the agent up: exit code 2 would keep it from stopping, or a person from asking. Every other
 * event may be a tool that is about to run, or settings that are about to hold. */
static int is_gate(void) {
  static const char *const harmless[] = {"stop", "end", "start", "post", "after", "notif", "comp", "idle", "result", "prompt", "agent", "session", "task", "model", "denied"};
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    if (mentions(event, harmless[i])) return 0;
  return 1;
}

static int write_all(int file, const char *data, size_t length) {
  while (length > 0) {
    ssize_t wrote = write(file, data, length);
    if (wrote < 0 && errno != EINTR) return -1;
    if (wrote > 0) data += wrote, length -= (size_t)wrote;
  }
  return 0;
}

void refuse(const char *why) {
  const char *begin = is_gate() ? "Tool denied: Belay: " : "Belay: ";
  const char *end = is_gate() ? ", and nothing else could judge the call; a person can run `" SHIM_COMMAND " doctor`\n" : "; a person can run `" SHIM_COMMAND " doctor`\n";
  write_all(2, begin, strlen(begin));
  write_all(2, why, strlen(why));
  write_all(2, end, strlen(end));
  _exit(is_gate() ? proof + 2 : 1);
}

static long now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000L + time.tv_nsec / 1000000L;
}

static const char *find_variable(const char *name) {
  size_t length = strlen(name);
  for (char **entry = environ; *entry; entry++)
    if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return *entry + length + 1;
  return NULL;
}

/* Only a client that was built without a value takes it from the environment, for tests: a project can put variables there. */
static const char *built_in_or(const char *value, const char *name) {
  const char *given = *value ? NULL : find_variable(name);
  return given ? given : value;
}

/* The payload in a file without a name, in memory where the system has that. */
static int payload_file(const char *payload, size_t length) {
#ifdef __linux__
  int file = memfd_create("belay-payload", 0);
#else
  char path[] = "/tmp/belay-shim-XXXXXX";
  int file = mkstemp(path);
  if (file >= 0) unlink(path);
#endif
  /* Where no file may grow (ulimit -f) that is an error like any other. */
  signal(SIGXFSZ, SIG_IGN);
  if (file < 0 || write_all(file, payload, length) < 0) refuse("there is no room for the payload");
  if (lseek(file, 0, SEEK_SET) < 0) refuse("the payload cannot be handed over");
  return file;
}

/* Whether the fallback has ended by then; it is ended where it has not, because an agent that waits for us too long runs the tool. */
static int has_ended(pid_t child, int *status, long by) {
  for (;;) {
    pid_t ended = waitpid(child, status, WNOHANG);
    if (ended == child) return 1;
    if (ended < 0 && errno != EINTR) return 0;
    if (now_ms() >= by) break;
    poll(NULL, 0, 2);
  }
  kill(child, SIGKILL);
  return 0;
}

static int is_passed_on(const char *name, size_t length) {
  static const char *const names[] = {"AGENT_ID",      "AGENT_PARENT",     "AGENT_MANAGES",   "AGENT_CLAIMS", "BELAY_ACTOR",
                                      "BELAY_RUN_ID", "BELAY_COMMITMENT", "CLAUDE_ENV_FILE", "CLAUDE_CODE_SESSION_ATTENDED",
                                      "GROK_HOOK_EVENT", "AI_AGENT"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0) return 1;
  return has_suffix(name, length, "_PROJECT_DIR") || has_suffix(name, length, "PLUGIN_ROOT");
}

/* What else of the call the fallback gets: the proof of a role, keys for models, values for webhooks. */
static int is_handed_on(const char *name, size_t length) {
  if (is_passed_on(name, length) || has_suffix(name, length, "_API_KEY")) return 1;
  if (length > 5 && strncmp(name, "HOOK_", 5) == 0) return 1;
  return (length == 18 && strncmp(name, "BELAY_AGENT_SECRET", 18) == 0) || (length == 18 && strncmp(name, "BELAY_NO_AUTOSTART", 18) == 0);
}

/* The environment of the person who installed this, the home it was built for, and what is handed on. Everything else may be a repository's
 * doing: it could load code into the fallback, and into the daemon that it starts. */
static char **child_environment(void) {
  static char built_in[] = "BELAY_HOME=" SHIM_HOME "\n" SHIM_ENVIRONMENT;
  if (!*SHIM_HOME) return environ;
  size_t count = 2, at = 0;
  for (char **entry = environ; *entry; entry++) count++;
  for (char *c = built_in; *c; c++)
    if (*c == '\n') count++;
  char **copy = take_memory(count * sizeof *copy);
  for (char *line = built_in, *end; line; line = end) {
    end = memchr(line, '\n', strlen(line));
    if (end) *end++ = 0;
    if (*line) copy[at++] = line;
  }
  for (char **entry = environ; *entry; entry++) {
    const char *equals = memchr(*entry, '=', strlen(*entry));
    if (equals && is_handed_on(*entry, (size_t)(equals - *entry))) copy[at++] = *entry;
  }
  copy[at] = NULL;
  return copy;
}

/* The Node shim gets the stdin that was already read. `how`: --direct when the daemon was asked in vain. It is waited for: should it crash
 * or hang, the agent would run the tool. */
__attribute__((noreturn)) static void run_node_shim(const char *payload, size_t length, const char *how, long by) {
  const char *node = built_in_or(SHIM_NODE, "BELAY_SHIM_NODE"), *script = built_in_or(SHIM_SCRIPT, "BELAY_SHIM_SCRIPT");
  if (!*script) refuse("the daemon does not answer and this client was built without a fallback");
  const char *arguments[] = {node, script, "hook", "--agent", agent, "--event", event, "--event-id", event_id, "--proof", "90", how, NULL};
  char **environment = child_environment();
  int file = payload_file(payload, length), status = 0;
  signal(SIGPIPE, SIG_DFL);
  pid_t child = fork();
  if (child == 0) {
    if (dup2(file, 0) >= 0) execve(node, (char *const *)arguments, environment);
    _exit(127);
  }
  int code = child > 0 && has_ended(child, &status, by) && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  if (code == PROOF || code == PROOF + 2) _exit(code - PROOF + proof);
  refuse("the daemon does not answer and its fallback failed");
}

static void append_environment(Buffer *frame) {
  int first = 1;
  for (char **entry = environ; *entry; entry++) {
    const char *equals = memchr(*entry, '=', strlen(*entry));
    if (!equals || !is_passed_on(*entry, (size_t)(equals - *entry))) continue;
    if (!first) append_text(frame, ",");
    first = 0;
    append_json_string(frame, *entry, (size_t)(equals - *entry));
    append_text(frame, ":");
    append_json_string(frame, equals + 1, strlen(equals + 1));
  }
}

static int is_attended(void) {
  const char *said = find_variable("CLAUDE_CODE_SESSION_ATTENDED");
  if (said) return strcmp(said, "1") == 0 || strcmp(said, "true") == 0;
  return isatty(2);
}

/* Everything up to the payload. */
static void append_head(Buffer *frame) {
  char cwd[4096];
  append_text(frame, "{\"agent\":");
  append_json_string(frame, agent, strlen(agent));
  append_text(frame, ",\"event\":");
  append_json_string(frame, event, strlen(event));
  append_text(frame, ",\"event-id\":\"");
  append_text(frame, event_id);
  append_text(frame, "\"");
  if (getcwd(cwd, sizeof cwd)) {
    append_text(frame, ",\"cwd\":");
    append_json_string(frame, cwd, strlen(cwd));
  }
  append_text(frame, is_attended() ? ",\"attended\":true" : ",\"attended\":false");
  append_text(frame, ",\"parent\":");
  append_number(frame, (unsigned long)getppid());
  if (deadline_text) {
    append_text(frame, ",\"deadline-ms\":");
    append_text(frame, deadline_text);
  }
  const char *secret = find_variable("BELAY_AGENT_SECRET");
  if (secret && *secret) {
    append_text(frame, ",\"secret\":");
    append_json_string(frame, secret, strlen(secret));
  }
  append_text(frame, ",\"env\":{");
  append_environment(frame);
  append_text(frame, "},\"payload\":");
}

/* On one line: a newline between JSON tokens is white space, and inside a JSON string it cannot stand. */
static void append_payload(Buffer *frame) {
  for (;;) {
    reserve(frame, 4096);
    char *end = frame->data + frame->length;
    ssize_t got = read(0, end, frame->capacity - frame->length);
    if (got == 0) return;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse("the payload cannot be read");
    for (char *c = end; c < end + got; c++)
      if (*c == '\n' || *c == '\r') *c = ' ';
    frame->length += (size_t)got;
  }
}

/* As in own-folder.ts: somebody else may have made the folder first, in a temp directory that everybody shares, and would read what is sent
 * there. `path` is cut at its last slashes on the way. */
static int is_ours(char *path) {
  uid_t own = geteuid();
  struct stat file, folder, above;
  size_t cut = strlen(path);
  if (lstat(path, &file) < 0 || !S_ISSOCK(file.st_mode) || file.st_uid != own) return 0;
  while (cut > 0 && path[cut - 1] != '/') cut--;
  if (cut < 2) return 0;
  path[cut - 1] = 0;
  if (lstat(path, &folder) < 0 || !S_ISDIR(folder.st_mode) || folder.st_uid != own || (folder.st_mode & 077)) return 0;
  while (cut > 0 && path[cut - 1] != '/') cut--;
  if (cut == 0) return 0;
  path[cut > 1 ? cut - 1 : 1] = 0;
  if (stat(path, &above) < 0 || (above.st_uid != own && above.st_uid != 0)) return 0;
  return !(above.st_mode & 022) || (above.st_mode & S_ISVTX);
}

static int connect_daemon(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(path);
  if (length == 0 || length >= sizeof address.sun_path) return -1;
  memcpy(address.sun_path, path, length + 1);
  if (!is_ours(address.sun_path)) return -1;
  memcpy(address.sun_path, path, length + 1);
  int daemon = socket(AF_UNIX, SOCK_STREAM | WITHOUT_WAITING, 0);
  return daemon >= 0 && connect(daemon, (struct sockaddr *)&address, sizeof address) == 0 ? daemon : -1;
}

static int is_ready(int daemon, short what, long ms) {
  struct pollfd wait = {.fd = daemon, .events = what};
  return ms > 0 && poll(&wait, 1, (int)ms) > 0;
}

static int send_frame(int daemon, const Buffer *frame, long deadline) {
  for (size_t done = 0; done < frame->length;) {
    ssize_t sent = send(daemon, frame->data + done, frame->length - done, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) done += (size_t)sent;
    else if (errno != EINTR && errno != EAGAIN) return -1;
    else if (!is_ready(daemon, POLLOUT, deadline - now_ms())) return -1;
  }
  return 0;
}

static char hung_file[128];

static void name_hung_file(const char *socket) {
  size_t length = strlen(socket);
  if (length == 0 || length + sizeof HUNG_SUFFIX > sizeof hung_file) return;
  memcpy(hung_file, socket, length);
  memcpy(hung_file + length, HUNG_SUFFIX, sizeof HUNG_SUFFIX);
}

/* Whether the daemon says anything before it counts as hanging. That it does not is remembered for those who come next: each of them would
 * wait as long in vain. */
static int is_heard(int daemon, long deadline) {
  long left = deadline - now_ms();
  if (is_ready(daemon, POLLIN, left < PROBE_MS ? left : PROBE_MS)) return 1;
  long more = access(hung_file, F_OK) == 0 ? 0 : SHIM_QUIET_MS - PROBE_MS;
  left = deadline - now_ms();
  if (is_ready(daemon, POLLIN, left < more ? left : more)) return 1;
  /* Cut short by the deadline of the call, silence says nothing about the daemon. */
  if (left < more) return 0;
  int file = open(hung_file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file >= 0) {
    write_all(file, "\n", 1);
    close(file);
  }
  return 0;
}

static int receive_line(int daemon, Buffer *line, long deadline) {
  for (;;) {
    if (!is_heard(daemon, deadline)) return -1;
    reserve(line, 4096);
    ssize_t got = recv(daemon, line->data + line->length, line->capacity - line->length, 0);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return -1;
    char *end = memchr(line->data + line->length, '\n', (size_t)got);
    line->length += (size_t)got;
    if (!end) continue;
    *end = 0;
    return 0;
  }
}

/* The daemon answers {"exit":N,"stdout":"...","stderr":"..."} in this order; anything else is no answer. */
static void print_answer(char *line) {
  char *at = line;
  Text out, err;
  while (*at == ' ') at++;
  if (!skip(&at, "{\"exit\":")) return;
  long code = read_number(&at);
  if (code < 0 || code + proof > 255) return;
  if (!skip(&at, ",\"stdout\":") || !read_json_string(&at, &out)) return;
  if (!skip(&at, ",\"stderr\":") || !read_json_string(&at, &err)) return;
  if (!skip(&at, "}") || *at) return;
  if (write_all(1, out.data, out.length) < 0 || write_all(2, err.data, err.length) < 0) refuse("the answer cannot be printed");
  _exit(proof + (int)code);
}

int main(int count, char **arguments) {
  static char frame_memory[1 << 16], line_memory[1 << 16];
  Buffer frame = {frame_memory, 0, sizeof frame_memory}, line = {line_memory, 0, sizeof line_memory};
  for (int i = 1; i + 1 < count; i += 2) {
    if (strcmp(arguments[i], "--agent") == 0) agent = arguments[i + 1];
    if (strcmp(arguments[i], "--event") == 0) event = arguments[i + 1];
    if (strcmp(arguments[i], "--deadline-ms") == 0) deadline_text = arguments[i + 1];
    if (strcmp(arguments[i], "--proof") == 0) proof = PROOF;
  }
  char *digits = (char *)(deadline_text ? deadline_text : "");
  long given = read_number(&digits), limit = given > 0 ? given : SHIM_DEADLINE_MS, deadline = now_ms() + limit;
  long more = limit / 5 * 4;
  if (more < LEAST_FALLBACK_MS) more = LEAST_FALLBACK_MS;
  if (more > MOST_FALLBACK_MS) more = MOST_FALLBACK_MS;
  signal(SIGPIPE, SIG_IGN);
#ifdef __linux__
  /* An agent that gives up ends the shell of its line; what waits for a person's answer must not wait on. */
  if (proof) prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  /* The one it was built for, whatever the environment says. Empty: only the Node shim knows where it is. */
  const char *path = built_in_or(SHIM_SOCKET, "BELAY_SHIM_SOCKET");
  /* Before anything else: the daemon takes the connection while the payload is read. */
  int daemon = connect_daemon(path);
  name_hung_file(path);
  create_event_id(event_id);
  append_head(&frame);
  size_t head = frame.length;
  append_payload(&frame);
  size_t length = frame.length - head;
  append_text(&frame, "}\n");
  if (daemon >= 0 && send_frame(daemon, &frame, deadline) == 0 && receive_line(daemon, &line, deadline) == 0) print_answer(line.data);
  if (daemon >= 0) close(daemon);
  run_node_shim(frame.data + head, length, *path ? "--direct" : NULL, deadline + more);
}
