// The same program under another name: GNU's beside those of the system (`grm`, `gnu-rm`), those of uutils (`uu-rm`, `uu_rm`).

const NAMES =
  'arch awk b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir dircolors dirname du echo env expand expr factor false find fmt fold grep groups head hostid hostname id install join kill link ln locate logname ls make md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste patch pathchk pr printenv printf ptx pwd readlink realpath rm rmdir runcon sed seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tar tee test time timeout touch tr true truncate tsort tty uname unexpand uniq unlink uptime users vdir wc which who whoami xargs yes'
const PREFIXED = new RegExp(`^(?:g|gnu[-_]?|uu[-_]?|uutils[-_])(${NAMES.replaceAll(' ', '|')})$`)

/** The usual name of a program, where this is another for it. */
export function otherName(name: string): string | undefined {
  const first = name.charCodeAt(0)
  return first === G || first === U ? PREFIXED.exec(name)?.[1] : undefined
}

const G = 'g'.charCodeAt(0)
const U = 'u'.charCodeAt(0)
