// What the test takes out of a copy of the sources, one protection at a time, so that its attacks can be seen to work. Texts are exact and
// must occur. The product itself has no such switch.
const core = file => `packages/core/src/${file}`
const host = file => `packages/host/src/${file}`
const native = file => `packages/host/native/${file}`

/** The judging of commands and files by what they would do to us. */
const judging = [
  {
    file: core('match/path/protect-path.ts'),
    find: 'const lexical = protectText(access, path.lexical, protectedPaths)',
    put: 'if (path) return null\n  const lexical = protectText(access, path.lexical, protectedPaths)',
  },
  {
    file: core('match/path/protect-word.ts'),
    find: 'const { word, base, access, yieldsHidden',
    put: 'if (given) return null\n  const { word, base, access, yieldsHidden',
  },
  {
    file: core('policy/protect-unit.ts'),
    find: 'Protection | null {\n  const context = operandContext(input, unit)',
    put: 'Protection | null {\n  if (unit) return null\n  const context = operandContext(input, unit)',
  },
]

/** A command line as a whole, and files whose name only the shell will know. */
judging.push(
  {
    file: core('policy/protect-unit.ts'),
    find: 'const hunted = findHunted(units)\n  if (hunted !== null) {',
    put: 'if (units) return null\n  const hunted = findHunted(units)\n  if (hunted !== null) {',
  },
  {
    file: core('policy/judge-effect.ts'),
    find: "if (effect.access === 'write') return judged(part, { decision: 'ask', reason: what })",
    put: "if (effect.access === 'write') return judged(part, { decision: 'neutral', reason: what })",
  },
)

/** The command itself and the daemon look who is behind a call. */
const standing = [
  { file: host('command/person-only.ts'), find: "if (user !== 'person' && given === undefined) return null", put: 'if (user) return null' },
  { file: host('method/person.ts'), find: "if (as === 'session') return needOwnBrowser(call)", put: 'if (as) return' },
]

