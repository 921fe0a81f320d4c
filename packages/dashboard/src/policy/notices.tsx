// What about the policy needs a person: broken, refused altogether, not trusted.
import type { ReactNode } from 'react'
import type { PolicyFileView, PolicyView } from '#page/policy.ts'
import { Link } from '../frame/link.tsx'
import { Icon } from '../part/icon.tsx'
import { plainLine, plainText } from '../part/plain-text.ts'
import { clock } from '../part/time.ts'
import { TONES, type Tone } from '../part/tone.ts'

/** `isFixable`: the page shows something else than the text that can be mended. */
export function Notices({ policy, isFixable }: { readonly policy: PolicyView; readonly isFixable: boolean }) {
  const { changes } = policy
  const isChanged = (file: string) => changes.some(change => change.file === file)
  return (
    <>
      {policy.locked !== null && <Notice tone="deny">Every gated call is refused: {plainText(policy.locked, 500)}</Notice>}
      {policy.files
        .filter(({ isOk }) => !isOk)
        .map(file => (
          <Broken key={file.file} file={file} root={isFixable ? policy.root : null} />
        ))}
      {changes
        .filter(({ kind }) => kind !== 'broken')
        .map(({ file, message, remedy }) => (
          <Notice key={file} tone="ask">
            <WithCode text={`${message}. To go on, ${remedy}.`} />
          </Notice>
        ))}
      {policy.hookFiles
        .filter(({ isOk }) => !isOk)
        .map(file => (
          <Broken key={file.file} file={file} root={null} />
        ))}
      {policy.hookFiles
        .filter(({ file, isOk, isTrusted }) => isOk && !isTrusted && !isChanged(file))
        .map(({ file }) => (
          <Notice key={file} tone="ask">
            <code className="mono wrap-anywhere">{plainLine(file)}</code> is not trusted: its hooks do not run. Read it, then run{' '}
            <code className="mono">belay policy trust</code> in the project.
          </Notice>
        ))}
      {policy.files
        .filter(({ file, isOk, isTrusted }) => isOk && !isTrusted && !isChanged(file))
        .map(({ file }) => (
          <Notice key={file} tone="ask">
            <code className="mono wrap-anywhere">{plainLine(file)}</code> is not trusted: its deny and ask rules hold, its allow rules and
            running hooks do not. Read it, then run <code className="mono">belay policy trust</code> in the project.
          </Notice>
        ))}
    </>
  )
}

/** `root`: where it can be fixed on another part of the page; null: here, or elsewhere. */
function Broken({ file: { file, lint, lastGoodAt, owner }, root }: { readonly file: PolicyFileView; readonly root: string | null }) {
  const error = lint.find(({ severity }) => severity === 'error')
  return (
    <Notice tone="deny">
      <strong className="font-semibold">
        {error === undefined
          ? `${plainLine(file)} cannot be read.`
          : `${plainLine(file)}:${error.line}:${error.column}: ${plainText(error.message, 500)}`}
      </strong>{' '}
      {lastGoodAt === null ? 'No version of it was ever good.' : `The last good policy of ${clock(lastGoodAt).slice(0, 5)} is in force.`}{' '}
      {owner === 'project' && root !== null && (
        <Link page="policy" params={{ root, show: 'playground' }} className="underline">
          Fix it
        </Link>
      )}
    </Notice>
  )
}

/** A sentence of ours with commands in it. */
function WithCode({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      plainText(part, 1000)
    ) : (
      <code key={part} className="mono">
        {plainLine(part, 300)}
      </code>
    ),
  )
}

export function Notice({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  const look = TONES[tone]
  return (
    <div role="alert" className={`m-3 flex gap-2 rounded border px-3 py-2 ${look.line} ${look.tint} ${look.text}`}>
      <Icon name={tone === 'deny' ? 'failed' : tone === 'ask' ? 'ask' : 'allow'} className="mt-0.5" />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  )
}
