import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { takePrints } from './file-prints.ts'

const root = mkdtempSync(join(tmpdir(), 'belay-prints-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** What was written before is older than a tick after this. */
const settle = () => sleep(50)

const CHANGES: readonly (readonly [string, (folder: string) => void])[] = [
  ['written in place, same length', folder => writeFileSync(join(folder, 'there'), 'bbb')],
  ['another file moved over it', folder => renameSync(join(folder, 'other'), join(folder, 'there'))],
  ['written under another name of it', folder => writeFileSync(join(folder, 'hard'), 'bbb')],
  ['removed', folder => rmSync(join(folder, 'there'))],
  ['one that was not there is made', folder => writeFileSync(join(folder, 'absent'), '')],
  [
    'one deep below what was not there is made',
    folder => {
      mkdirSync(join(folder, 'deep', 'er'), { recursive: true })
      writeFileSync(join(folder, 'deep', 'er', 'absent'), '')
    },
  ],
  [
    'its folder is replaced',
    folder => {
      renameSync(folder, `${folder}-away`)
      mkdirSync(folder)
      writeFileSync(join(folder, 'there'), 'aaa')
    },
  ],
  [
    'its folder leads elsewhere',
    folder => {
      renameSync(folder, `${folder}-away`)
      symlinkSync(root, folder)
    },
  ],
]

test.each(CHANGES)('%s: seen', async (title, change) => {
  const folder = join(root, title.replaceAll(' ', '-'))
  mkdirSync(folder)
  for (const name of ['there', 'other']) writeFileSync(join(folder, name), 'aaa')
  linkSync(join(folder, 'there'), join(folder, 'hard'))
  await settle()
  const prints = takePrints(['there', 'absent', 'deep/er/absent'].map(name => join(folder, name)))
  expect(prints.areSame()).toBe(true)
  change(folder)
  expect(prints.areSame()).toBe(false)
})

test('what a link leads to appears elsewhere: seen', async () => {
  const folder = join(root, 'links')
  mkdirSync(folder)
  symlinkSync(join(root, 'appears'), join(folder, 'link'))
  symlinkSync('loop', join(folder, 'loop'))
  await settle()
  const prints = takePrints(['link', 'loop'].map(name => join(folder, name)))
  expect(prints.areSame()).toBe(true)
  writeFileSync(join(root, 'appears'), '')
  expect(prints.areSame()).toBe(false)
})

test('what appears beside them changes nothing', async () => {
  const folder = join(root, 'beside')
  mkdirSync(folder)
  writeFileSync(join(folder, 'there'), 'aaa')
  await settle()
  const prints = takePrints([join(folder, 'there'), join(folder, 'absent')])
  writeFileSync(join(folder, 'new'), '')
  expect(prints.areSame()).toBe(true)
  await settle()
  expect(prints.areSame()).toBe(true)
})

test('what was written just before is read again until a tick is over', async () => {
  const file = join(root, 'just')
  writeFileSync(file, 'aaa')
  expect(takePrints([file]).areSame()).toBe(false)
  await settle()
  expect(takePrints([file]).areSame()).toBe(true)
})
