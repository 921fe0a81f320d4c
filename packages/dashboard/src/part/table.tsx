// Dense rows under a head that stays. Cells are the caller's; the measures are the same everywhere.
import type { ReactNode } from 'react'

export interface Column {
  readonly name: string
  readonly className?: string
  /** Figures stand right. */
  readonly isNumber?: boolean
}

/** Of a column that a phone has no room for: on its head and its cells. */
export const WIDE = 'max-md:hidden'
/** Of one that a tablet has no room for either. */
export const WIDEST = 'max-lg:hidden'

export function Table({
  label,
  columns,
  isFixed = false,
  children,
}: {
  readonly label: string
  readonly columns: readonly Column[]
  /** Columns are as wide as they say, whatever stands in them: tables above each other line up. */
  readonly isFixed?: boolean
  readonly children: ReactNode
}) {
  return (
    <table aria-label={label} className={`w-full border-collapse text-left ${isFixed ? 'table-fixed' : ''}`}>
      <thead className="sticky top-0 z-10 bg-surface">
        <tr className="h-7 border-b text-faint text-small">
          {columns.map(({ name, className = '', isNumber = false }) => (
            <th key={name} scope="col" className={`whitespace-nowrap px-2 font-medium ${isNumber ? 'text-right' : ''} ${className}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

/** The row's own link or button is for the keyboard; the click is a larger target. */
export function TableRow({
  children,
  isChosen = false,
  onOpen,
}: {
  readonly children: ReactNode
  readonly isChosen?: boolean
  readonly onOpen?: () => void
}) {
  return (
    <tr
      onClick={onOpen}
      className={`h-[30px] border-line/60 border-b ${isChosen ? 'bg-chosen' : onOpen === undefined ? '' : 'cursor-pointer hover:bg-hover'}`}
    >
      {children}
    </tr>
  )
}

export function Cell({
  children,
  isNumber = false,
  className = '',
  title,
}: {
  readonly children?: ReactNode
  readonly isNumber?: boolean
  readonly className?: string
  readonly title?: string
}) {
  return (
    <td title={title} className={`px-2 align-middle ${isNumber ? 'text-right' : ''} ${className}`}>
      {children}
    </td>
  )
}
