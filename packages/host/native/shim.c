/* The hook client that agents start for every event: send, wait, print. It knows nothing else.
 *
 *   shim --agent AGENT --event EVENT [--deadline-ms N]   < payload   > answer
 *
 * It frames the payload as one line of JSON, sends it to the daemon's socket and prints the answer. A daemon that is still at it sends
 * a blank now and then. On silence, no answer within the deadline, a refusal, or anything unexpected it starts the Node shim with the
 * same stdin, and only that one judges.
 * Invariant: it ends with exit code 0 only when the daemon or the Node shim said so; before a tool every failure ends with 2, because
 * agents let a tool run on any other code. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SHIM_HOME
#define SHIM_HOME ""
#endif
#ifndef SHIM_SOCKET
#define SHIM_SOCKET ""
#endif
#ifndef SHIM_NODE
#define SHIM_NODE "node"
#endif
#ifndef SHIM_SCRIPT
#define SHIM_SCRIPT ""
#endif
#ifndef SHIM_DEADLINE_MS
#define SHIM_DEADLINE_MS 25000
#endif
/* A daemon that has not even sent a blank for so long hangs. */
#ifndef SHIM_QUIET_MS
#define SHIM_QUIET_MS 5000
#endif
/* A longer path has its socket elsewhere. */
#define MAX_SOCKET_PATH 101

extern char **environ;

typedef struct {
  char *data;
  size_t length, capacity;
} Buffer;

static const char *agent = "", *event = "", *deadline_text = NULL;
static Buffer payload;

/* Events at which a failure must not hold the agent up: exit code 2 would keep it from stopping, or a person from asking. Every other
 * event may be a tool that is about to run. */
static int is_gate(void) {
  static const char *harmless[] = {"stop", "end", "start", "post", "after", "notif", "comp", "idle", "result", "prompt", "agent", "session", "task", NULL};
  for (int i = 0; harmless[i]; i++)
    if (strcasestr(event, harmless[i])) return 0;
  return 1;
}

static void refuse(const char *why) {
  fprintf(stderr, is_gate() ? "Tool denied: Belay: %s, and nothing else could judge the call; a person can run `belay doctor`\n" : "Belay: %s; a person can run `belay doctor`\n", why);
  exit(is_gate() ? 2 : 1);
}

static void reserve(Buffer *buffer, size_t more) {
  if (buffer->length + more <= buffer->capacity) return;
  size_t capacity = buffer->capacity ? buffer->capacity : 4096;
  while (capacity < buffer->length + more) capacity *= 2;
  char *data = realloc(buffer->data, capacity);
  if (!data) refuse("out of memory");
  buffer->data = data;
  buffer->capacity = capacity;
}

static void append(Buffer *buffer, const char *data, size_t length) {
  reserve(buffer, length);
  memcpy(buffer->data + buffer->length, data, length);
  buffer->length += length;
}

static void append_text(Buffer *buffer, const char *text) { append(buffer, text, strlen(text)); }

static void append_json_string(Buffer *buffer, const char *text) {
  append(buffer, "\"", 1);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    char escaped[8];
    if (*c == '"' || *c == '\\') {
      escaped[0] = '\\', escaped[1] = (char)*c;
      append(buffer, escaped, 2);
    } else if (*c < 0x20) {
      append(buffer, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", *c));
    } else {
      append(buffer, (const char *)c, 1);
    }
  }
  append(buffer, "\"", 1);
}

static long now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000L + time.tv_nsec / 1000000L;
}

/* A file without a name, in memory where the system has that. */
static int open_scratch(void) {
#ifdef __linux__
  int memory = memfd_create("belay-payload", 0);
  if (memory >= 0) return memory;
#endif
  char path[] = "/tmp/belay-shim-XXXXXX";
  int file = mkstemp(path);
  if (file < 0) refuse("there is no room for the payload");
  unlink(path);
  return file;
}

