// The command that starts an agent anew with a prompt, where we know how it takes one: its own prompt is replaced, and options that would bring
// the used-up conversation back are left out. null: we do not know this agent, and the prompt is only in the recovery file.
import { basename } from 'node:path'

interface PromptForm {
  /** Options whose value is the prompt; where none is given it is the last word. */
  readonly promptOptions: readonly string[]
  /** Options that continue an earlier conversation, and whether a value follows. */
  readonly resumeOptions: Readonly<Record<string, boolean>>
  /** Only with this first word does the program take a prompt. */
  readonly subcommand?: string
}

const CLAUDE: PromptForm = {
  promptOptions: [],
  resumeOptions: { '-c': false, '--continue': false, '-r': true, '--resume': true, '--fork-session': false, '--session-id': true },
}
const GEMINI: PromptForm = {
  promptOptions: ['-p', '--prompt', '-i', '--prompt-interactive'],
  resumeOptions: { '-r': true, '--resume': true },
}
const PLAIN: PromptForm = { promptOptions: [], resumeOptions: { '--resume': true, '--continue': false } }

const FORMS: Readonly<Record<string, PromptForm>> = {
  claude: CLAUDE,
  codex: { promptOptions: [], resumeOptions: {} },
  gemini: GEMINI,
  qwen: { ...GEMINI, resumeOptions: { '-r': true, '--resume': true, '-c': false, '--continue': false } },
  copilot: { promptOptions: ['-p', '--prompt', '-i', '--interactive'], resumeOptions: { '--resume': true, '--continue': false } },
  opencode: { promptOptions: ['--prompt'], resumeOptions: { '-c': false, '--continue': false, '-s': true, '--session': true } },
  pi: { ...PLAIN, resumeOptions: { '-c': false, '--continue': false, '-r': false, '--resume': false, '--session': true } },
  droid: PLAIN,
  'cursor-agent': PLAIN,
  goose: { promptOptions: ['-t', '--text'], resumeOptions: { '-r': false, '--resume': false }, subcommand: 'run' },
}

export function withPrompt(command: readonly string[], prompt: string): readonly string[] | null {
  const [program = '', ...words] = command
  const form = FORMS[basename(program).replace(/\.(?:cmd|exe|js|mjs)$/, '')]
  if (form === undefined || (form.subcommand !== undefined && words[0] !== form.subcommand)) return null
  const fresh = dropOptions(words, form.resumeOptions)
  const at = fresh.findIndex(word => form.promptOptions.includes(word))
  if (at >= 0) return [program, ...fresh.slice(0, at + 1), prompt, ...fresh.slice(at + 2)]
  const print = fresh.findIndex((word, index) => PRINT.has(word) && fresh[index + 1]?.startsWith('-') === false)
  if (print >= 0) return [program, ...fresh.slice(0, print + 1), prompt, ...fresh.slice(print + 2)]
  const option = fresh.find(word => form.promptOptions.some(name => word.startsWith(`${name}=`)))
  if (option !== undefined) return [program, ...fresh.map(word => (word === option ? `${option.split('=')[0]}=${prompt}` : word))]
  return [program, ...withoutPromptWord(fresh), prompt]
}

function dropOptions(words: readonly string[], options: PromptForm['resumeOptions']): readonly string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const name = word.startsWith('--') ? (word.split('=')[0] ?? word) : word
    const takesValue = options[name]
    if (takesValue === undefined) kept.push(word)
    else if (takesValue && name === word && words[at + 1]?.startsWith('-') === false) at++
  }
  return kept
}

/** The last word is the prompt where it stands behind `--`, reads like a sentence, or follows no option that may own it. */
function withoutPromptWord(words: readonly string[]): readonly string[] {
  const last = words.at(-1)
  if (last === undefined || last.startsWith('-')) return words
  const before = words.at(-2)
  const isOwned = before?.startsWith('-') === true && before !== '--' && !before.includes('=') && !PRINT.has(before)
  const isSubcommand = before === undefined && /^[a-z-]+$/.test(last)
  return (isOwned && !/\s/.test(last)) || isSubcommand ? words : words.slice(0, -1)
}

/** Switches without a value: a word behind them is the prompt. */
const PRINT = new Set(['-p', '--print', '--full-auto', '--json', '--verbose', '--yolo', '--skip-git-repo-check'])
