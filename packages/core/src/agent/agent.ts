// One agent as data: everything that differs from agent to agent. Measured facts; `proof` says how we know.

/** Whose JSON (or exit code) the agent obeys: a file of that name in adapter/answer. */
export type AnswerFormat = 'antigravity' | 'claude' | 'codex' | 'gemini' | 'copilot' | 'cursor' | 'cline' | 'exit-code' | 'plugin'

export type Json = Readonly<Record<string, unknown>>

/** A payload of the agent's own making, in Claude's field names. What it lacks stays absent. */
export type ReadPayload = (raw: Json, nativeEvent: string) => Json

export type Names = Readonly<Record<string, string>>

export interface AgentAbilities {
  /** Can put a question to its own user before a tool runs. */
  readonly ask: boolean
  /** A hook's allow skips the agent's own question. */
  readonly allow: boolean
  readonly rewriteInput: boolean
  readonly rewritePrompt: boolean
  readonly replaceOutput: boolean
  readonly blockPrompt: boolean
  /** Its model reads why a call was blocked after it had run. */
  readonly blockAfter: boolean
  /** A Stop hook can make it go on. */
  readonly continueAtStop: boolean
  /** Canonical events whose answer may carry text for the model. */
  readonly injectOn: readonly string[]
}

export interface OwnInstructions {
  readonly names: readonly string[]
  /** tree: also those of folders it comes to later; root: those of the project's root, for certain. */
  readonly where: 'tree' | 'root'
}

export interface AgentFacts {
  readonly name: string
  /** Null: it sends Claude's fields. */
  readonly readPayload: ReadPayload | null
  readonly answer: AnswerFormat
  readonly can: AgentAbilities
  /** Its own event names: native -> canonical. */
  readonly events: Names
  /** Its own tool names: native -> canonical, so that `Bash(git *)` means the same in every agent. */
  readonly tools: Names
  /** Argument names of its file and shell tools that differ from ours: theirs -> ours. */
  readonly toolArguments: Names
  /** How its shell tool ends the text when the command did not end with 0; null: it says that in another way, or not at all. */
  readonly exitCode: RegExp | null
  /** Our spelling of its name for an MCP tool; null: it is spelled so already, or cannot be told. */
  readonly mcpTool: ((name: string) => string | null) | null
  /** Its own spelling of an MCP tool whose server is known: rules may call it that too. */
  readonly ownMcpTool: ((server: string, tool: string) => string) | null
  /** The files of a call that reads several at once, where it says them in a way of its own. */
  readonly readPaths: ((input: Json) => readonly unknown[]) | null
  /** The command that starts it; null: it has none. */
  readonly program: string | null
  /** First words of its command line that change what it runs: `claude mcp add`. */
  readonly setupVerbs: readonly string[]
  /** Where its configuration stands, written as in match/path/protected-place.ts: a person is asked before it is changed. */
  readonly ownPaths: readonly string[]
  /** Beginnings of paths that hold its hooks: a person is asked about code that names one. */
  readonly hookPaths: readonly string[]
  /** Below this version one event that it does not know voids its whole file: only these, which all versions know, are written there. */
  readonly strictBefore: { readonly version: readonly number[]; readonly events: readonly string[] } | null
  /** Unit of the timeout field in the agent's own configuration; null where it has none. */
  readonly timeUnit: 's' | 'ms' | null
  /** What the agent waits for one hook when its configuration says nothing. */
  readonly timeoutMs: number
  /** What the agent waits at most for a hook at the end of a session. */
  readonly sessionEndMs: number
  /** Exit code 2 refuses, whatever stands on stdout. */
  readonly obeysExitCode: boolean
  /** It starts hooks with the user's own shell, which may be none of the Bourne kind. */
  readonly startsUserShell: boolean
  /** How many Stop blocks in a row the agent obeys. */
  readonly stopCap: number | null
  /** The payload names the session. */
  readonly hasSession: boolean
  /** Tools of MCP servers have the server's name joined to theirs in a way that cannot be taken apart again (`github_create_issue`). */
  readonly joinsMcpNames: boolean
  /** The payload names each call, so that before and after can be paired. */
  readonly hasCallId: boolean
  /** What the agent does when a hook crashes or times out. */
  readonly onFailure: 'open' | 'closed'
  /** PreCompact is only sent when the context is really compacted. */
  readonly compactsForReal: boolean
  /** Largest text it takes as injected context, in characters. */
  readonly contextLimit: number
  /** It gives its hooks our names of tools and their fields, so that a hook written for it can read other agents' calls too. */
  readonly hasOurToolNames: boolean
  /** In this mode a question is answered by the agent itself and not by its user. `version`: its parts; null: not known. */
  readonly answersItself: (mode: string, version: readonly number[] | null) => boolean
  /** A refused call ends its run: nobody but the record is told why. */
  readonly endsAtDeny: boolean
  /** It says "Tool denied" to its model itself. */
  readonly saysDenied: boolean
  /** Why it runs no hook, though it has a file for them; null: it runs them. */
  readonly runsNoHooks: string | null
  /** What a person must do before the agent runs our hook at all. */
  readonly trustGate: string | null
  /** How its custom commands name what it runs by itself: !`command` and blocks that begin with ```!, or !{command} and @{path}. */
  readonly ownLines: 'backquotes' | 'braces'
  /** Folders of text whose lines it runs when a person types the name of a file there, before any hook hears of it. */
  readonly unheardText: readonly ('commands' | 'skills' | 'workflows')[]
  /** Files with instructions that it reads by itself: handing them over would be a second copy. */
  readonly ownInstructions: OwnInstructions
  /** Agents whose hook files it reads beside its own, by our names: the lines that we wrote there are called by it too. */
  readonly borrows: readonly string[]
  /** A variable that only its hooks are given. */
  readonly hookVariable: string | null
  /** Whether a payload is in an envelope that only this agent has, on whichever line it comes; null: others have the same. */
  readonly isOwnPayload: ((raw: Json) => boolean) | null
  /** The names that its tools have; null: any. A call of another name on its line comes from a host that nobody told us about. */
  readonly toolNames: RegExp | null
  /** Variables of the hook process that name the project. */
  readonly projectVariables: readonly string[]
  /** run: measured with the real client; documented: from its source or documentation only. */
  readonly proof: 'run' | 'documented'
}
