/* Text for the client: buffers that grow, JSON strings in both directions, ids. Included once, by shim.c. */

/* Says why and ends. */
__attribute__((noreturn)) void refuse(const char *why);

typedef struct {
  char *data;
  size_t length, capacity;
} Buffer;

typedef struct {
  const char *data;
  size_t length;
} Text;

/* Never given back: the client lives for one call. */
static void *take_memory(size_t length) {
  void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) refuse("out of memory");
  return memory;
}

static void reserve(Buffer *buffer, size_t more) {
  if (buffer->length + more <= buffer->capacity) return;
  size_t capacity = buffer->capacity;
  while (capacity < buffer->length + more) capacity *= 2;
  char *data = take_memory(capacity);
  memcpy(data, buffer->data, buffer->length);
  buffer->data = data;
  buffer->capacity = capacity;
}

static void append(Buffer *buffer, const char *data, size_t length) {
  reserve(buffer, length);
  memcpy(buffer->data + buffer->length, data, length);
  buffer->length += length;
}

static void append_text(Buffer *buffer, const char *text) { append(buffer, text, strlen(text)); }

static void append_number(Buffer *buffer, unsigned long value) {
  char digits[24], *at = digits + sizeof digits;
  do *--at = (char)('0' + value % 10), value /= 10;
  while (value > 0);
  append(buffer, at, (size_t)(digits + sizeof digits - at));
}

static const char HEX[] = "0123456789abcdef";

static void append_json_string(Buffer *buffer, const char *text, size_t length) {
  append(buffer, "\"", 1);
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c < 0x20 || c == '"' || c == '\\') {
      char escaped[] = {'\\', 'u', '0', '0', HEX[c >> 4], HEX[c & 15]};
      append(buffer, escaped, sizeof escaped);
    } else {
      append(buffer, text + i, 1);
    }
  }
  append(buffer, "\"", 1);
}

/* Whether a word in small letters occurs in a text, however that is written. */
static int mentions(const char *text, const char *word) {
  for (; *text; text++) {
    size_t same = 0;
    while (word[same] && (text[same] | 0x20) == word[same]) same++;
    if (!word[same]) return 1;
  }
  return 0;
}

static int has_suffix(const char *name, size_t length, const char *suffix) {
  size_t size = strlen(suffix);
  return length > size && strncmp(name + length - size, suffix, size) == 0;
}

/* A UUID of version 7: the time in milliseconds, then chance. Ids that grow with time cost the daemon's index least. */
#define EVENT_ID_LENGTH 36

static void create_event_id(char *id) {
  unsigned char bytes[16];
  struct timespec time;
  if (getentropy(bytes, sizeof bytes) < 0) refuse("there is no randomness for the event's id");
  clock_gettime(CLOCK_REALTIME, &time);
  unsigned long long ms = (unsigned long long)time.tv_sec * 1000 + (unsigned long long)time.tv_nsec / 1000000;
  for (int i = 0; i < 6; i++) bytes[i] = (unsigned char)(ms >> (40 - 8 * i));
  bytes[6] = (unsigned char)(0x70 | (bytes[6] & 0x0F));
  bytes[8] = (unsigned char)(0x80 | (bytes[8] & 0x3F));
  for (int i = 0; i < 16; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) *id++ = '-';
    *id++ = HEX[bytes[i] >> 4];
    *id++ = HEX[bytes[i] & 15];
  }
  *id = 0;
}

static int skip(char **at, const char *text) {
  size_t length = strlen(text);
  if (strncmp(*at, text, length) != 0) return 0;
  *at += length;
  return 1;
}

/* Digits only; -1 when there are none or too many. */
static long read_number(char **at) {
  long value = 0;
  char *start = *at;
  for (; **at >= '0' && **at <= '9'; (*at)++) {
    if (*at - start >= 9) return -1;
    value = value * 10 + (**at - '0');
  }
  return *at == start ? -1 : value;
}

static unsigned read_hex4(const char *text) {
  unsigned value = 0;
  for (int i = 0; i < 4; i++) {
    char c = text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] | 0x20) : text[i];
    const char *digit = c ? memchr(HEX, c, 16) : NULL;
    if (!digit) return 0xFFFFFFFF;
    value = value * 16 + (unsigned)(digit - HEX);
  }
  return value;
}

static char *put_utf8(char *to, unsigned code) {
  if (code < 0x80) {
    *to++ = (char)code;
    return to;
  }
  if (code < 0x800) {
    *to++ = (char)(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      *to++ = (char)(0xE0 | code >> 12);
    } else {
      *to++ = (char)(0xF0 | code >> 18);
      *to++ = (char)(0x80 | (code >> 12 & 0x3F));
    }
    *to++ = (char)(0x80 | (code >> 6 & 0x3F));
  }
  *to++ = (char)(0x80 | (code & 0x3F));
  return to;
}

/* What stands behind a backslash at *at, moved past; NULL: no such escape. */
static char *put_escaped(char *to, char **at) {
  static const char known[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  char *c = *at;
  if (*c == 'u') {
    unsigned code = read_hex4(c + 1);
    if (code == 0xFFFFFFFF) return NULL;
    c += 5;
    if (code >= 0xD800 && code < 0xDC00 && c[0] == '\\' && c[1] == 'u') {
      unsigned low = read_hex4(c + 2);
      if (low >= 0xDC00 && low < 0xE000) code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00), c += 6;
    }
    *at = c;
    return put_utf8(to, code);
  }
  const char *found = *c ? memchr(known, *c, sizeof known - 1) : NULL;
  if (!found) return NULL;
  *at = c + 1;
  *to++ = meant[found - known];
  return to;
}

/* Reads the JSON string at *at and moves past it. It is unescaped in its own place, because no escape gets longer by that. */
static int read_json_string(char **at, Text *text) {
  char *c = *at;
  if (*c++ != '"') return 0;
  char *to = c;
  text->data = to;
  while (*c && *c != '"') {
    if (*c != '\\') {
      *to++ = *c++;
      continue;
    }
    c++;
    to = put_escaped(to, &c);
    if (!to) return 0;
  }
  if (*c != '"') return 0;
  text->length = (size_t)(to - text->data);
  *at = c + 1;
  return 1;
}