/* Only a client that was built without a value takes it from the environment, for tests: a project can put variables there. */
static const char *built_in_or(const char *value, const char *name) {
  const char *given = *value ? NULL : getenv(name);
  return given ? given : value;
}

static int payload_file(void) {
  int file = open_scratch();
  for (size_t done = 0; done < payload.length;) {
    ssize_t wrote = write(file, payload.data + done, payload.length - done);
    if (wrote < 0 && errno != EINTR) refuse("there is no room for the payload");
    if (wrote > 0) done += (size_t)wrote;
  }
  if (lseek(file, 0, SEEK_SET) < 0) refuse("the payload cannot be handed over");
  return file;
}

/* The Node shim gets the stdin that was already read from a file without a name. `how`: --direct when the daemon was asked in vain. It
 * is waited for: should it crash, its exit code would let the tool run. Never returns. */
static void run_node_shim(const char *how) {
  const char *script = built_in_or(SHIM_SCRIPT, "BELAY_SHIM_SCRIPT");
  if (!*script) refuse("the daemon does not answer and this client was built without a fallback");
  if (*SHIM_HOME && setenv("BELAY_HOME", SHIM_HOME, 0) < 0) refuse("out of memory");
  char *arguments[] = {SHIM_NODE, (char *)script, "hook", "--agent", (char *)agent, "--event", (char *)event, (char *)how, NULL};
  int file = payload_file(), status = 0;
  signal(SIGPIPE, SIG_DFL);
  pid_t child = fork();
  if (child == 0) {
    if (dup2(file, 0) >= 0) execvp(SHIM_NODE, arguments);
    _exit(127);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0)
    if (errno != EINTR) refuse("the daemon does not answer and the end of its fallback cannot be seen");
  if (child > 0 && WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2)) exit(WEXITSTATUS(status));
  refuse("the daemon does not answer and its fallback failed");
}

static void read_payload(void) {
  for (;;) {
    reserve(&payload, 65536);
    ssize_t got = read(0, payload.data + payload.length, payload.capacity - payload.length);
    if (got == 0) return;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse("the payload cannot be read");
    payload.length += (size_t)got;
  }
}

static int has_suffix(const char *name, size_t length, const char *suffix) {
  size_t size = strlen(suffix);
  return length > size && strncmp(name + length - size, suffix, size) == 0;
}

static int is_passed_on(const char *name, size_t length) {
  static const char *names[] = {"AGENT_ID",      "AGENT_PARENT",     "AGENT_MANAGES",   "AGENT_CLAIMS",
                                "BELAY_ACTOR",   "BELAY_COMMITMENT", "CLAUDE_ENV_FILE", "CLAUDE_CODE_SESSION_ATTENDED",
                                "BELAY_RUN_ID", NULL};
  for (int i = 0; names[i]; i++)
    if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0) return 1;
  return has_suffix(name, length, "_PROJECT_DIR") || has_suffix(name, length, "PLUGIN_ROOT");
}

static void append_environment(Buffer *frame) {
  int first = 1;
  for (char **entry = environ; *entry; entry++) {
    char *equals = strchr(*entry, '=');
    if (!equals || !is_passed_on(*entry, (size_t)(equals - *entry))) continue;
    if (!first) append_text(frame, ",");
    first = 0;
    *equals = 0;
    append_json_string(frame, *entry);
    append_text(frame, ":");
    append_json_string(frame, equals + 1);
    *equals = '=';
  }
}

static int is_attended(void) {
  const char *said = getenv("CLAUDE_CODE_SESSION_ATTENDED");
  if (said) return strcmp(said, "1") == 0 || strcmp(said, "true") == 0;
  return isatty(2);
}

/* One line: a newline between JSON tokens is white space, and inside a JSON string it cannot stand. */
static void append_payload(Buffer *frame) {
  size_t start = frame->length;
  append(frame, payload.data, payload.length);
  for (char *c = frame->data + start; c < frame->data + frame->length; c++)
    if (*c == '\n' || *c == '\r') *c = ' ';
}

