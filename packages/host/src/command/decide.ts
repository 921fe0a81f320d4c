// `belay decide --batch`: one JSON object a line in, one decision a line out, in the same order. Nothing runs.
import { decideBatchLine } from '@belay/core/policy'

/** `input` comes in pieces of any size; a line is answered as soon as it is complete. Blank lines are not requests. */
export async function runDecideBatch(input: AsyncIterable<string>, write: (line: string) => void): Promise<void> {
  let rest = ''
  for await (const piece of input) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) answerLine(line, write)
  }
  answerLine(rest, write)
}

function answerLine(line: string, write: (line: string) => void): void {
  if (line.trim() !== '') write(decideBatchLine(line))
}
