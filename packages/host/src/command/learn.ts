// `belay learn`: rules that allow what was approved and used, with the calls that each rests on. Writes only after a yes.
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import { type GenesisPolicy, parseGenesis, type Rule } from '@belay/core/policy'
import { createTwoFilesPatch } from 'diff'
import { allowBlockOf } from '../config/allow-block.ts'
import { readConfig } from '../config/config-file.ts'
import { addRulesText, EMPTY_POLICY } from '../config/genesis-edit.ts'
import { readPolicyText } from '../config/genesis-text.ts'
import { findHome, homePaths } from '../config/home.ts'
import { findProject, findProjectPolicy, newProjectPolicy } from '../config/project.ts'
import { writeRule } from '../config/write-rule.ts'
import { buildGuard, loadGuard, userHomeOf } from '../guard/load-guard.ts'
import type { ProjectGuard } from '../guard/project-guard.ts'
import { findRange } from '../ledger/find-time.ts'
import { replacePolicy } from '../policy/draft-policies.ts'
import type { Evidence } from '../policy/learn/evidence.ts'
import { type Proposal, proposeRules, withRules } from '../policy/learn/propose-rules.ts'
import { readLedgerEvidence } from '../policy/learn/read-ledger-evidence.ts'
import { readTranscripts } from '../policy/learn/read-transcripts.ts'
import { rememberedFiles } from '../policy/replay/remembered-files.ts'
import { replayLedger } from '../policy/replay/replay-ledger.ts'
import type { ReplayGroup, ReplayTally } from '../policy/replay/replay-tally.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine, textPieces } from '../terminal/io.ts'
import { parseFilter } from './ledger/filter-options.ts'
import { findFiles, withStore } from './ledger/ledger-command.ts'
import { guardPlace } from './policies.ts'
import { printProposal } from './print-proposal.ts'

export interface LearnOptions {
  readonly actor: string
  readonly since: string
  readonly fromTranscripts?: boolean
  readonly write?: boolean
  readonly json?: boolean
}

export async function runLearn(options: LearnOptions, io: CommandIo): Promise<ExitCode> {
  const times = parseFilter({ since: options.since }, Date.now())
  if (times.kind === 'bad') return fail(io, times.message)
  const since = times.filter.since ?? null
  const { root } = findProject(io.cwd, findHome(io.env))
  if (options.fromTranscripts === true) {
    const evidence = await readTranscripts({ userHome: userHomeOf(io.env), project: root, since })
    return propose(evidence, { root, options, tryOn: async () => null }, io)
  }
  if (!existsSync(findFiles(io).database)) {
    fail(
      io,
      'nothing is recorded here yet',
      'learn from what agents wrote down themselves (--from-transcripts), or begin to record: belay init',
    )
    return 1
  }
  return withStore(io, async store => {
    const range = await findRange(store, times.filter)
    const evidence = await readLedgerEvidence(store, range, { project: root, actor: options.actor })
    const filter = { project: root, actor: options.actor, session: null }
    const tryOn = (draft: DraftFile): Promise<ReplayTally> =>
      replayLedger({
        store,
        range,
        request: { place: { ...guardPlace(io), env: { ...io.env } }, draft: { owner: 'project', files: [draft] }, filter },
      })
    return propose(evidence, { root, options, tryOn }, io)
  })
}

interface Proposing {
  readonly root: string
  readonly options: LearnOptions
  /** The changed policy on what was recorded; null: there is no record. */
  tryOn(draft: DraftFile): Promise<ReplayTally | null>
}

