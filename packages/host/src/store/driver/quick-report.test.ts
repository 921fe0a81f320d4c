import { expect, test } from 'vitest'
import { withQuickReport } from './quick-report.ts'

test('while it lasts the report tells the C library as the whole one does, and afterwards it is whole again', async () => {
  const whole = process.report?.getReport() as { readonly header: Readonly<Record<string, unknown>> }
  const quick = await withQuickReport(async () => process.report?.getReport() as { readonly header: Readonly<Record<string, unknown>> })
  expect('glibcVersionRuntime' in quick.header).toBe('glibcVersionRuntime' in whole.header)
  expect(Object.keys(process.report?.getReport() ?? {})).toEqual(Object.keys(whole))
})

test('a load that fails leaves the report whole', async () => {
  const before = process.report?.getReport
  await expect(withQuickReport(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(process.report?.getReport).toBe(before)
})
