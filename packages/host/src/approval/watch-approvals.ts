// Approvals at a terminal: what waits is shown one at a time, this project first, and decided with one key. What is decided elsewhere, or
// runs out, is said too. A key pressed before its request could be read does not count for it.
import type { HeldRequest } from './request.ts'

export interface ApprovalTerminal {
  /** What waits there comes first. */
  readonly root: string
  /** Answers when what waits differs from `seen`; null: there is no daemon; text: why it refuses. */
  next(seen: string): Promise<{ readonly seen: string; readonly requests: readonly HeldRequest[] } | string | null>
  /** How one that no longer waits ended. */
  outcome(id: string): Promise<string>
  /** Gives what to tell the person. */
  decide(decision: 'allow' | 'deny', request: HeldRequest, always?: string): Promise<{ readonly ok: boolean; readonly text: string }>
  /** What the rule would have let through lately. */
  preview(request: HeldRequest, pattern: string): Promise<string>
  /** Keys as a terminal in raw mode sends them; gives its undo. */
  onKeys(listener: (keys: string) => void): () => void
  render(request: HeldRequest): string
  /** Lines that stay. */
  print(text: string): void
  /** The line at the bottom, which is written over. */
  prompt(text: string): void
  bell(): void
  now(): number
  wait(ms: number): Promise<void>
}

/** Nobody reads a request in less: what was typed then was meant for something else. */
const READING_MS = 400
const RETRY_MS = 1000
const IDLE = 'nothing waits; q quits'

/** Gives what the daemon refused, or null when the person quits. */
export async function watchApprovals(terminal: ApprovalTerminal): Promise<string | null> {
  let waiting: readonly HeldRequest[] = []
  let current: HeldRequest | null = null
  let shownAt = 0
  let isBusy = false
  /** By a key of this terminal: that was said already. */
  const settled = new Set<string>()
  /** The pattern of a rule that is being written; null: keys decide. */
  let typed: string | null = null
  /** A rule that was shown with what it would let through, and waits for its yes. */
  let proposed: string | null = null
  let hasQuit = false
  let quit: () => void = () => undefined
  const quitting = new Promise<null>(resolve => {
    quit = () => {
      hasQuit = true
      resolve(null)
    }
  })

  function draw(): void {
    if (isBusy) terminal.prompt('...')
    else if (proposed !== null) terminal.prompt(`write the rule allow ${proposed} and let this call through? y / any other key`)
    else if (typed !== null) terminal.prompt(`allow always, Enter shows what it lets through, Esc goes back: ${typed}`)
    else terminal.prompt(current === null ? IDLE : `a allow once, d deny, A allow always, n next, q quit${behind()}: `)
  }

  function behind(): string {
    const more = waiting.length - 1
    return more > 0 ? ` (${more} more)` : ''
  }

  function show(request: HeldRequest | null): void {
    current = request
    typed = null
    proposed = null
    shownAt = terminal.now()
    if (request !== null) terminal.print(`\n${terminal.render(request)}`)
    draw()
  }

  /** The one after `skipped` in the order of the terminal, or the first. */
  function advance(skipped: string | null): void {
    const at = waiting.findIndex(({ id }) => id === skipped)
    show(waiting[at + 1] ?? waiting[0] ?? null)
  }

  async function settle(decision: 'allow' | 'deny', always?: string): Promise<void> {
    const request = current
    if (request === null) return
    isBusy = true
    draw()
    const { ok, text } = await terminal.decide(decision, request, always)
    isBusy = false
    terminal.print(text)
    typed = null
    proposed = null
    if (!ok) return draw()
    settled.add(request.id)
    waiting = waiting.filter(({ id }) => id !== request.id)
    advance(null)
  }

  async function propose(pattern: string): Promise<void> {
    if (current === null) return
    isBusy = true
    draw()
    terminal.print(await terminal.preview(current, pattern))
    isBusy = false
    proposed = pattern
    draw()
  }

  function onKey(key: string): void {
    if (key === '\x03') quit()
    else if (isBusy) return
    else if (proposed !== null) answerProposed(key)
    else if (typed !== null) edit(key)
    else if (key === 'q') quit()
    else if (current !== null && terminal.now() - shownAt >= READING_MS) choose(key, current)
  }

  function choose(key: string, request: HeldRequest): void {
    if (key === 'a') void settle('allow')
    else if (key === 'd') void settle('deny')
    else if (key === 'n') advance(request.id)
    else if (key === 'A' && request.tool !== null) {
      typed = suggestPattern(request)
      draw()
    }
  }

  function answerProposed(key: string): void {
    const pattern = proposed ?? undefined
    proposed = null
    if (key === 'y') void settle('allow', pattern)
    else draw()
  }

  function edit(key: string): void {
    const text = typed ?? ''
    if (key === '\x1b') typed = null
    else if (key === '\r' || key === '\n') return void propose(text.trim())
    else if (key === '\x7f' || key === '\b') typed = text.slice(0, -1)
    else if (key === '\x15') typed = ''
    else if (!/^[\x00-\x1f]/.test(key)) typed = text + key
    draw()
  }

  async function take(requests: readonly HeldRequest[]): Promise<void> {
    const gone = waiting.filter(old => requests.every(({ id }) => id !== old.id))
    const isNew = requests.some(({ id }) => waiting.every(old => old.id !== id))
    waiting = [...requests].sort((a, b) => Number(b.root === terminal.root) - Number(a.root === terminal.root))
    for (const { id } of gone) if (!settled.has(id) && !(isBusy && id === current?.id)) terminal.print(await terminal.outcome(id))
    if (isNew) terminal.bell()
    if (isBusy) return
    if (current === null || gone.some(({ id }) => id === current?.id)) advance(null)
    else draw()
  }

  async function follow(): Promise<string | null> {
    let seen = 'nothing yet'
    while (!hasQuit) {
      const answer = await terminal.next(seen)
      if (hasQuit) break
      if (typeof answer === 'string') return answer
      if (answer === null) await terminal.wait(RETRY_MS)
      else {
        seen = answer.seen
        await take(answer.requests)
      }
    }
    return null
  }

  const stopKeys = terminal.onKeys(keys => {
    for (const key of keys.match(/\x1b\[[A-Z]|./gsu) ?? []) onKey(key)
  })
  draw()
  try {
    return await Promise.race([follow(), quitting])
  } finally {
    stopKeys()
    terminal.prompt('')
  }
}

/** Exactly this call, to be widened by whoever knows how far. */
function suggestPattern({ tool, input }: HeldRequest): string {
  const { command, file_path: file, url } = input
  const main = [command, file, url].find(value => typeof value === 'string' && !/[\r\n]/.test(value))
  return main === undefined ? (tool ?? '') : `${tool}(${String(main)})`
}
