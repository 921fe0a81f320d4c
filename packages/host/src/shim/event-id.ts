// The id of one hook call, made once by whoever the agent started and handed on: however often the call is delivered, it is recorded once.

/**
 * A UUID of version 7, as the other clients make it: the time, then chance. Loading the cryptographic source would cost the Node client more
 * than asking the daemon; every process seeds this one anew.
 */
export function createEventId(nowMs: number, random: () => number = Math.random): string {
  const time = Math.floor(nowMs).toString(16).padStart(12, '0').slice(-12)
  const digits = (count: number) =>
    Math.floor(random() * 16 ** count)
      .toString(16)
      .padStart(count, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits(3)}-8${digits(3)}-${digits(6)}${digits(6)}`
}
