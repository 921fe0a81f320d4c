// The same program under another name: GNU's beside those of the system (`grm`, `gnu-rm`), those of uutils (`uu-rm`, `uu_rm`).

const NAMES: ReadonlySet<string> = new Set(
  'arch awk b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir dircolors dirname du echo env expand expr factor false find fmt fold grep groups head hostid hostname id install join kill link ln locate logname ls make md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste patch pathchk pr printenv printf ptx pwd readlink realpath rm rmdir runcon sed seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tar tee test time timeout touch tr true truncate tsort tty uname unexpand uniq unlink uptime users vdir wc which who whoami xargs yes'.split(
    ' ',
  ),
)
/** A pattern of all the names would take V8 a millisecond to compile, in each client that is given a word with such a beginning. */
const PREFIXES = ['g', 'gnu', 'gnu-', 'gnu_', 'uu', 'uu-', 'uu_', 'uutils-', 'uutils_']

/** The usual name of a program, where this is another for it. */
export function otherName(name: string): string | undefined {
  const first = name.charCodeAt(0)
  if (first !== G && first !== U) return undefined
  for (const prefix of PREFIXES) {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    if (NAMES.has(rest)) return rest
  }
  return undefined
}

const G = 'g'.charCodeAt(0)
const U = 'u'.charCodeAt(0)
