// The command that starts an agent anew with a prompt, where we know how it takes one: its own prompt is replaced, and options that would bring
// the used-up conversation back are left out. null: we do not know this agent, and the prompt is only in the recovery file.
import { basename } from 'node:path'
import { listAgents } from '@belay/core/adapter'
import { HOST_AGENTS } from '../agent/agents.ts'
import type { PromptForm } from '../agent/host-agent.ts'

const FORMS: ReadonlyMap<string, PromptForm> = new Map(
  listAgents().flatMap(({ id, program }) => {
    const { prompt } = HOST_AGENTS[id]
    return program === null || prompt === null ? [] : [[program, prompt] as const]
  }),
)

export function withPrompt(command: readonly string[], prompt: string): readonly string[] | null {
  const [program = '', ...words] = command
  const form = FORMS.get(basename(program).replace(/\.(?:cmd|exe|js|mjs)$/, ''))
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
