// Who may use which verb of Belay: every command, RPC method and HTTP route. It says what agents may use; what does not stand here is for
// people. The text of shell commands is judged by it, and the command line and the daemon hold themselves to it.

/**
 * agent: an agent may use it, as itself. person: only a person. anyone: it asks for nobody.
 * host: only the agent program itself, by its configuration; a command that the agent runs may not.
 */
export type VerbUser = 'agent' | 'person' | 'anyone' | 'host'

export interface OwnVerb {
  readonly user: VerbUser
  /** Options that only a person may give: they write a file of any name, run hooks, or give rights. */
  readonly personOptions: readonly string[]
}

/** `name` or `name -o,--option`: the options are for people only. A name of two words is a sub-command. */
const COMMANDS: Readonly<Record<VerbUser, readonly string[]>> = {
  anyone: [
    'help',
    'completion',
    'genesis',
    'policy',
    'hooks',
    'config',
    'guardrails',
    'ledger',
    'task',
    'effort',
    'session',
    'agent',
    'directive',
    'skill',
    'team',
  ],
  host: ['hook', 'statusline'],
  agent: [
    ...[
      'status',
      'logs',
      'why',
      'explain',
      'decide',
      'doctor',
      'files',
      'mcp',
      'mcp pin',
      'mcp diff',
      'mcp-proxy',
      'fleet',
      'log',
      'dehydrate',
    ],
    ...['up --open', 'run --actor', 'genesis validate', 'genesis show', 'config inspect'],
    ...['policy test --junit', 'policy lint --fix', 'policy prove', 'policy diff', 'policy status', 'replay --html', 'learn --write'],
    ...[
      'hooks list',
      'hooks running',
      'hooks test-pattern',
      'hooks simulate --run',
      'guardrails list',
      'guardrails explain',
      'guardrails try',
      'guardrails calls',
    ],
    ...[
      'task list',
      'task show',
      'effort start',
      'effort phase',
      'effort finish',
      'effort take --force',
      'effort inject',
      'effort list',
      'effort show',
    ],
    ...['session list', 'session show', 'session finish', 'agent list', 'agent show'],
    ...['directive list', 'directive discover', 'skill list', 'skill show'],
    ...['capture', 'commit', 'claim', 'release', 'annotate', 'evidence', 'submit', 'approve', 'reject', 'reopen', 'dismiss', 'close'],
    ...['link', 'triage', 'commitments', 'commitments list', 'commitments show', 'commitments export'],
    ...['ledger tail', 'ledger query', 'ledger show', 'ledger verify', 'ledger prove -o,--out', 'ledger export -o,--out', 'team status'],
  ],
  person: [
    ...['init', 'install', 'uninstall', 'import', 'conform', 'genesis init', 'policy trust', 'mcp approve', 'allow', 'ask', 'deny'],
    // Stopping a hook that gates a call may let it through.
    ...['down', 'pause', 'hooks cancel', 'dashboard', 'agent bind', 'fleet tmux', 'commitments import'],
    ...['approvals', 'approvals list', 'approvals allow', 'approvals deny'],
    ...['ledger checkpoint', 'ledger gc', 'key', 'key rotate', 'backup', 'restore', 'join', 'leave'],
    ...['policy key', 'policy publish', 'policy rollback', 'policy pull', 'policy pin', 'team approvals', 'team decide'],
  ],
}

