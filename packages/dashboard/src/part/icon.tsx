// All pictures of the page, drawn on a 16 px grid in the colour of the text around them. They say nothing to a screen reader: words do.
import type { ReactNode } from 'react'

const DRAWINGS = {
  live: <path d="M1.5 8h3l2-5 3 10 2-5h3" />,
  fleet: (
    <>
      <rect x="2" y="2" width="5" height="5" rx="1" />
      <rect x="9" y="2" width="5" height="5" rx="1" />
      <rect x="2" y="9" width="5" height="5" rx="1" />
      <circle cx="11.5" cy="11.5" r="2.5" />
    </>
  ),
  approvals: (
    <>
      <path d="M2 9.5 4 3h8l2 6.5V13H2z" />
      <path d="M2 9.5h3.5l1 1.5h3l1-1.5H14" />
    </>
  ),
  ledger: (
    <>
      <rect x="5.5" y="1.8" width="5" height="3.4" rx="1" />
      <rect x="5.5" y="10.8" width="5" height="3.4" rx="1" />
      <path d="M8 5.2v5.6M5.8 8h4.4" />
    </>
  ),
  policy: (
    <>
      <path d="M8 1.5 13.5 3.5v4c0 3.3-2.2 5.7-5.5 7-3.3-1.3-5.5-3.7-5.5-7v-4z" />
      <path d="m5.6 7.8 1.7 1.7 3.1-3.3" />
    </>
  ),
  overview: <path d="M2 14V2M2 14h12M5 11.5V8M8 11.5v-6M11 11.5V7M14 11.5V4" />,
  allow: <path d="m3 8.5 3.2 3.2L13 4.8" />,
  deny: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M5 8h6" />
    </>
  ),
  ask: (
    <>
      <path d="M5.3 5.6a2.8 2.8 0 1 1 4.2 2.5C8.5 8.7 8 9.2 8 10.3" />
      <path d="M8 12.900v.2" />
    </>
  ),
  rewrite: <path d="m3 13 .7-3L10.5 3.200l2.3 2.300L6 12.300zM9 4.7 11.3 7" />,
  none: <circle cx="8" cy="8" r="1.8" fill="currentColor" />,
  failed: <path d="M8 2 14.5 13.500h-13zM8 6.500v3M8 11.400v.2" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3.5 3.5" />
    </>
  ),
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  pause: <path d="M5.5 3v10M10.5 3v10" />,
  play: <path d="M5 3v10l7.5-5z" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1" />
      <path d="M10.5 3V2.500h-8v8H3" />
    </>
  ),
  sun: (
    <>
      <circle cx="8" cy="8" r="2.8" />
      <path d="M8 1.500v1.700M8 12.800v1.700M1.5 8h1.700M12.8 8h1.700M3.4 3.400l1.2 1.200M11.4 11.400l1.2 1.200M3.4 12.600l1.2-1.200M11.4 4.600l1.2-1.2" />
    </>
  ),
  moon: <path d="M13 9.500A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.500z" />,
  screen: <path d="M2 3h12v8H2zM6 13.500h4M8 11v2.5" />,
  down: <path d="m4 6 4 4 4-4" />,
  right: <path d="m6 4 4 4-4 4" />,
  left: <path d="m10 4-4 4 4 4" />,
  up: <path d="m4 10 4-4 4 4" />,
  question: (
    <>
      <circle cx="8" cy="8" r="6.2" />
      <path d="M6.3 6.500a1.75 1.75 0 1 1 2.6 1.500c-.6.4-.9.7-.9 1.300M8 11.100v.1" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof DRAWINGS

export function Icon({
  name,
  size = 16,
  className = '',
}: {
  readonly name: IconName
  readonly size?: number
  readonly className?: string
}) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${className}`}
    >
      {DRAWINGS[name]}
    </svg>
  )
}
