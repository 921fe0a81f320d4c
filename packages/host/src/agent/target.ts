// What `install` does for one agent, as data: the files, and what they say once we are in.
import type { AgentId } from '@belay/core/adapter'

export type InstallScope = 'user' | 'project'

export interface InstallPlace {
  readonly scope: InstallScope
  readonly env: Readonly<Record<string, string | undefined>>
  readonly userHome: string
  readonly projectRoot: string
  /** The client that the hook lines start. */
  readonly shim: string
  /** Of the agent that is there, where the file depends on it; null or absent: not known. */
  readonly version?: readonly number[] | null
  /** Settings that are to run a command of ours; default: the status line. */
  readonly settings?: readonly SettingName[]
}

/** What an agent shows with the help of a command: settings, not events. */
export type SettingName = 'statusLine' | 'fileSuggestion'

export interface HookEntry {
  /** The agent's own name of the event. */
  readonly event: string
  readonly value: Readonly<Record<string, unknown>>
}

export interface AddOptions {
  readonly entries: readonly HookEntry[]
  /** Members the file needs beside `hooks`, set where they are absent. */
  readonly beside?: Readonly<Record<string, unknown>>
  /** Members that run a command of ours, set where they are absent and taken out again. */
  readonly settings?: Readonly<Record<string, unknown>>
}

export type TargetFile =
  /** A file that others write too: our hooks are put into it. */
  | { readonly kind: 'shared'; readonly path: string; readonly hooks: AddOptions; readonly readsMark?: boolean }
  /** A file that is ours alone. `maySkip`: where somebody else has one in its place, that one stays and the others do what they can. */
  | { readonly kind: 'own'; readonly path: string; readonly text: string; readonly mode?: number; readonly maySkip?: boolean }

export interface Target {
  readonly agent: AgentId
  readonly scopes: readonly InstallScope[]
  /** Signs that the agent is used by this user or project. */
  isPresent(place: Omit<InstallPlace, 'shim' | 'scope'>): boolean
  files(place: InstallPlace): readonly TargetFile[]
}

/** Stands in every file that is ours alone. */
export const OWN_MARK = 'Written by `belay install`'
