// artifacts: a sub-agent may end only when what it should leave behind is there, fresh and whole; the main agent is told what comes next.
// It asks for a retry a limited number of times, so that a sub-agent that cannot do it ends all the same.
import type { HookContext, InlineAnswer } from '../hook/hook-context.ts'
import { deny } from '../verdict/verdict.ts'
import type { ConfigReader } from './config-reader.ts'
import type { Guardrail } from './guardrail.ts'
import type { ArtifactFile, ArtifactFiles, GuardrailPorts, SchemaTest } from './guardrail-ports.ts'
import { createMemoryPort } from './session-memory.ts'
import { nameMatcher } from './tool-schema.ts'

export interface ArtifactsConfig {
  readonly expect: readonly Expectation[]
  readonly retries: number
}

interface Expectation {
  /** The type of sub-agent, with `*`. */
  readonly agent: string
  readonly files: readonly string[]
  readonly minSize: number
  /** Written since the sub-agent began. */
  readonly isFresh: boolean
  readonly headings: readonly string[]
  readonly jsonSchema: Readonly<Record<string, unknown>> | null
  /** Files to remove once all is well. */
  readonly cleanup: readonly string[]
  readonly next: string | null
}

interface Memory {
  /** Sub-agent -> when it began. */
  readonly started: Map<string, number>
  readonly retries: Map<string, number>
  /** For the main agent, at its next look at a sub-agent's result. */
  guidance: string[]
}

export const artifacts: Guardrail<ArtifactsConfig> = {
  name: 'artifacts',
  description: 'lets a sub-agent end only when its files are there, fresh and whole, cleans up, and tells the main agent what comes next',
  events: ['SubagentStop', 'SubagentStart', 'PostToolUse'],
  isHarmless: false,
  readConfig: reader => ({ expect: reader.items('expect', readExpectation), retries: reader.count('retries', 2) }),
  createHooks(config, ports) {
    const { files } = ports
    if (files === undefined) throw new Error('artifacts needs a view of the files (ports.files)')
    const memory = (ports.memory ?? createMemoryPort()).open<Memory>('artifacts', () => ({
      started: new Map(),
      retries: new Map(),
      guidance: [],
    }))
    const checks = config.expect.map(each => compileExpectation(each, ports, files))
    return [
      { event: 'SubagentStart', run: context => void memory.of(context.sessionId).started.set(agentOf(context), ports.now()) },
      {
        event: 'SubagentStop',
        run: context =>
          judgeStop({ checks, retries: config.retries, root: ports.rootOf(context.source) }, context, memory.of(context.sessionId)),
      },
      { event: 'PostToolUse', matcher: 'Task|Agent', run: ({ sessionId }) => deliver(memory.of(sessionId)) },
    ]
  },
}

function readExpectation(reader: ConfigReader): Expectation {
  const files = reader.texts('files')
  if (files.length === 0) reader.complain('files', 'must name at least one file or glob')
  return {
    agent: reader.text('agent') ?? '*',
    files,
    minSize: reader.count('min_size', 1),
    isFresh: reader.flag('fresh', true),
    headings: reader.texts('headings'),
    jsonSchema: reader.schema('schema'),
    cleanup: reader.texts('cleanup'),
    next: reader.text('next'),
  }
}

interface Check {
  matches(agentType: string): boolean
  /** What is wrong, one sentence each. */
  problems(root: string, since: number): Promise<readonly string[]>
  finish(root: string): Promise<string>
}

function compileExpectation(expected: Expectation, ports: GuardrailPorts, files: ArtifactFiles): Check {
  if (expected.jsonSchema !== null && ports.compileSchema === undefined)
    throw new Error('artifacts needs a JSON Schema validator (ports.compileSchema)')
  const schema = expected.jsonSchema === null ? null : (ports.compileSchema?.(expected.jsonSchema) ?? null)
  return {
    matches: nameMatcher(expected.agent),
    async problems(root, since) {
      const found = await Promise.all(expected.files.map(pattern => problemsOf({ pattern, root, since, expected, schema, files })))
      return found.flat()
    },
    async finish(root) {
      for (const pattern of expected.cleanup) for (const { path } of await files.find(root, pattern)) await files.remove(root, path)
      return `Found ${expected.files.join(', ')}.${expected.next === null ? '' : ` Next: ${expected.next}`}`
    },
  }
}

