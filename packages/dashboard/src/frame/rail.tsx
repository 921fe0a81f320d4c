// The way around: a rail on the left, a bar at the bottom of a phone.
import { Icon } from '../part/icon.tsx'
import { Link } from './link.tsx'
import { PAGES, type Page } from './url.ts'

export const PAGE_WORDS: Readonly<Record<Page, { readonly name: string; readonly key: string }>> = {
  live: { name: 'Live', key: 'l' },
  fleet: { name: 'Fleet', key: 'f' },
  approvals: { name: 'Approvals', key: 'a' },
  ledger: { name: 'Ledger', key: 'e' },
  policy: { name: 'Policy', key: 'p' },
  overview: { name: 'Overview', key: 'o' },
}

/** What needs a person comes first under the thumb. */
const PHONE_ORDER: Readonly<Record<Page, string>> = {
  approvals: 'order-1',
  fleet: 'order-2',
  live: 'order-3',
  ledger: 'order-4',
  policy: 'order-5',
  overview: 'order-6',
}

/** `page`: null where there is no such page. */
export function Rail({ page, approvals }: { readonly page: Page | null; readonly approvals: number }) {
  return (
    <nav
      aria-label="Pages"
      className="order-last flex shrink-0 justify-around border-t bg-surface md:order-first md:w-[72px] md:flex-col md:justify-start md:gap-1 md:border-t-0 md:border-r md:pt-2"
    >
      {PAGES.map(name => (
        <RailLink key={name} name={name} isHere={name === page} count={name === 'approvals' ? approvals : 0} />
      ))}
    </nav>
  )
}

function RailLink({ name, isHere, count }: { readonly name: Page; readonly isHere: boolean; readonly count: number }) {
  const { name: word, key } = PAGE_WORDS[name]
  const look = isHere ? 'bg-chosen text-ink' : 'text-quiet hover:bg-hover hover:text-ink'
  return (
    <Link
      page={name}
      title={`${word} (g ${key})`}
      aria-current={isHere ? 'page' : undefined}
      className={`relative flex min-w-12 flex-1 flex-col items-center gap-0.5 py-1.5 text-tiny md:mx-1.5 md:flex-none md:rounded-md ${PHONE_ORDER[name]} md:order-none ${look}`}
    >
      <Icon name={name} size={18} />
      {word}
      {count > 0 && (
        <span className="absolute top-0.5 right-[calc(50%-20px)] min-w-4 rounded-full bg-ask px-1 text-center font-semibold text-surface text-tiny">
          {count > 99 ? '99+' : count}
          <span className="sr-only"> waiting</span>
        </span>
      )}
    </Link>
  )
}
