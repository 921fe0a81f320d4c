import { expect, test } from 'vitest'
import { runDecideBatch } from './decide.ts'

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts
}

function line(id: number, command: string): string {
  return JSON.stringify({ id, tool: 'Bash', input: { command }, allow: ['Bash(git *)'], deny: ['Bash(git push *)'] })
}

test('one answer a line, in order, however the input is cut', async () => {
  const input = `${line(1, 'git status')}\n${line(2, 'git push')}\r\n\nnot json\n${line(3, 'ls')}`
  const answers: { id: unknown; decision: string }[] = []
  await runDecideBatch(pieces(input.slice(0, 7), input.slice(7, 150), input.slice(150)), text => answers.push(JSON.parse(text)))
  expect(answers.map(({ id, decision }) => [id, decision])).toEqual([
    [1, 'allow'],
    [2, 'deny'],
    [null, 'deny'],
    [3, 'ask'],
  ])
})

test('an answer comes before the next line is there', async () => {
  const answers: string[] = []
  async function* slow(): AsyncGenerator<string> {
    yield `${line(1, 'git status')}\n`
    expect(answers).toHaveLength(1)
    yield `${line(2, 'ls')}\n`
  }
  await runDecideBatch(slow(), text => answers.push(text))
  expect(answers).toHaveLength(2)
})
