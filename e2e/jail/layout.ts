// What is inside the jail: which programs are real, which only record, and the files of the scratch folders.

/** What bash scripts are made of. They do nothing but read and write in the scratch folders. */
export const REAL_PROGRAMS = words(`
  bash dash env xargs find sed mawk awk grep cat head tail tr cut sort uniq wc tee printf echo true false test [ basename dirname seq
  mkdir touch ln cp mv chmod ls pwd expr timeout nice nohup setsid tac rev base64 od paste fold mktemp realpath readlink dd
  perl tar install truncate split id date stdbuf`)

/** Everything with an effect beyond the scratch folders, everything that rules name, and programs that start others. */
export const STUB_PROGRAMS = words(`
  rm git curl wget evil sudo doas ssh scp npm npx yarn docker kubectl terraform aws gh kill pkill shutdown reboot mkfs mount umount chown
  psql crontab at systemctl foo firejail chroot flock watch sleep jest tsc node python3 make ionice`)

/** By path below the folder that holds the project and the home. */
export const SCRATCH_FILES: Readonly<Record<string, string>> = {
  'repo/.env': 'TOKEN=1\n',
  'repo/.git/HEAD': 'ref: refs/heads/main\n',
  'repo/a.txt': 'alpha\nbeta\n',
  'repo/package.json': '{"name":"a"}\n',
  'repo/rm': 'only a text\n',
  'repo/src/index.ts': 'export {}\n',
  'repo/src/b c.ts': 'export {}\n',
  'repo/src/.hidden': 'nothing\n',
  'repo/secrets/key': 'key\n',
  'repo/secrets/.pin': '1234\n',
  'repo/words/evil': 'a text with a name\n',
  'repo/words/-rf': 'a text with a name\n',
  'repo/words/push': 'a text with a name\n',
  'home/.ssh/id_rsa': 'private\n',
  'home/.profile': 'true\n',
  'home/notes.txt': 'note\n',
}

export const SCRATCH_LINKS: Readonly<Record<string, string>> = {
  'repo/src/z': '../.env',
  'repo/up': '..',
  'repo/hidden': 'secrets',
  'repo/go': '/usr/bin/evil',
}

/** Files that the policy keeps from reading and writing. */
export const KEPT_FILES: readonly string[] = ['repo/.env', 'repo/secrets/key', 'repo/secrets/.pin', 'home/.ssh/id_rsa']

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
