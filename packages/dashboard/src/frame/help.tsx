// All keys, in one place.
import { Dialog } from '../part/dialog.tsx'
import { Keys } from '../part/keys.tsx'
import { PAGE_WORDS } from './rail.tsx'
import { PAGES } from './url.ts'

const GROUPS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['Ctrl K', 'search and commands'],
      ['?', 'this help'],
      ['Esc', 'close the event or dialog'],
      ['/', 'into the search field'],
      ['w', 'look at who waits for you'],
    ],
  ],
  ['Go to', PAGES.map(page => [`g ${PAGE_WORDS[page].key}`, PAGE_WORDS[page].name])],
  [
    'Lists',
    [
      ['j', 'next'],
      ['k', 'the one before'],
      ['Enter', 'open'],
    ],
  ],
  ['Live', [['p', 'pause and go on']]],
  [
    'Approvals',
    [
      ['a', 'allow'],
      ['d', 'deny'],
      ['A', 'allow always, with a preview'],
      ['x', 'mark for deciding several'],
    ],
  ],
]

export function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className="grid gap-x-8 gap-y-4 p-4 sm:grid-cols-2">
        {GROUPS.map(([name, keys]) => (
          <section key={name} aria-label={name}>
            <h3 className="pb-1 font-semibold text-small text-quiet">{name}</h3>
            <dl>
              {keys.map(([key, does]) => (
                <div key={key} className="flex h-7 items-center justify-between gap-4">
                  <dt>{does}</dt>
                  <dd>
                    <Keys keys={key} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
