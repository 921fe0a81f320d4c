// What the engine decided -> exactly what the agent obeys: one format, one JSON object or one exit code, never both.
// What the agent cannot do degrades by one rule, and every degradation is returned so that it can be recorded:
// deny stays deny; ask without anyone to ask becomes deny; a rewrite it cannot take becomes deny; context it cannot take is dropped. Ending
// the turn before a tool keeps the tool from running, whether or not the agent can end it.

import type { AnswerFormat } from '../agent/agent.ts'
import type { Agent } from '../agent/agents.ts'
import { endOf, gateOf } from '../event/table.ts'
import type { HookResult } from '../hook/hook-result.ts'
import { deny, none, type Verdict } from '../verdict/verdict.ts'
import { encodeAntigravity } from './answer/antigravity.ts'
import { encodeClaude } from './answer/claude.ts'
import { encodeCline } from './answer/cline.ts'
import { encodeCodex } from './answer/codex.ts'
import { encodeCopilot } from './answer/copilot.ts'
import { encodeCursor } from './answer/cursor.ts'
import { encodeExitCode } from './answer/exit-code.ts'
import { encodeGemini } from './answer/gemini.ts'
import { encodePlugin } from './answer/plugin.ts'
import type { DecodedEvent } from './decode.ts'
import { type Sayable, type Spelled, spellJson, spellRefusal } from './sayable.ts'
import { nativeInput } from './tool-name.ts'

export interface Encoded {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** What was decided but could not be said to this agent, in plain words. */
  readonly degraded: readonly string[]
}

export interface EncodeOptions {
  /** A person sits at the agent and can answer its question. */
  readonly attended: boolean
  /** How whoever reads the answer calls Belay in a shell. Default: `belay`. */
  findCommand?(): string
  /** A line under the reason of a tool denied: who decided, and for whom. */
  signature?(): string
}

const FORMATS: Readonly<Record<Agent['answer'], (say: Sayable) => Omit<Encoded, 'degraded'>>> = {
  antigravity: encodeAntigravity,
  claude: encodeClaude,
  codex: encodeCodex,
  gemini: encodeGemini,
  copilot: encodeCopilot,
  cursor: encodeCursor,
  cline: encodeCline,
  'exit-code': encodeExitCode,
  plugin: encodePlugin,
}

export function encodeAnswer(decoded: DecodedEvent, result: HookResult, options: EncodeOptions): Encoded {
  const degraded: string[] = []
  const say = sayable(decoded, result, options, text => degraded.push(text))
  const { stdout, stderr, exitCode } = spell(decoded, say)
  for (const [what, text] of spoken(say)) {
    const isSaid = stderr.includes(text) || stdout.includes(JSON.stringify(text).slice(1, -1))
    if (!isSaid) degraded.push(`${decoded.agent.name} cannot be told ${what} at ${decoded.nativeEvent}: dropped`)
  }
  return { stdout, stderr, exitCode, degraded }
}

/** In every form that may be obeyed: members of one object, the first form's where two say it differently. A refusal by exit code is obeyed by all. */
function spell({ agent, spelling, isUnknownHost }: DecodedEvent, say: Sayable): Spelled {
  if (isUnknownHost === true) return spellForAnybody([agent.answer, ...EVERY_FORM], say)
  if (spelling === undefined) return FORMATS[agent.answer](say)
  // Known from its documentation by an envelope that others may have too.
  return agent.proof === 'documented' ? spellForAnybody(spelling, say) : spellAll(spelling, say)
}

/** Flat and nested together: each host takes what it knows and leaves the rest. */
const EVERY_FORM: readonly AnswerFormat[] = ['claude', 'copilot', 'cursor']

/**
 * Hosts of Codex's kind obey no answer with a field that they do not know, and hosts of Gemini's believe the answer and not the exit code where
 * both are there: a refusal is an exit code and the answer that Gemini obeys beside it, which stops each of six hosts that were tried.
 */
function spellForAnybody(forms: readonly AnswerFormat[], say: Sayable): Spelled {
  const { verdict, event } = say
  const isRefused = verdict.decision === 'deny' && (gateOf(event) === 'tool' || gateOf(event) === 'prompt')
  if (!isRefused) return spellAll([...new Set(forms)], say)
  const { stdout } = spellAll([...new Set([...forms, ...EVERY_FORM, 'gemini' as const])], say)
  return { ...spellRefusal(verdict.reason), stdout }
}

function spellAll(forms: readonly AnswerFormat[], say: Sayable): Spelled {
  const spelled = forms.map(form => FORMATS[form](say))
  const refused = spelled.find(({ exitCode }) => exitCode !== 0)
  if (refused !== undefined) return refused
  const said = spelled.flatMap(({ stdout }) => (stdout === '' ? [] : [JSON.parse(stdout) as Readonly<Record<string, unknown>>]))
  return spellJson(Object.assign({}, ...said.reverse()))
}

/** Every text that the answer should hold, whatever the format. Mostly there is none. */
function spoken({
  verdict,
  message,
  stop,
  context,
  forAgent: { classifierContext },
}: Sayable): readonly (readonly [what: string, text: string])[] {
  const texts: [string, string][] = []
  if (verdict.decision === 'deny') texts.push(['a denial', verdict.reason])
  if (message !== null) texts.push(['a message', message])
  if (stop !== null) texts.push(['to end the turn', stop])
  if (context !== null) texts.push(['context', context])
  if (classifierContext !== undefined) texts.push(['facts for a classifier', classifierContext])
  return texts
}

