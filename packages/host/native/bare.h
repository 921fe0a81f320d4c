/* The part of the C library that the client uses, for Linux on x86-64: starting the real one takes longer than the whole call, because it
 * asks the processor about itself 68 times, which a virtual machine answers slowly. Included once, by shim.c, when it is built without it
 * (-nostdlib). Everything has the name and the meaning it has in the C library. */
#if !defined(__linux__) || !defined(__x86_64__) || !defined(__LP64__)
#error "there are no system calls for this machine here: build with the C library"
#endif
#include <sys/syscall.h>

int main(int count, char **arguments);

char **environ;
static int last_error;

int *__errno_location(void) { return &last_error; }

/* The kernel leaves the number of arguments, the arguments and the environment on the stack. */
__asm__(".globl _start\n"
        "_start:\n"
        "  xor %ebp, %ebp\n"
        "  mov %rsp, %rdi\n"
        "  and $-16, %rsp\n"
        "  call begin\n");

static long call_kernel(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  if (result >= -4095 && result < 0) {
    last_error = (int)-result;
    return -1;
  }
  return result;
}

#define CALL3(name, a, b, c) call_kernel(SYS_##name, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define CALL6(name, a, b, c, d, e, f) call_kernel(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

void _exit(int code) {
  for (;;) CALL3(exit_group, code, 0, 0);
}

__attribute__((used)) static void begin(long *stack) {
  char **arguments = (char **)(stack + 1);
  environ = arguments + stack[0] + 1;
  _exit(main((int)stack[0], arguments));
}

void *memcpy(void *restrict to, const void *restrict from, size_t length) {
  void *start = to;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(length) : : "memory");
  return start;
}

void *memset(void *to, int byte, size_t length) {
  void *start = to;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(length) : "a"(byte) : "memory");
  return start;
}

void *memchr(const void *in, int byte, size_t length) {
  for (const unsigned char *at = in, *end = at + length; at < end; at++)
    if (*at == (unsigned char)byte) return (void *)at;
  return NULL;
}

size_t strlen(const char *text) {
  const char *end = text;
  while (*end) end++;
  return (size_t)(end - text);
}

int strncmp(const char *a, const char *b, size_t length) {
  for (; length > 0; a++, b++, length--)
    if (*a != *b || !*a) return (unsigned char)*a - (unsigned char)*b;
  return 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, (size_t)-1); }

ssize_t read(int file, void *to, size_t length) { return CALL3(read, file, to, length); }
ssize_t write(int file, const void *from, size_t length) { return CALL3(write, file, from, length); }
int open(const char *path, int how, ...) { return (int)CALL3(open, path, how, 0600); }
int access(const char *path, int rights) { return (int)CALL3(access, path, rights, 0); }
int close(int file) { return (int)CALL3(close, file, 0, 0); }
int stat(const char *restrict path, struct stat *restrict to) { return (int)CALL3(stat, path, to, 0); }
int lstat(const char *restrict path, struct stat *restrict to) { return (int)CALL3(lstat, path, to, 0); }
pid_t getppid(void) { return (pid_t)CALL3(getppid, 0, 0, 0); }
uid_t geteuid(void) { return (uid_t)CALL3(geteuid, 0, 0, 0); }
off_t lseek(int file, off_t offset, int whence) { return CALL3(lseek, file, offset, whence); }
int dup2(int from, int to) { return (int)CALL3(dup2, from, to, 0); }
int memfd_create(const char *name, unsigned flags) { return (int)CALL3(memfd_create, name, flags, 0); }
int isatty(int file) {
  char settings[64];
  return CALL3(ioctl, file, 0x5401 /* TCGETS */, settings) == 0;
}
char *getcwd(char *to, size_t length) { return CALL3(getcwd, to, length, 0) < 0 ? NULL : to; }
int getentropy(void *to, size_t length) { return CALL3(getrandom, to, length, 0) == (long)length ? 0 : -1; }
int clock_gettime(clockid_t clock, struct timespec *to) { return (int)CALL3(clock_gettime, clock, to, 0); }

int socket(int domain, int type, int protocol) { return (int)CALL3(socket, domain, type, protocol); }
int connect(int file, const struct sockaddr *address, socklen_t length) { return (int)CALL3(connect, file, address, length); }
int poll(struct pollfd *files, nfds_t count, int ms) { return (int)CALL3(poll, files, count, ms); }
ssize_t send(int file, const void *from, size_t length, int flags) { return CALL6(sendto, file, from, length, flags, 0, 0); }
ssize_t recv(int file, void *to, size_t length, int flags) { return CALL6(recvfrom, file, to, length, flags, 0, 0); }

void *mmap(void *near, size_t length, int rights, int flags, int file, off_t offset) {
  return (void *)CALL6(mmap, near, length, rights, flags, file, offset);
}

int kill(pid_t process, int number) { return (int)CALL3(kill, process, number, 0); }
/* Only to be sent SIGTERM when the parent ends. */
int prctl(int what, ...) { return (int)CALL3(prctl, what, SIGTERM, 0); }
pid_t fork(void) { return (pid_t)CALL3(fork, 0, 0, 0); }
pid_t waitpid(pid_t child, int *status, int options) { return (pid_t)CALL6(wait4, child, status, options, 0, 0, 0); }
int execve(const char *path, char *const arguments[], char *const environment[]) { return (int)CALL3(execve, path, arguments, environment); }

/* Only to ignore a signal or to take that back: a handler would need code to return from it. */
void (*signal(int number, void (*handler)(int)))(int) {
  struct {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask;
  } action = {handler, 0, NULL, 0};
  return CALL6(rt_sigaction, number, &action, 0, sizeof action.mask, 0, 0) < 0 ? SIG_ERR : handler;
}
