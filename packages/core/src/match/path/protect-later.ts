// Programs that have something started later, by the system or in a terminal of the person's own: what runs there no longer runs below an
// agent, and could decide as a person does. The files that say so are protected; these write them without naming them.
import type { Word } from '../shell/shell-analysis.ts'
import { leadingText } from '../shell/word.ts'
import type { Protection } from './protect-path.ts'

interface Later {
  /** One of these words says so; absent: always. */
  readonly when?: RegExp
  /** None of these words. */
  readonly unless?: RegExp
}

const SHOWS = /^(?:-l|--list|-V|--version|-h|--help)$/

const LATER: ReadonlyMap<string, Later> = new Map([
  ['crontab', { unless: SHOWS }],
  ['ssh-copy-id', {}],
  ['chsh', { unless: SHOWS }],
  ['usermod', { when: /^(?:-[a-zA-Z]*s|--shell)/ }],
  ['dbus-update-activation-environment', {}],
  ['systemctl', { when: /^(?:link|edit|set-environment|import-environment|add-wants|add-requires)$/ }],
  ['loginctl', { when: /^enable-linger$/ }],
  ['launchctl', { when: /^(?:load|bootstrap|setenv|submit)$/ }],
  ['xdg-mime', { when: /^default$/, unless: /^query$/ }],
  ['xdg-settings', { when: /^set$/ }],
  ['gsettings', { when: /command|keybinding|\bexec\b/ }],
])

export function protectLater(program: string, words: readonly Word[]): Protection | null {
  const later = LATER.get(program)
  if (later === undefined) return null
  const texts = words.slice(1).map(leadingText)
  const says = (pattern: RegExp): boolean => texts.some(text => pattern.test(text))
  const isFound =
    (later.when === undefined || says(later.when) || enablesOwn(program, texts)) && (later.unless === undefined || !says(later.unless))
  return isFound ? { decision: 'ask', reason: `${program} has something started later, beyond this agent; a person must agree` } : null
}

/** A service of the user's, or one whose file lies anywhere. */
function enablesOwn(program: string, texts: readonly string[]): boolean {
  if (program !== 'systemctl' || !texts.some(text => /^(?:re)?enable$/.test(text))) return false
  return texts.some(text => text === '--user' || text.includes('/'))
}
