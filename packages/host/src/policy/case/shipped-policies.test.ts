// Every policy that Belay ships has tests that find nearly every small fault of it; so has the first policy of a project.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { renderPolicy } from '../../config/genesis-template.ts'
import { ALL_STACKS } from '../../config/project-stack.ts'
import { IMAGINED_ROOT, imaginedGuard } from '../imagined-guard.ts'
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

test.each(policies)('%s: its never lines hold', async name => {
  const read = await readCaseFile(join(folder, name.replace(/key$/, 'test.yaml')))
  const policy = readPolicy(join(folder, name))
  if (!read.ok || !policy.ok) throw new Error('the policy or its tests do not parse')
  const guard = imaginedGuard([policy.policy])
  const broken = read.file.never.flatMap(({ property, actor }) => {
    const found = readProperty(property)
    const proof = found.ok ? proveProperty(guard, found, { actor, depth: 1, cwd: IMAGINED_ROOT }) : null
    return proof?.counterExample === null ? [] : [[property, actor, proof?.counterExample.call.input]]
  })
  expect(broken).toEqual([])
  expect(read.file.never.length).toBeGreaterThan(4)
})

test.each([[[]], [ALL_STACKS]])('the first tests of a project pass (%j)', async stacks => {
  writeFileSync(join(drafts, 'genesis.key'), renderPolicy(stacks))
  writeFileSync(join(drafts, 'genesis.test.yaml'), renderCases())
  const { errors, results } = await testPolicy(join(drafts, 'genesis.test.yaml'), { mutate: false })
  expect([errors, results.flatMap(({ failures }) => failures)]).toEqual([[], []])
  expect(results.length).toBeGreaterThan(8)
})