function sayable(decoded: DecodedEvent, result: HookResult, options: EncodeOptions, degrade: (what: string) => void): Sayable {
  const { agent, answerEvent: event, nativeEvent } = decoded
  const rewrite = fitRewrite(decoded, result, degrade)
  const decided =
    rewrite.refused ?? (isGate(event) && result.stop !== undefined ? denied(result.verdict, result.stop.reason) : result.verdict)
  const verdict = fitVerdict({ agent, event, verdict: decided, options }, degrade)
  const late = lateReason(agent, event, decided)
  if (late !== null) degrade(`${agent.name} does not read a block after a tool: told as text beside the result`)
  const context = fitContext(agent, event, late === null ? result.context : join(late, result.context), degrade)
  return {
    event,
    nativeEvent,
    verdict: verdict.decision === 'deny' && gateOf(event) === 'tool' ? deny(denialText(agent, verdict.reason, options)) : verdict,
    input: verdict.decision === 'deny' ? null : rewrite.input,
    prompt: rewrite.prompt,
    output: rewrite.output,
    context,
    message: result.message ?? null,
    stop: result.stop?.reason ?? null,
    suppressOutput: result.suppressOutput ?? false,
    forAgent: result.forAgent ?? NOTHING_MORE,
  }
}

const NOTHING_MORE = {}

/** Two lines: what is denied and why, and who says so. */
function denialText({ saysDenied }: Agent, reason: string, options: EncodeOptions): string {
  const said = saysDenied ? reason : `Tool denied: ${reason}`
  return options.signature === undefined ? said : `${said}\n${options.signature()}`
}

/** Why a call is blocked after it has run, where the agent would not tell its model; null: it would. */
function lateReason({ can }: Agent, event: string, verdict: Verdict): string | null {
  return endOf(event) === 'tool' && verdict.decision === 'deny' && !can.blockAfter ? verdict.reason : null
}

function join(reason: string, context: string | undefined): string {
  return context === undefined || context === '' ? reason : `${reason}\n\n${context}`
}

interface FittedRewrite {
  readonly input: Readonly<Record<string, unknown>> | null
  readonly prompt: string | null
  readonly output: { readonly value: unknown } | null
  /** Set when a rewrite that the agent cannot take must stop the call instead. */
  readonly refused: Verdict | null
}

function fitRewrite(decoded: DecodedEvent, result: HookResult, degrade: (what: string) => void): FittedRewrite {
  const { agent } = decoded
  const { input, prompt, output } = result.rewrite ?? {}
  const fitted = { input: null, prompt: null, output: null, refused: null }
  if (input !== undefined) {
    if (agent.can.rewriteInput) return { ...fitted, input: nativeInput(agent.id, input, decoded.rawTool?.input) }
    degrade(`${agent.name} cannot take a rewritten input: denied instead`)
    return { ...fitted, refused: denied(result.verdict, `the policy rewrites this input, which ${agent.name} cannot do`) }
  }
  if (prompt !== undefined) {
    if (agent.can.rewritePrompt) return { ...fitted, prompt }
    degrade(`${agent.name} cannot take a rewritten prompt: blocked instead`)
    return { ...fitted, refused: denied(result.verdict, `the policy rewrites this prompt, which ${agent.name} cannot do`) }
  }
  if (output !== undefined) {
    if (agent.can.replaceOutput) return { ...fitted, output: { value: output } }
    degrade(`${agent.name} cannot take a replaced tool result: the original stands`)
  }
  return fitted
}

/** Its own reason where it is a deny already. */
function denied(verdict: Verdict, reason: string): Verdict {
  return verdict.decision === 'deny' ? verdict : deny(reason)
}

interface VerdictFit {
  readonly agent: Agent
  readonly event: string
  readonly verdict: Verdict
  readonly options: EncodeOptions
}

function fitVerdict({ agent, event, verdict, options }: VerdictFit, degrade: (what: string) => void): Verdict {
  if (verdict.decision === 'ask' && gateOf(event) === 'tool' && !(agent.can.ask && options.attended)) {
    degrade(agent.can.ask ? 'nobody is there to answer: denied instead of asked' : `${agent.name} cannot ask its user: denied instead`)
    return deny(`${verdict.reason ?? 'this needs a person'} (a person can approve it: ${options.findCommand?.() ?? 'belay'} approvals)`)
  }
  if (verdict.decision === 'allow' && event === 'PreToolUse' && !agent.can.allow) return none()
  if (verdict.decision === 'deny' && event === 'UserPromptSubmit' && !agent.can.blockPrompt) {
    degrade(`${agent.name} cannot block a prompt`)
    return none()
  }
  if (lateReason(agent, event, verdict) !== null) return none()
  if (verdict.decision === 'deny' && endOf(event) === 'turn' && !agent.can.continueAtStop) {
    degrade(`${agent.name} cannot be kept from stopping`)
    return none()
  }
  return verdict
}

function fitContext(agent: Agent, event: string, context: string | undefined, degrade: (what: string) => void): string | null {
  if (context === undefined || context === '') return null
  if (!agent.can.injectOn.includes(event)) {
    degrade(`${agent.name} takes no context at ${event}: dropped`)
    return null
  }
  if (context.length <= agent.contextLimit) return context
  degrade(`context cut to ${agent.contextLimit} characters`)
  return context.slice(0, agent.contextLimit)
}

function isGate(event: string): boolean {
  return gateOf(event) === 'tool' || event === 'PreModelSwitch'
}
