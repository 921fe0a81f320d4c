// Every policy that Belay ships has tests that find nearly every small fault of it; so has the first policy of a project.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { renderPolicy } from '../../config/genesis-template.ts'
import { ALL_STACKS } from '../../config/project-stack.ts'
import { IMAGINED_ROOT, imaginedGuard } from '../imagined-guard.ts'
import { lintFile } from '../lint/lint-file.ts'
import { proveProperty, readProperty } from '../prove/prove-property.ts'
import { renderCases } from './case-template.ts'
import { readCaseFile, readPolicy, testPolicy } from './test-policy.ts'

const folder = fileURLToPath(new URL('../../../../../policies/', import.meta.url))
const names = readdirSync(folder)
const policies = names.filter(name => name.endsWith('.key'))
const drafts = mkdtempSync(join(tmpdir(), 'belay-cases-'))
afterAll(() => rmSync(drafts, { recursive: true }))

test('each policy has tests', () => {
  expect(policies.filter(name => !names.includes(name.replace(/key$/, 'test.yaml')))).toEqual([])
})

test.each(policies)('%s: every test passes, every rule decides one, 95 of 100 mutants are found', async name => {
  const { errors, results, coverage, mutation } = await testPolicy(join(folder, name.replace(/key$/, 'test.yaml')), { mutate: true })
  expect(errors).toEqual([])
  expect(results.flatMap(({ failures }) => failures)).toEqual([])
  expect(coverage?.uncovered).toEqual([])
  expect(mutation?.mutants).toBeGreaterThan(30)
  expect((mutation?.survived.length ?? 0) / (mutation?.mutants ?? 1)).toBeLessThan(0.05)
})

test.each(policies)('%s: lint finds nothing', name => {
  expect(lintFile(readFileSync(join(folder, name), 'utf8'), name, { prove: false }).findings).toEqual([])
})

/** Those that do not hold, with a call that shows it. */
async function brokenNever(tests: string) {
  const read = await readCaseFile(tests)
  const policy = readPolicy(tests.replace(/test\.yaml$/, 'key'))
  if (!read.ok || !policy.ok) throw new Error('the policy or its tests do not parse')
  const guard = imaginedGuard([policy.policy], { stopsAtRefusal: true })
  const broken = read.file.never.flatMap(({ property, actor }) => {
    const found = readProperty(property)
    const proof = found.ok ? proveProperty(guard, found, { actor, depth: 1, cwd: IMAGINED_ROOT }) : null
    return proof?.counterExample === null ? [] : [[property, actor, proof?.counterExample.call.input]]
  })
  return { broken, lines: read.file.never.length }
}

test.each(policies)('%s: its never lines hold', async name => {
  const { broken, lines } = await brokenNever(join(folder, name.replace(/key$/, 'test.yaml')))
  expect(broken).toEqual([])
  expect(lines).toBeGreaterThan(4)
})

test('a rule on a program alone holds where carriers stand behind each other', async () => {
  const policy = readPolicy(join(folder, 'starter.key'))
  const property = readProperty('never Bash(sudo *)')
  if (!policy.ok || !property.ok) throw new Error('the policy or the property does not parse')
  const place = { actor: 'agent:claude-code', depth: 2, cwd: IMAGINED_ROOT }
  expect(proveProperty(imaginedGuard([policy.policy], { stopsAtRefusal: true }), property, place).counterExample).toBe(null)
})

test.each([[[]], [ALL_STACKS]])('the first tests of a project pass (%j)', async stacks => {
  writeFileSync(join(drafts, 'genesis.key'), renderPolicy(stacks))
  writeFileSync(join(drafts, 'genesis.test.yaml'), renderCases())
  const { errors, results } = await testPolicy(join(drafts, 'genesis.test.yaml'), { mutate: false })
  expect([errors, results.flatMap(({ failures }) => failures)]).toEqual([[], []])
  expect(results.length).toBeGreaterThan(8)
  expect(await brokenNever(join(drafts, 'genesis.test.yaml'))).toEqual({ broken: [], lines: 4 })
})
