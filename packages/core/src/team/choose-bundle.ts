// Which of the bundles that a machine holds is in force there, and which one is only compared with it.
import { type BundleManifest, isMeantFor } from './bundle-manifest.ts'

export interface HeldBundle {
  readonly manifest: BundleManifest
}

export interface ChoiceContext {
  readonly machine: string
  readonly labels: Readonly<Record<string, string>>
  /** Versions whose roll-out was stopped. */
  readonly halted: readonly number[]
  /** A person wants this version and none that came later. */
  readonly pinned: number | null
  readonly now: number
}

export interface Choice<B> {
  /** null: this machine is meant by none. */
  readonly inForce: B | null
  /** One that is only observed, or the one before a roll-out that may still be halted: how its verdicts differ is recorded. */
  readonly compared: B | null
  /** The one in force is over, and there is none to go back to. */
  readonly isExpired: boolean
}

export function chooseBundles<B extends HeldBundle>(bundles: readonly B[], context: ChoiceContext): Choice<B> {
  const meant = bundles
    .filter(({ manifest }) => isMeantFor(manifest, context) && !isStopped(manifest, context) && isBegun(manifest, context.now))
    .filter(({ manifest }) => context.pinned === null || manifest.version <= context.pinned)
    .toSorted((a, b) => b.manifest.version - a.manifest.version)
  const enforced = meant.filter(({ manifest }) => manifest.mode === 'enforce')
  const good = enforced.filter(({ manifest }) => !isOver(manifest, context.now))
  // A policy that is over is still better than none.
  const inForce = good[0] ?? enforced[0] ?? null
  const observed = meant.find(
    ({ manifest }) => manifest.mode === 'observe' && !isOver(manifest, context.now) && manifest.version > (inForce?.manifest.version ?? 0),
  )
  const before = inForce !== null && mayHalt(inForce.manifest) ? (good[1] ?? null) : null
  return { inForce, compared: observed ?? before, isExpired: inForce !== null && good.length === 0 }
}

/** Only a roll-out that is not over everywhere, and whose publisher said so, can be stopped: nobody else can put a machine back. */
export function mayHalt({ halt, percentage }: BundleManifest): boolean {
  return halt !== null && percentage < 100
}

export function isOver({ expires }: BundleManifest, now: number): boolean {
  return expires !== null && Date.parse(expires) <= now
}

function isBegun({ notBefore }: BundleManifest, now: number): boolean {
  return notBefore === null || Date.parse(notBefore) <= now
}

function isStopped(manifest: BundleManifest, { halted }: ChoiceContext): boolean {
  return halted.includes(manifest.version) && (mayHalt(manifest) || manifest.mode === 'observe')
}
