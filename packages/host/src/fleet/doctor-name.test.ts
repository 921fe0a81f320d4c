import { expect, test } from 'vitest'
import { isDoctors, makeDoctorName } from './doctor-name.ts'

const MADE = Date.parse('2026-03-01T10:00:00.000Z')

const cases: readonly (readonly [title: string, name: string, lastAt: string, expected: boolean])[] = [
  ['its own agent', makeDoctorName(MADE), '2026-03-01T10:00:02.000Z', true],
  ['its own session, named after an agent', `claude-code:${makeDoctorName(MADE)}`, '2026-03-01T10:00:02.000Z', true],
  ['an agent that took the name and goes on', makeDoctorName(MADE), '2026-03-01T10:06:00.000Z', false],
  ['an agent that took a name of a time to come', makeDoctorName(MADE), '2026-03-01T09:00:00.000Z', false],
  ['a name without a time', 'belay-doctor-x', '2026-03-01T10:00:00.000Z', false],
  ['any other agent', 'claude-code', '2026-03-01T10:00:00.000Z', false],
]

test.each(cases)('%s', (_title, name, lastAt, expected) => {
  expect(isDoctors(name, lastAt)).toBe(expected)
})