const METHODS: Readonly<Record<VerbUser, readonly string[]>> = {
  anyone: ['daemon.status'],
  host: [],
  agent: [
    ...'sessionStart sessionEnd preCompact preToolUse postToolUse postToolUseFailure stop userPrompt notification permissionRequest'
      .split(' ')
      .map(name => `hooks.${name}`),
    ...['hooks.teammateIdle', 'hooks.taskCompleted', 'hooks.subagentStart', 'hooks.subagentStop', 'hooks.configChange', 'hooks.running'],
    ...['effort.start', 'effort.phase', 'effort.finish', 'effort.inject', 'effort.list', 'effort.show', 'effort.log'],
    ...['session.list', 'session.show', 'session.finish', 'session.dehydrate', 'task.list', 'task.show', 'agent.list', 'agent.show'],
    ...[
      'agent.release',
      'agent.identify',
      'directive.list',
      'directive.discover',
      'skill.list',
      'skill.show',
      'run.register',
      'run.next',
      'run.end',
    ],
    ...['fleet.list', 'fleet.line', 'approvals.list', 'approvals.show', 'approvals.watch'],
    // As the agent that calls; in a person's name they need the person.
    ...'capture commit claim release annotate evidence submit approve reject reopen dismiss close link triage list show export'
      .split(' ')
      .map(name => `commitments.${name}`),
    ...'frame overview records facets record rejudge proof verify agent messages artifact approval preview commitment policy try compare simulate tryRecorded denials lanes story'
      .split(' ')
      .map(name => `page.${name}`),
  ],
  person: [
    ...[
      'daemon.person',
      'daemon.stop',
      'daemon.pause',
      'daemon.resume',
      'hooks.cancel',
      'dashboard.link',
      'agent.bind',
      'agent.check',
      'approvals.allow',
      'approvals.deny',
    ],
    ...['commitments.import', 'ledger.checkpoint', 'ledger.gc', 'ledger.rotateKey', 'page.markChecked', 'page.save', 'page.allow'],
  ],
}

const ROUTES: Readonly<Record<VerbUser, readonly string[]>> = {
  anyone: [
    ...['GET /healthz', 'GET /openapi.json', 'GET /enter', 'GET /assets/{name}', 'GET /favicon.svg'],
    ...[
      '/',
      '/live',
      '/live/{id}',
      '/fleet',
      '/fleet/{id}',
      '/approvals',
      '/approvals/{id}',
      '/ledger',
      '/ledger/{id}',
      '/policy',
      '/overview',
    ].map(path => `GET ${path}`),
    // It brings a signature.
    'POST /v1/approvals/webhook',
  ],
  host: [],
  // Each method of /v1/rpc has a row of its own.
  agent: ['POST /v1/hooks/{agent}/{event}', 'POST /v1/rpc', 'GET /v1/events', 'GET /v1/export', 'GET /metrics'],
  person: [],
}

type OwnVerbs = ReadonlyMap<string, OwnVerb>

/** Read at the first use: every client loads this file, and few ask. */
const ownCommands = once(() => readRows(COMMANDS))
const ownMethods = once(() => readRows(METHODS))
const ownRoutes = once(
  (): OwnVerbs =>
    new Map(
      Object.entries(ROUTES).flatMap(([user, rows]) => rows.map(row => [row, { user: user as VerbUser, personOptions: [] }] as const)),
    ),
)

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null
  return () => {
    made ??= make()
    return made
  }
}

const FOR_PEOPLE: OwnVerb = { user: 'person', personOptions: [] }

/** `ledger gc`; what is not known is for people. */
export function ownCommand(name: string): OwnVerb {
  return ownCommands().get(name) ?? FOR_PEOPLE
}

export function methodUser(name: string): VerbUser {
  return (ownMethods().get(name) ?? FOR_PEOPLE).user
}

/** `POST /v1/rpc`. */
export function routeUser(name: string): VerbUser {
  return (ownRoutes().get(name) ?? FOR_PEOPLE).user
}

/** Whether a row says so, rather than its absence. */
export function isOwnVerb(kind: 'command' | 'method' | 'route', name: string): boolean {
  return (kind === 'command' ? ownCommands() : kind === 'method' ? ownMethods() : ownRoutes()).has(name)
}

/** Has sub-commands. */
export function isGroup(name: string): boolean {
  return groups().has(name)
}

const groups = once(() => new Set([...ownCommands().keys()].filter(name => name.includes(' ')).map(name => name.split(' ')[0] ?? '')))

/** `-o x`, `-ox`, `-fo x`, `--out x`, `--out=x`. */
export function givesOption(word: string, option: string): boolean {
  if (option.startsWith('--')) return word === option || word.startsWith(`${option}=`)
  return new RegExp(`^-[a-zA-Z]*${option.slice(1)}`).test(word)
}

function readRows(rows: Readonly<Record<VerbUser, readonly string[]>>): OwnVerbs {
  return new Map(
    Object.entries(rows).flatMap(([user, names]) =>
      names.map(row => {
        const [, name = row, options] = /^(.*?)(?: (-\S+))?$/.exec(row) ?? []
        return [name, { user: user as VerbUser, personOptions: options === undefined ? [] : options.split(',') }] as const
      }),
    ),
  )
}
