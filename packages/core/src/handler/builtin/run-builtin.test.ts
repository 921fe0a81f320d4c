import { describe, expect, it } from 'vitest'
import type { BuiltinName } from '../../hook/hook-definition.ts'
import { deny } from '../../verdict/verdict.ts'
import { makeEvent } from '../fixtures/make-event.ts'
import { resultOf, runBuiltinHook } from '../fixtures/run-builtin-hook.ts'
import type { Config } from './config-value.ts'
import { validateBuiltinConfig } from './run-builtin.ts'

const bash = (command: string) => makeEvent({ fields: { toolName: 'Bash', toolInput: { command, timeout: 5 } } })

describe('deny', () => {
  it.each([
    [{ reason: 'Environment files are protected' }, 'Environment files are protected'],
    [{}, 'denied by policy'],
  ])('%j', async (config, reason) => {
    expect(await resultOf('deny', config, bash('ls'))).toEqual({ verdict: deny(reason) })
  })
})

describe('configs that are wrong', () => {
  it.each<[BuiltinName, Config, object[]]>([
    ['deny', { reson: 'x' }, [{ path: ['reson'], message: '`config.reson` is not a known key', remedy: 'did you mean reason?' }]],
    ['deny', { reason: 7 }, [{ path: ['reason'], message: '`config.reason` must be a text' }]],
    [
      'genesis_enforcement',
      { strict: true },
      [{ path: ['strict'], message: '`config.strict` is not a known key', remedy: 'leave it out: there is nothing to set' }],
    ],
    ['modify', {}, [{ path: [], message: '`config` changes nothing', remedy: 'give it set, remove, replace or template' }]],
    [
      'modify',
      { set: { command: 1 } },
      [{ path: ['set'], message: '`config.set` has "command", which is not a JSON pointer', remedy: 'write /command or /a/0/b' }],
    ],
    [
      'modify',
      { template: { '/a': '{{b}}' } },
      [
        {
          path: ['template', '/a'],
          message: '`config.template./a` has {{b}}, which is not a JSON pointer',
          remedy: 'write {{/tool_input/command}}',
        },
      ],
    ],
    [
      'modify',
      { target: 'outptu', set: { '/a': 1 } },
      [{ path: ['target'], message: '`config.target` is "outptu"', remedy: 'did you mean output?' }],
    ],
    [
      'resource_check',
      {},
      [{ path: [], message: '`config` checks nothing', remedy: 'give it min_free_disk, max_load, max_file_size, max_file_count' }],
    ],
    [
      'resource_check',
      { min_free_disk: '10 potatoes' },
      [{ path: ['min_free_disk'], message: '`config.min_free_disk` must be a size such as 500MB or a number of bytes' }],
    ],
    [
      'resource_check',
      { max_file_count: 1.5 },
      [{ path: ['max_file_count'], message: '`config.max_file_count` must be a whole number, 0 or more' }],
    ],
    ['approval_gate', { approvers: 'human:a' }, [{ path: ['approvers'], message: '`config.approvers` must be a list of texts' }]],
    [
      'final_validation',
      { mentu: { commitments: { min_cout: 1 } } },
      [
        {
          path: ['mentu', 'commitments', 'min_cout'],
          message: '`config.mentu.commitments.min_cout` is not a known key',
          remedy: 'did you mean min_count?',
        },
      ],
    ],
    ['final_validation', { checks: { tsc: 'yes' } }, [{ path: ['checks', 'tsc'], message: '`config.checks.tsc` must be true or false' }]],
    ['ledger_annotation', {}, [{ path: [], message: '`config` notes nothing', remedy: 'give it a text or tags' }]],
    [
      'format_output',
      { fields: ['stdout'] },
      [{ path: ['fields'], message: '`config.fields` has "stdout", which is not a JSON pointer', remedy: 'write /stdout' }],
    ],
  ])('%s %j', (builtin, config, problems) => {
    expect(validateBuiltinConfig(builtin, config)).toEqual(problems)
  })

  it('do not run', async () => {
    expect(await runBuiltinHook('deny', { reson: 'x' }, bash('ls'))).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HANDLER_BAD_CONFIG',
      why: expect.stringContaining('reson'),
    })
  })
})