interface Looking {
  readonly pattern: string
  readonly root: string
  readonly since: number
  readonly expected: Expectation
  readonly schema: SchemaTest | null
  readonly files: ArtifactFiles
}

/** Of the files that match, one that is all right is enough. */
async function problemsOf(looking: Looking): Promise<readonly string[]> {
  const { pattern, root, since, expected, files } = looking
  const found = await files.find(root, pattern)
  if (found.length === 0) return [`${pattern} is missing`]
  const fresh = expected.isFresh ? found.filter(file => file.modifiedMs >= since) : found
  if (fresh.length === 0) return [`${pattern} was not written in this run`]
  const judged = await Promise.all(fresh.map(file => fileProblems(looking, file)))
  return judged.reduce((fewest, each) => (each.length < fewest.length ? each : fewest))
}

async function fileProblems({ root, expected, schema, files }: Looking, { path, size }: ArtifactFile): Promise<readonly string[]> {
  if (size < expected.minSize) return [`${path} has ${size} bytes, at least ${expected.minSize} are needed`]
  if (expected.headings.length === 0 && schema === null) return []
  const text = await files.read(root, path)
  const lines = new Set(
    text.split(/\r?\n/).map(line =>
      line
        .replace(/^#+\s*/, '')
        .trim()
        .toLowerCase(),
    ),
  )
  const missing = expected.headings.filter(
    heading =>
      !lines.has(
        heading
          .replace(/^#+\s*/, '')
          .trim()
          .toLowerCase(),
      ),
  )
  return [...missing.map(heading => `${path} has no heading "${heading}"`), ...(await schemaProblems(schema, path, text))]
}

async function schemaProblems(test: SchemaTest | null, path: string, text: string): Promise<readonly string[]> {
  if (test === null) return []
  const value = parseJson(text)
  return value === undefined ? [`${path} is not JSON`] : (await test(value)).map(problem => `${path}: ${problem}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function agentOf({ source }: HookContext): string {
  return typeof source.fields.agentId === 'string' ? source.fields.agentId : ''
}

/** Clocks of file systems are coarser than ours. */
const CLOCK_SLACK_MS = 2000

interface StopPlan {
  readonly checks: readonly Check[]
  readonly retries: number
  readonly root: string
}

async function judgeStop({ checks, retries, root }: StopPlan, context: HookContext, memory: Memory): Promise<InlineAnswer> {
  const { agentType } = context.source.fields
  const due = checks.filter(({ matches }) => matches(typeof agentType === 'string' ? agentType : ''))
  if (due.length === 0) return undefined
  const agent = agentOf(context)
  const since = (memory.started.get(agent) ?? 0) - CLOCK_SLACK_MS
  const problems = (await Promise.all(due.map(check => check.problems(root, since)))).flat()
  if (problems.length === 0) {
    memory.retries.delete(agent)
    const said = await Promise.all(due.map(check => check.finish(root)))
    memory.guidance.push(...said)
    return { message: said.join(' ') }
  }
  const tries = memory.retries.get(agent) ?? 0
  if (tries >= retries) {
    memory.retries.delete(agent)
    memory.guidance.push(`The sub-agent ended without what it should have made: ${problems.join('; ')}. Start it again, or do it yourself.`)
    return { message: `gave up after ${tries} retries: ${problems.join('; ')}` }
  }
  memory.retries.set(agent, tries + 1)
  return deny(`Retry required: ${problems.join('; ')}. Make it so, then end.`)
}

function deliver(memory: Memory): InlineAnswer {
  if (memory.guidance.length === 0) return undefined
  const context = memory.guidance.join('\n')
  memory.guidance = []
  return { context }
}
