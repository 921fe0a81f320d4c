// Programs whose arguments need more than an option list. A reader returns the words to go on with, or null when it did all.
import type { Call } from '../call.ts'
import type { Word } from '../shell-analysis.ts'
import type { Program, ReaderName } from '../table/program.ts'
import { readAddresses } from './address.ts'
import { readAwk } from './awk.ts'
import { readBinds } from './bind.ts'
import { readBuildFile } from './build-file.ts'
import { readEditor } from './editor.ts'
import { readAr, readHttpItems, readStdinNames } from './file-operand.ts'
import { readFind } from './find.ts'
import { readGitConfigVerb } from './git-setting.ts'
import { readMacroInput, readTmuxFormats } from './macro.ts'
import { readMiller } from './miller.ts'
import { readPatch } from './patch.ts'
import { readRename } from './rename.ts'
import { readSed } from './sed-script.ts'
import { readAt, readClock, readGhClone, readGit, readKeyFile, readMake, readParallel, readPlusCommand, readTar } from './small-readers.ts'
import { readStatements } from './statement.ts'

type Reader = (call: Call, program: Program, from: number) => readonly Word[] | null

const readers: Readonly<Record<ReaderName, Reader>> = {
  find: readFind,
  sed: readSed,
  awk: readAwk,
  git: readGit,
  'git-config-verb': readGitConfigVerb,
  parallel: readParallel,
  'plus-command': readPlusCommand,
  'stdin-shell': readAt,
  tar: readTar,
  make: readMake,
  statement: readStatements,
  'gh-clone': readGhClone,
  'stdin-names': readStdinNames,
  ar: readAr,
  patch: readPatch,
  editor: readEditor,
  'http-items': readHttpItems,
  address: readAddresses,
  'tmux-format': readTmuxFormats,
  macro: readMacroInput,
  clock: readClock,
  'key-file': readKeyFile,
  'build-file': readBuildFile,
  binds: readBinds,
  rename: readRename,
  miller: readMiller,
}

export function applyReader(call: Call, program: Program, from: number): readonly Word[] | null {
  return program.reader ? readers[program.reader](call, program, from) : call.words
}