static void build_frame(Buffer *frame) {
  char cwd[4096];
  append_text(frame, "{\"agent\":");
  append_json_string(frame, agent);
  append_text(frame, ",\"event\":");
  append_json_string(frame, event);
  if (getcwd(cwd, sizeof cwd)) {
    append_text(frame, ",\"cwd\":");
    append_json_string(frame, cwd);
  }
  append_text(frame, is_attended() ? ",\"attended\":true" : ",\"attended\":false");
  if (deadline_text) {
    append_text(frame, ",\"deadline-ms\":");
    append_text(frame, deadline_text);
  }
  append_text(frame, ",\"env\":{");
  append_environment(frame);
  append_text(frame, "},\"payload\":");
  append_payload(frame);
  append_text(frame, "}\n");
}

/* The environment may name another home than the one this was built for. Empty: only the Node shim knows where it is. */
static const char *socket_path(void) {
  static char other[MAX_SOCKET_PATH + 1];
  const char *path = built_in_or(SHIM_SOCKET, "BELAY_SHIM_SOCKET"), *home = getenv("BELAY_HOME");
  if (!home || !*home || strcmp(home, SHIM_HOME) == 0 || (!*SHIM_SOCKET && *path)) return path;
  int length = snprintf(other, sizeof other, "%s/run/shim.sock", home);
  return length > 0 && length <= MAX_SOCKET_PATH ? other : "";
}

static int connect_daemon(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket_fd < 0 || fcntl(socket_fd, F_SETFD, FD_CLOEXEC) < 0 || connect(socket_fd, (struct sockaddr *)&address, sizeof address) < 0) return -1;
  return socket_fd;
}

static int send_all(int socket_fd, const Buffer *frame, long deadline) {
  for (size_t done = 0; done < frame->length;) {
    struct pollfd wait = {.fd = socket_fd, .events = POLLOUT};
    long left = deadline - now_ms();
    if (left <= 0 || poll(&wait, 1, (int)left) <= 0) return -1;
    ssize_t wrote = send(socket_fd, frame->data + done, frame->length - done, MSG_DONTWAIT);
    if (wrote < 0 && errno != EINTR && errno != EAGAIN) return -1;
    if (wrote > 0) done += (size_t)wrote;
  }
  return 0;
}

static int receive_line(int socket_fd, Buffer *line, long deadline) {
  for (;;) {
    struct pollfd wait = {.fd = socket_fd, .events = POLLIN};
    long left = deadline - now_ms();
    if (left <= 0 || poll(&wait, 1, (int)(left < SHIM_QUIET_MS ? left : SHIM_QUIET_MS)) <= 0) return -1;
    reserve(line, 65536);
    ssize_t got = recv(socket_fd, line->data + line->length, line->capacity - line->length - 1, 0);
    if (got == 0) return -1;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    char *end = memchr(line->data + line->length, '\n', (size_t)got);
    line->length += (size_t)got;
    if (end) {
      *end = 0;
      return 0;
    }
  }
}

static unsigned hex4(const char *text) {
  unsigned value = 0;
  for (int i = 0; i < 4; i++) {
    char c = text[i];
    unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 99;
    if (digit == 99) return 0xFFFFFFFF;
    value = value * 16 + digit;
  }
  return value;
}

