// Kinds of the entries that the ledger writes about itself. `verify` counts them; producers of other entries choose other names.

/** The wall clock jumped. */
export const CLOCK_STEP = 'clock_step'
/** Something happened that could not be recorded when it did. */
export const GAP = 'gap'
export const KEY_ROTATED = 'key_rotated'
/** Blobs were trimmed; the body says before which seq. */
export const LEDGER_TRIMMED = 'ledger_trimmed'
export const LEDGER_RESTORED = 'ledger_restored'
/** Rows that the writer had not written were taken out. */
export const LEDGER_REFUSED = 'ledger_refused'
/** A database that is new, though checkpoints of another one were there. */
export const LEDGER_STARTED_ANEW = 'ledger_started_anew'

/** From here on entries are of another format; it is the first of them. */
export const LEDGER_FORMAT = 'ledger_format'

/** Those that a check of the ledger reads. */
export const SELF_KINDS: readonly string[] = [CLOCK_STEP, GAP, KEY_ROTATED, LEDGER_TRIMMED, LEDGER_FORMAT]

/** Who writes them when no person is named. */
export const LEDGER_ACTOR = 'system:ledger'