export const PATCHES = {
  'the folder of the agent may go': [
    {
      file: core('policy/judge-workplace.ts'),
      find: 'if (found === undefined) return null',
      put: 'if (units) return null\n  if (found === undefined) return null',
    },
  ],
  'agents may be started bare': [
    {
      file: core('match/path/protect-agent-start.ts'),
      find: 'const agent = startedAgent(program, words)\n  if (agent !== undefined) {',
      put: 'if (words) return null\n  const agent = startedAgent(program, words)\n  if (agent !== undefined) {',
    },
    {
      file: core('match/path/protect-agent-start.ts'),
      find: 'const agent = startedAgent(program, words)\n  if (agent === undefined ||',
      put: 'const agent = startedAgent(program, words)\n  if (words ||',
    },
    {
      file: core('match/path/protect-agent-start.ts'),
      find: 'const started = units.find(',
      put: 'if (units) return null\n  const started = units.find(',
    },
  ],
  'any tree may come': [
    {
      file: core('match/path/protect-laid-over.ts'),
      find: 'const copier = treeCopiers.get(program)',
      put: 'if (words) return null\n  const copier = treeCopiers.get(program)',
    },
    {
      file: core('match/path/protect-laid-over.ts'),
      find: 'if (OPTIONS.test(name)) return',
      put: 'if (name) return false\n  if (OPTIONS.test(name)) return',
    },
    ...judging,
  ],
  'scripts are not read': [
    {
      file: core('policy/protect-unit.ts'),
      find: ' ?? protectScript({ input, unit, context, said: protectSaid, saidTogether: protectSaidTogether })',
      put: '',
    },
  ],
  'links in a folder lead on': [
    {
      file: core('match/path/protect-laid-over.ts'),
      find: 'return followsLinks ? protectLinked(program, targets, context) : null',
      put: 'return protectLinked === undefined || followsLinks ? null : null',
    },
  ],
  'lines of skills are text': [
    {
      file: host('guard/project-guard.ts'),
      find: 'const line = judgeSkillLines(event, guard)',
      put: 'const line = guard === undefined ? judgeSkillLines(event, guard) : null',
    },
  ],
  'settings are taken over': [
    {
      file: host('guard/project-guard.ts'),
      find: "if (event.name === 'ConfigChange') {",
      put: "if (event.name === 'Nothing') {",
    },
  ],
  'the line may be traced': [{ file: host('agent/hook-command.ts'), find: "'{ set +x; } >/dev/null 2>&1'", put: "':'" }],
  'a shell may be told to end': [
    { file: host('agent/hook-command.ts'), find: '${TOLD_TO_END}; ${first}', put: '${TOLD_TO_END.slice(0, 4)}; ${first}' },
  ],
  'a used decision answers again': [
    {
      file: host('approval/approval-queue.ts'),
      find: 'const before = allowed.get(hash)\n    allowed.delete(hash)',
      put: 'const before = allowed.get(hash)',
    },
    {
      file: host('approval/approval-queue.ts'),
      find: 'if (allowed.size > 0) allowed.delete(',
      put: 'if (allowed.size < 0) allowed.delete(',
    },
  ],
  'a name is an identity': [
    {
      file: host('guard/identity.ts'),
      find: 'const actor = isLaunched ? type : own',
      put: 'const actor = names[0] ?? (isLaunched ? type : own)',
    },
  ],
  'a type is a role': [
    {
      file: host('guard/identity.ts'),
      find: "const isLaunched = type !== null && type !== own && policy.launches(subagentType ?? '', own)",
      put: 'const isLaunched = type !== null',
    },
  ],
  'an id proves its role': [
    {
      file: host('decision/identify.ts'),
      find: 'if (binding === null && role !== null) return {',
      put: 'if (binding === null && role !== null) return { agentId, role: agentName(role), names, commitment: null }\n  if (binding === null && role !== null) return {',
    },
  ],
  'any commitment counts': [
    { file: host('decision/identify.ts'), find: 'work.commitmentOf(agentId, call.commitment)', put: 'call.commitment' },
  ],
  'the environment is handed on': [
    { file: native('shim.c'), find: 'if (!*SHIM_HOME) return environ;', put: 'return environ;' },
    { file: native('shim.pl'), find: "clean_environment() if $home ne '';", put: "$ENV{PATH} = '/usr/bin:/bin'; delete $ENV{BASH_ENV};" },
    { file: host('install/build-shim.ts'), find: '*) unset "$variable" ;; esac', put: '*) ;; esac' },
    { file: host('install/build-shim.ts'), find: 'unset NODE_OPTIONS\nPATH=/usr/bin:/bin', put: 'BELAY_NOTHING=1' },
    {
      file: host('install/build-shim.ts'),
      find: "${[...set, exportLine(`BELAY_HOME=${home}`)].join('\\n')}",
      put: '${set.length === -1 ? home : ""}',
    },
  ],
  'perl reads its variables': [{ file: host('install/build-shim.ts'), find: "|| '/usr/bin/perl'} -T`", put: "|| '/usr/bin/perl'}`" }],
  'frames bring any variable': [
    {
      file: host('wire/shim-frame.ts'),
      find: 'isObject(env) ? sentVariables(env) : {}',
      put: 'isObject(env) ? (env as Record<string, string>) : {}',
    },
    {
      file: host('wire/hook-variables.ts'),
      find: 'for (const name in env) if (!FOR_HOOKS.test(name)) return pick(env, other => FOR_HOOKS.test(other))',
      put: '',
    },
  ],
  'our files are not ours': judging,
  'patches are no writes': [
    {
      file: core('match/tool/patch-paths.ts'),
      find: 'export function patchTargets(text: string): readonly string[] {',
      put: 'export function patchTargets(text: string): readonly string[] {\n  if (text) return []',
    },
    ...judging.slice(1),
  ],
  'our launchers are programs': [
    {
      file: core('policy/carried-command.ts'),
      find: 'return findAmongWords(search) ?? findInCode(search, isText) ?? findEscaped(search)',
      put: 'return search ? null : findAmongWords(search) ?? findInCode(search, isText) ?? findEscaped(search)',
    },
    {
      file: core('match/shell/guess-launch.ts'),
      find: 'from: number): void {\n  if (TEXT_PROGRAMS.has(call.name)) return',
      put: 'from: number): void {\n  if (call) return',
    },
    { file: core('match/shell/table/own-table.ts'), find: 'run: transparent(', put: 'other: transparent(' },
    { file: core('match/shell/table/own-table.ts'), find: "'mcp-proxy': transparent(", put: "'other-proxy': transparent(" },
  ],
  'our verbs are for all': [...judging, ...standing],
  'an orphan is a person': [
    {
      file: host('approval/standing.ts'),
      find: 'const why = isFromEdge(chain)',
      put: "if (chain) return person('anywhere')\n  const why = isFromEdge(chain)",
    },
    {
      file: host('approval/standing.ts'),
      find: "return why === null ? person(door.place) : { kind: 'nobody', why, since: null }",
      put: 'return person(door.place)',
    },
    ...judging,
  ],
  'only the command looks': [standing[1]],
  'a pid is believed': [
    { file: host('approval/prove-process.ts'), find: 'if (!shows(seen, code))', put: 'if (shows(seen, code) && false)' },
  ],
  'a token is a person': [
    {
      file: host('method/person.ts'),
      find: "if (as === 'session') return needOwnBrowser(call)",
      put: "if (as === 'token') return\n      if (as === 'session') return needOwnBrowser(call)",
    },
  ],
  'a page is a person': [{ file: host('method/person.ts'), find: "if (peer.kind === 'person') return", put: 'if (peer) return' }],
  'rows are believed': [
    {
      file: host('approval/load-approvals.ts'),
      find: 'return last !== null && last.body.seal === sealRow(key, row)',
      put: 'return last !== null || sealRow(key, row) !== null',
    },
  ],
  'an approval is for any place': [
    {
      file: host('approval/bound-call.ts'),
      find: 'return { root, cwd, actor, session, agentId: agentIdOf(event), tool',
      put: "return { root: String(root && ''), cwd: '', actor, session: String(session && ''), agentId: '', tool",
    },
  ],
  'the line is an exec': [
    {
      file: host('agent/hook-command.ts'),
      find: 'const line = isGate(agent.id, event)',
      put: "if (event) return `exec ${call.replace(/ --proof .*/, '')}`\n  const line = isGate(agent.id, event)",
    },
  ],
  'alone nothing is judged': [
    {
      file: host('shim/answer-alone.ts'),
      find: 'if (!wasHung(shimSocket, Date.now())) io.startDaemon()',
      put: "if (agent) return { stdout: '', stderr: '', exitCode: 0 }",
    },
  ],
  'a policy that is gone is none': [
    {
      file: host('config/genesis.ts'),
      find: "if (read.kind === 'unreadable') return brokenFile(",
      put: "if (read.kind === 'unreadable') return null\n  if (read.kind === 'unreadable') return brokenFile(",
    },
    {
      file: host('config/genesis.ts'),
      find: 'if (!parsed.ok) return { ...brokenFile(',
      put: 'if (!parsed.ok && parsed.errors) return null\n  if (!parsed.ok) return { ...brokenFile(',
    },
    {
      file: host('config/genesis.ts'),
      find: "if (known !== null && (read.kind !== 'text'",
      put: "if (known !== null && known.hash === '' && (read.kind !== 'text'",
    },
  ],
  'the nearest folder is the project': [
    {
      file: host('config/genesis.ts'),
      find: "if (known !== null && (read.kind !== 'text'",
      put: "if (known !== null && known.hash === '' && (read.kind !== 'text'",
    },
    {
      file: host('config/project.ts'),
      find: 'const trusted = trustedRoot(start, home)',
      put: "const trusted = start === '' ? trustedRoot(start, home) : null",
    },
  ],
  'trust needs no seal': [
    {
      file: host('config/sealed-file.ts'),
      find: 'return given.length === expected.length && loadCrypto().timingSafeEqual(given, expected)',
      put: 'return given.length >= 0 || loadCrypto().timingSafeEqual(given, expected)',
    },
    { file: host('config/trust.ts'), find: 'wasThere ? `${path} is gone, ${REMEDY}` : null', put: 'wasThere ? null : null' },
  ],
  'our processes may be ended': [
    {
      file: core('match/path/protect-process.ts'),
      find: 'const service = protectService(program, words, context)',
      put: 'if (program) return null\n  const service = protectService(program, words, context)',
    },
    {
      file: core('policy/protect-reckoned.ts'),
      find: 'if (!units.some(takesUnknown) &&',
      put: 'if (units) return null\n  if (!units.some(takesUnknown) &&',
    },
    ...judging,
  ],
  'git may be led elsewhere': [
    {
      file: core('policy/protect-unit.ts'),
      find: "const setting = program === 'git' ? protectGitSetting",
      put: "const setting = program === '' ? protectGitSetting",
    },
    ...judging,
  ],
  'a session has no root': [
    {
      file: host('decision/session-roots.ts'),
      find: 'if (last.session === session && last.agentKind === agentKind) return last.root',
      put: 'if (directory) return directory',
    },
  ],
  'any row is ours': [
    { file: host('ledger/foreign-rows.ts'), find: 'row.mac !== null && makeMac(row.hash).equals(row.mac)', put: 'row.mac !== undefined' },
  ],
  'any schema is ours': [
    {
      file: host('store/check-schema.ts'),
      find: 'const ours = readExpected(driver)',
      put: 'if (driver) return []\n  const ours = readExpected(driver)',
    },
  ],
  'any ledger is the same': [
    {
      file: host('ledger/old-checkpoint.ts'),
      find: 'if (!found || found.origin === origin) return undefined',
      put: 'if (!found || origin) return undefined',
    },
  ],
  'a new key says nothing': [{ file: host('ledger/keyring.ts'), find: "'the private key is lost'", put: "'by a person'" }],
  'doctor looks away from entries': [
    {
      file: host('install/check-entry.ts'),
      find: 'const changed = (why: string): WeakEntry =>',
      put: 'if (agent) return []\n  const changed = (why: string): WeakEntry =>',
    },
  ],
  'doctor looks away from lost hooks': [
    { file: host('install/check-wiring.ts'), find: 'else if (missing.length > 0)', put: 'else if (missing.length > 1000)' },
  ],
  'any folder will do for sockets': [
    { file: native('shim.c'), find: 'uid_t own = geteuid();', put: 'uid_t own = geteuid();\n  if (*path) return 1;' },
    { file: native('shim.pl'), find: 'sub is_ours {', put: 'sub is_ours {\n  return 1;' },
    {
      file: host('disk/own-folder.ts'),
      find: 'const folder = dirname(path)',
      put: 'if (path) return null\n  const folder = dirname(path)',
    },
    {
      file: host('disk/own-folder.ts'),
      find: 'if (found.isSymbolicLink()) return',
      put: 'if (folder) return null\n  if (found.isSymbolicLink()) return',
    },
  ],
  'doctor looks away from the client': [
    { file: host('install/choose-shim.ts'), find: 'sum === sumOf(path) ?', put: 'sumOf(path) !== sum.length ?' },
  ],
  'doctor looks away from the database': [
    {
      file: host('doctor/check-store.ts'),
      find: 'if (!existsSync(file)) return []',
      put: 'if (file) return []\n  if (!existsSync(file)) return []',
    },
  ],
  'characters reach the terminal': [
    {
      file: host('terminal/visible.ts'),
      find: 'return text.replace(OWN_OR_HIDDEN, match =>',
      put: 'if (MARK) return text\n  return text.replace(OWN_OR_HIDDEN, match =>',
    },
    {
      file: host('terminal/visible.ts'),
      find: 'return text.replace(OWN_OR_HIDDEN, (match, sequence',
      put: 'if (MARK) return unmark(text)\n  return text.replace(OWN_OR_HIDDEN, (match, sequence',
    },
    {
      file: host('terminal/visible.ts'),
      find: "return text.replaceAll(/[\\t\\n\\r]+/g, ' ').replace(ANYWHERE, escapeCharacter)",
      put: 'return text',
    },
  ],
  'secrets are text': [{ file: core('ledger/redact/find-secrets.ts'), find: 'if (text.length < 6) return []', put: 'if (text) return []' }],
  'only the wall clock counts': [
    {
      file: host('approval/open-approvals.ts'),
      find: '|| (ends.get(id) ?? Number.POSITIVE_INFINITY) <= clock.monotonic())',
      put: ')',
    },
    { file: host('approval/open-approvals.ts'), find: 'floor = Math.max(floor, clock.now())', put: 'floor = clock.now()' },
    // What is past its time is not even looked at.
    { file: host('approval/open-approvals.ts'), find: 'async expire() {', put: 'async expire() {\n      if (live) return' },
  ],
  'steps of the clock are not recorded': [
    { file: host('ledger/open-ledger.ts'), find: 'before: stepMs === undefined ? [] :', put: 'before: stepMs !== null ? [] :' },
  ],
  'what is gone was trimmed': [
    {
      file: host('ledger/verify/walk.ts'),
      find: 'const { entries, blobs } = gone',
      put: 'if (trimmed) return undefined\n  const { entries, blobs } = gone',
    },
  ],
  'any trim counts': [
    { file: host('ledger/verify/walk.ts'), find: '.filter(trim => trim.seq <= sealed)', put: '.filter(() => sealed >= 0)' },
    { file: host('ledger/foreign-rows.ts'), find: 'row.mac !== null && makeMac(row.hash).equals(row.mac)', put: 'row.mac !== undefined' },
  ],
  'trims are not counted': [
    {
      file: host('ledger/verify/walk.ts'),
      find: 'if (entries.count > trimmed.entries)',
      put: 'if (entries.count > trimmed.entries && !gone)',
    },
  ],
  'agents have no mark': [
    { file: host('approval/standing.ts'), find: 'if (view.isMarked(each.pid))', put: 'if (view.isMarked(each.pid) && !view)' },
    ...judging,
  ],
  'everybody may come in': [
    { file: host('disk/own-folder.ts'), find: 'fchmodSync(file, 0o700)', put: 'fchmodSync(file, 0o755)' },
    {
      file: host('disk/own-folder.ts'),
      find: 'if (found.isSymbolicLink()) return',
      put: 'if (folder) return null\n  if (found.isSymbolicLink()) return',
    },
    { file: host('daemon/listen.ts'), find: 'if (result.ok) chmodSync(path, 0o600)', put: 'if (result.ok) chmodSync(path, 0o777)' },
    { file: host('daemon/listen.ts'), find: "{ mode: 0o600, flag: 'wx' })", put: "{ mode: 0o644, flag: 'wx' })" },
  ],
  'a signal opens the debugger': [{ file: 'packages/host/bin/belay.cjs', find: "process.on('SIGUSR1', () => undefined)", put: '' }],
  'keys in tmux are a person': [
    {
      file: host('approval/standing.ts'),
      find: 'for (const pid of view.list()) {\n    const facts',
      put: 'for (const pid of []) {\n    const facts',
    },
  ],
}