static void append_utf8(Buffer *out, unsigned code) {
  char bytes[4];
  size_t length = 0;
  if (code < 0x80) {
    bytes[length++] = (char)code;
  } else if (code < 0x800) {
    bytes[length++] = (char)(0xC0 | code >> 6);
    bytes[length++] = (char)(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    bytes[length++] = (char)(0xE0 | code >> 12);
    bytes[length++] = (char)(0x80 | (code >> 6 & 0x3F));
    bytes[length++] = (char)(0x80 | (code & 0x3F));
  } else {
    bytes[length++] = (char)(0xF0 | code >> 18);
    bytes[length++] = (char)(0x80 | (code >> 12 & 0x3F));
    bytes[length++] = (char)(0x80 | (code >> 6 & 0x3F));
    bytes[length++] = (char)(0x80 | (code & 0x3F));
  }
  append(out, bytes, length);
}

/* Reads a JSON string at *at (which stands on its opening quote) into out and moves past it. */
static int read_json_string(const char **at, Buffer *out) {
  const char *c = *at;
  if (*c++ != '"') return -1;
  while (*c && *c != '"') {
    if (*c != '\\') {
      append(out, c++, 1);
      continue;
    }
    c++;
    if (*c == 'u') {
      unsigned code = hex4(c + 1);
      if (code == 0xFFFFFFFF) return -1;
      c += 5;
      if (code >= 0xD800 && code < 0xDC00 && c[0] == '\\' && c[1] == 'u') {
        unsigned low = hex4(c + 2);
        if (low >= 0xDC00 && low < 0xE000) code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00), c += 6;
      }
      append_utf8(out, code);
      continue;
    }
    const char *known = "\"\\/bfnrt", *meant = "\"\\/\b\f\n\r\t", *found = strchr(known, *c);
    if (!*c || !found) return -1;
    append(out, meant + (found - known), 1);
    c++;
  }
  if (*c != '"') return -1;
  *at = c + 1;
  return 0;
}

static int expect(const char **at, const char *text) {
  size_t length = strlen(text);
  if (strncmp(*at, text, length) != 0) return -1;
  *at += length;
  return 0;
}

static int write_all(int fd, const Buffer *buffer) {
  for (size_t done = 0; done < buffer->length;) {
    ssize_t wrote = write(fd, buffer->data + done, buffer->length - done);
    if (wrote < 0 && errno != EINTR) return -1;
    if (wrote > 0) done += (size_t)wrote;
  }
  return 0;
}

/* The daemon answers {"exit":N,"stdout":"...","stderr":"..."} in this order; anything else is no answer. */
static int print_answer(const char *line) {
  Buffer out = {0}, err = {0};
  const char *at = line + strspn(line, " ");
  if (expect(&at, "{\"exit\":") < 0) return -1;
  char *end;
  long code = strtol(at, &end, 10);
  if (end == at || code < 0 || code > 255) return -1;
  at = end;
  if (expect(&at, ",\"stdout\":") < 0 || read_json_string(&at, &out) < 0) return -1;
  if (expect(&at, ",\"stderr\":") < 0 || read_json_string(&at, &err) < 0) return -1;
  if (expect(&at, "}") < 0 || *at) return -1;
  if (write_all(1, &out) < 0 || write_all(2, &err) < 0) refuse("the answer cannot be printed");
  exit((int)code);
}

int main(int count, char **arguments) {
  for (int i = 1; i + 1 < count; i += 2) {
    if (strcmp(arguments[i], "--agent") == 0) agent = arguments[i + 1];
    if (strcmp(arguments[i], "--event") == 0) event = arguments[i + 1];
    if (strcmp(arguments[i], "--deadline-ms") == 0) deadline_text = arguments[i + 1];
  }
  long limit = deadline_text ? strtol(deadline_text, NULL, 10) : SHIM_DEADLINE_MS;
  long deadline = now_ms() + (limit > 0 ? limit : SHIM_DEADLINE_MS);
  Buffer frame = {0}, line = {0};
  signal(SIGPIPE, SIG_IGN);
  read_payload();
  build_frame(&frame);
  const char *path = socket_path();
  if (!*path) run_node_shim(NULL);
  int socket_fd = connect_daemon(path);
  if (socket_fd >= 0 && send_all(socket_fd, &frame, deadline) == 0 && receive_line(socket_fd, &line, deadline) == 0) print_answer(line.data);
  run_node_shim("--direct");
}
