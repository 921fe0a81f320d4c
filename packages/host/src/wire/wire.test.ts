import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLineReader, type Line } from './line-reader.ts'
import { formatShimAnswer, formatShimBusy, parseShimFrame } from './shim-frame.ts'

describe('frames', () => {
  test('names come from the fields and from the variables of the hook process; of these only what a hook call may say', () => {
    const env =
      '{"AGENT_ID":"pane-1","BELAY_ACTOR":"agent:x","N":1,"NODE_OPTIONS":"-r x","LD_PRELOAD":"x","BELAY_AGENT_SECRET":"s","X_PROJECT_DIR":"/x"}'
    const line = `{"agent":"codex","event":"Stop","payload":{},"env":${env},"actor":"agent:y","secret":"bas_1","host":"pi","deadline-ms":500}`
    expect(parseShimFrame(line)).toEqual({
      ok: true,
      frame: {
        agent: 'codex',
        event: 'Stop',
        payload: {},
        env: { AGENT_ID: 'pane-1', BELAY_ACTOR: 'agent:x', X_PROJECT_DIR: '/x' },
        cwd: null,
        attended: false,
        agentId: 'pane-1',
        commitment: null,
        names: ['agent:y', 'agent:x'],
        secret: 'bas_1',
        host: null,
        parentPid: null,
        path: null,
        eventId: null,
        deadlineMs: 500,
      },
    })
  })

  test.each([
    ['[]', 'a frame is a JSON object'],
    ['{"agent":"codex"}', 'a frame names its agent and its event'],
    ['{"agent":"a","event":"b","payload":[]}', 'the payload of a frame is a JSON object'],
    ['{"agent":"a","agent":"b"}', 'the key "agent" stands twice in one object (at character 13)'],
  ])('%s', (line, problem) => {
    expect(parseShimFrame(line)).toEqual({ ok: false, problem })
  })

  test('an answer is one line whose fields stand in the order the native client reads', () => {
    expect(formatShimAnswer({ exit: 2, stdout: 'a\nb', stderr: '"' })).toBe('{"exit":2,"stdout":"a\\nb","stderr":"\\""}\n')
    expect(formatShimBusy('later')).toBe('{"busy":"later"}\n')
  })
})

describe('lines', () => {
  const texts = (lines: readonly Line[]) => lines.map(line => (line.kind === 'line' ? line.text : line.kind))

  test('the cut of the chunks never changes the lines', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (parts, sizes) => {
        const wanted = parts.map(part => part.replaceAll('\n', ' '))
        const bytes = Buffer.from(wanted.map(part => `${part}\n`).join(''))
        const reader = createLineReader(10_000)
        const got: Line[] = []
        for (let at = 0; at < bytes.length; ) {
          const size = sizes.next().value
          got.push(...reader.push(bytes.subarray(at, at + size)))
          at += size
        }
        expect(texts(got)).toEqual(wanted.map(part => Buffer.from(part).toString()))
      }),
    )
  })

  test('a line over the cap and bytes that are no UTF-8 are named', () => {
    expect(texts(createLineReader(4).push(Buffer.from('abcdef')))).toEqual(['too-long'])
    const reader = createLineReader(4)
    expect(['abc', 'def', 'gh\nij\n'].flatMap(piece => texts(reader.push(Buffer.from(piece))))).toEqual(['too-long', 'ij'])
    expect(texts(createLineReader(4).push(Buffer.from([0xff, 10, 97, 10])))).toEqual(['not-utf8', 'a'])
  })
})