async function propose(evidence: Evidence, { root, options, tryOn }: Proposing, io: CommandIo): Promise<ExitCode> {
  const proposal = proposeRules(evidence, { actor: options.actor, root, guardWith: createGuards(root, options.actor, io) })
  const edit = proposal.rules.length === 0 ? null : editPolicy(root, proposal)
  const tally = edit === null ? null : await tryOn({ file: edit.file, text: edit.after })
  const newly = tally === null ? null : newlyAllowed(tally)
  if (options.json === true) printJson(io, { project: root, ...proposal, newlyAllowed: newly, diff: edit?.patch ?? null })
  else printProposal(io, proposal, newly)
  if (proposal.rules.length === 0 || options.write !== true) return 0
  if (edit === null) return fail(io, "the rules cannot be added to this project's policy as it is written", 'add them by hand')
  return writeRules(edit, proposal, io)
}

type DraftFile = { readonly file: string; readonly text: string }

/** Calls that were recorded as asked, refused or left to the agent, and that these rules would allow. */
function newlyAllowed({ groups }: ReplayTally): readonly ReplayGroup[] {
  return groups.filter(({ by, after }) => by === 'policy' && after === 'allow')
}

interface PolicyEdit {
  readonly file: string
  readonly after: string
  readonly patch: string
}

/** The policy of the project with the rules in it. Null: they cannot be put there. */
function editPolicy(root: string, { rules, actor }: Proposal): PolicyEdit | null {
  const file = findProjectPolicy(root) ?? newProjectPolicy(root)
  const read = readPolicyText(file)
  const before = read.kind === 'text' ? read.text : ''
  const parsed = parseGenesis(before === '' ? EMPTY_POLICY : before, file)
  const block = allowBlockOf(parsed.ok ? (parsed.policy.permissions?.actors ?? []) : [], actor)
  const added = rules.map(({ rule }) => ({ effect: 'allow' as const, pattern: rule, actor: block }))
  const edited = addRulesText(before === '' ? EMPTY_POLICY : before, added)
  if (edited.kind !== 'added') return null
  return { file, after: edited.text, patch: createTwoFilesPatch(file, file, before, edited.text, 'now', 'then').trimEnd() }
}

/** The guard of this project, with the rules in the place where `--write` would put them. */
function createGuards(root: string, actor: string, io: CommandIo): (rules: readonly Rule[]) => ProjectGuard {
  const place = guardPlace(io)
  const sources = loadGuard(root, place, root)
  const read = readConfig(homePaths(place.home).config)
  const files = rememberedFiles()
  const own = sources.loaded.files.findLast(({ owner }) => owner === 'project')?.policy ?? emptyPolicy(newProjectPolicy(root))
  const block = allowBlockOf(own.permissions?.actors ?? [], actor)
  return rules => {
    const policy = { ...withRules(own, block, rules), trusted: true }
    return buildGuard({ ...sources, loaded: replacePolicy(sources.loaded, 'project', policy) }, place, {
      config: read.ok ? read.config : {},
      files,
    })
  }
}

function emptyPolicy(file: string): GenesisPolicy {
  const parsed = parseGenesis(EMPTY_POLICY, file)
  if (!parsed.ok) throw new Error('the empty policy does not parse')
  return parsed.policy
}

async function writeRules({ file, patch }: PolicyEdit, { rules, actor }: Proposal, io: CommandIo): Promise<ExitCode> {
  printLine(io.stderr, patch)
  printLine(io.stderr, `Add ${rules.length} rules to ${file}? [y/N]`)
  const answer = createInterface({ input: Readable.from(textPieces(io.stdin)) })
  const { value } = await answer[Symbol.asyncIterator]().next()
  answer.close()
  if (!/^y(es)?$/i.test(String(value ?? '').trim())) {
    printLine(io.stderr, 'nothing was written')
    return 1
  }
  for (const { rule } of rules) {
    const written = writeRule(
      { file, isProject: true, trust: homePaths(findHome(io.env)).trust },
      { effect: 'allow', pattern: rule, actor },
    )
    if (written.kind === 'refused') return fail(io, written.why, written.remedy)
  }
  printLine(io.stdout, `${file}: ${rules.length} rules added`)
  return 0
}
