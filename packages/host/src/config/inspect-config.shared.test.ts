import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { renderInspection } from '../command/inspect-render.ts'
import { inspectConfig } from './inspect-config.ts'

interface Row {
  readonly file: string
  readonly path: string
  readonly parse: string
  readonly hooks: number
  readonly groups: number
  readonly events: Record<string, number>
  readonly permissions: Record<string, number>
  readonly permission_objects: number
}

const folder = new URL('../../../../../shared/corpus/configs/', import.meta.url)
const { files }: { files: readonly Row[] } = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'))
const read = (file: string) => readFileSync(new URL(file, folder))

it('holds the corpus', () => {
  expect(files.length).toBe(536)
})

describe.each(['file', 'path'] as const)('named by its %s', name => {
  it.each(files)('$file', row => {
    const inspection = inspectConfig(read(row.file), { path: row[name] })
    const { parse, hooks, groups, events, permissions, active, inert } = inspection
    const expected = { parse: row.parse, hooks: row.hooks, groups: row.groups, events: row.events }
    expect({ parse, hooks, groups, events }).toEqual(expected)
    expect(sum(permissions)).toBe(sum(row.permissions) + row.permission_objects)
    expect(active.length + inert.length).toBe(hooks)
    expect(renderInspection(inspection)).not.toMatch(/undefined|\[object/)
  })
})

it('gives a broken file zero entries and one error with its place', () => {
  for (const { file } of files.filter(row => row.parse === 'invalid')) {
    const { diagnostics, ...rest } = inspectConfig(read(file), { path: file })
    expect(rest).toMatchObject({ hooks: 0, active: [], inert: [], permissions: { allow: 0, deny: 0, ask: 0 } })
    expect(diagnostics.map(({ severity }) => severity)).toEqual(['error'])
  }
})

// Every file, cut and damaged: nothing throws, and what is there always adds up. BELAY_FUZZ_ROUNDS widens it.
const rounds = Number(process.env.BELAY_FUZZ_ROUNDS ?? 2)
const seed = Number(process.env.BELAY_FUZZ_SEED ?? 1)

it(`survives ${rounds} damages of each file (seed ${seed})`, () => {
  const random = mulberry(seed)
  for (const { file } of files) {
    const text = read(file).toString('utf8')
    for (let round = 0; round < rounds; round += 1) {
      const { hooks, active, inert } = inspectConfig(damage(text, random), { path: file })
      expect(active.length + inert.length).toBe(hooks)
    }
  }
})

const BITS = ['"', '{', '}', '[', ']', ',', ':', '\\', '\u0000', '\n', '__proto__', '- ', '//', '*', '&a', '*a', 'null', '1e999', '\ufeff']

function damage(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length)
  const bit = BITS[Math.floor(random() * BITS.length)] ?? ''
  const kind = Math.floor(random() * 4)
  if (kind === 0) return text.slice(0, at)
  if (kind === 1) return text.slice(0, at) + bit + text.slice(at)
  if (kind === 2) return text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 20))
  return text.slice(0, at) + bit.repeat(50) + text.slice(at + 1)
}

function mulberry(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
