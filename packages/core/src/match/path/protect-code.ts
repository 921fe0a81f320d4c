// Code for an interpreter that names protected files: in an argument, or on standard input. What it does with them no table can tell.
import { listAgents } from '../../agent/agents.ts'
import { hookFilesIn } from '../../agent/family.ts'
import { spend } from '../shell/meter.ts'
import type { Word } from '../shell/shell-analysis.ts'
import { ANY_SIGN, BLANK, SEPARATOR, wordSigns } from '../shell/signs.ts'
import { isInterpreter } from './guarded-command.ts'
import type { ProtectedPaths, Protection } from './protect-path.ts'

/** Looked through at once, characters cost less than one by one. */
const SEARCH_GAIN = 4

export function protectCode(program: string, texts: readonly Word[], protectedPaths: ProtectedPaths): Protection | null {
  if (!isInterpreter(program)) return null
  if (texts.slice(1).some(signalsParent)) return { decision: 'ask', reason: `${program} is told to signal its parent, which is the agent` }
  return protectTexts(program, texts, protectedPaths)
}

/** `os.kill(os.getppid(), 10)`, `process.kill(process.ppid)` */
function signalsParent(word: Word): boolean {
  const text = textOf(word)
  return PARENT.test(text) && ENDS.test(text)
}

/** What a program with a small language of its own is told: `ansible -m file -a 'path=~/.belay state=absent'`. One plain name is an operand. */
export function protectTold(program: string, words: readonly Word[], protectedPaths: ProtectedPaths): Protection | null {
  const signs = wordSigns(words)
  const told = words.filter((word, at) => at > 0 && ((signs[at] ?? ANY_SIGN) & TOLD) !== 0 && /[\s{}()'";]/.test(textOf(word)))
  return told.length === 0 ? null : protectTexts(program, told, protectedPaths)
}

const TOLD = BLANK | SEPARATOR

function protectTexts(program: string, texts: readonly Word[], protectedPaths: ProtectedPaths): Protection | null {
  const { belayHome, ownFiles } = protectedPaths
  const names = [belayHome, ...ownFiles]
  for (const word of texts) {
    const text = textOf(word)
    spend(text.length / SEARCH_GAIN)
    if (OURS.test(text) || names.some(name => text.includes(name))) {
      return { decision: 'ask', reason: `what ${program} is told to do mentions Belay's files` }
    }
    // sed and awk are given patterns that look like paths.
    if (!/^[gmn]?awk|^g?sed/.test(program) && AGENTS.test(text)) {
      return { decision: 'ask', reason: `what ${program} is told to do mentions the configuration of an agent` }
    }
  }
  return null
}

function textOf(word: Word): string {
  return word.value ?? word.parts.map(part => (part.kind === 'unknown' ? ' ' : part.value)).join('')
}

const ENDS = /kill/i
const PARENT = /ppid\b/i

const OURS = /\.belay\b|\.bela?[*?[]|\.mentu\b|\bBELAY_HOME\b|\/etc\/belay\b|\bgenesis\.key\b|\b(?:daemon|shim)\.sock\b/

/** Files that hold hooks, not every file of such a folder. Amp, Augment and Grok have no file in agent/. */
const AGENTS = new RegExp(
  ['.amp', '.augment', '.grok']
    .flatMap(hookFilesIn)
    .concat(listAgents().flatMap(({ hookPaths }) => hookPaths))
    .map(path => path.replaceAll('.', '\\.'))
    .join('|'),
)
