// What a guardrail remembers of each session. The oldest session goes when there are too many: agents come and go, the daemon stays.
const MOST_SESSIONS = 2000

export class SessionMemory<T> {
  private readonly kept = new Map<string, T>()
  private readonly make: () => T

  constructor(make: () => T) {
    this.make = make
  }

  of(session: string): T {
    const known = this.kept.get(session)
    if (known !== undefined) return known
    if (this.kept.size >= MOST_SESSIONS) this.kept.delete(this.kept.keys().next().value ?? '')
    const made = this.make()
    this.kept.set(session, made)
    return made
  }
}
