// Text that is made to be slow. What is asserted is work, which is counted, not time, which depends on the machine: the parser looks at no
// character without counting it, and whatever the text, the count ends where it must.
import { parse } from 'unbash'
import { expect, test } from 'vitest'
import { analyzeCommand } from './analyze-command.ts'
import { makeRandom, randomScript } from './fixtures/random-script.ts'
import { randomWorst, writeWorst } from './fixtures/worst-text.ts'
import { MAX_WORK, Meter } from './meter.ts'
import { meteredText } from './metered-text.ts'

const context = { root: '/repo', cwd: '/repo', home: '/home/dev' }
const RUNS = Number(process.env.BELAY_FUZZ ?? 40)
const seed = Number(process.env.BELAY_FUZZ_SEED ?? Date.now() % 1_000_000)
const TOO_LONG = 'takes too long to read'

function workOf(command: string): { work: number; refusal: string | undefined } {
  const meter = new Meter()
  const { problems } = analyzeCommand(command, context, meter)
  return { work: meter.spent, refusal: problems.find(problem => problem.kind === 'refused')?.message }
}

function fill(piece: string, size = 60_000): string {
  return piece.repeat(Math.ceil(size / piece.length))
}

test(`no text takes more work than there is (seed ${seed})`, () => {
  const random = makeRandom(seed)
  for (let run = 0; run < RUNS; run++) {
    const text = randomWorst(random)
    const { work, refusal } = workOf(writeWorst(text))
    // The last piece of work, which no longer fits, is at most one command of nothing but short words that may be anything.
    expect(work, JSON.stringify(text)).toBeLessThan(MAX_WORK + 70_000 * 256)
    expect(work > MAX_WORK && refusal !== TOO_LONG, JSON.stringify(text)).toBe(false)
  }
})

test(`the parser reads text that counts its looks like any other (seed ${seed})`, () => {
  const random = makeRandom(seed)
  for (let run = 0; run < RUNS; run++) {
    for (const text of [randomScript(random, 2), writeWorst({ ...randomWorst(random), size: 300 })]) {
      const meter = new Meter()
      expect(JSON.stringify(parse(meteredText(text, meter))), text).toBe(JSON.stringify(parse(text)))
      expect(meter.spent).toBeGreaterThanOrEqual(text.trim() === '' ? 0 : 1)
    }
  }
})

const endless: readonly string[] = [
  fill('$['),
  `ls ${fill('{')}`,
  fill('*/'),
  `a='${fill('x', 30_000)}';ls ${fill('$a ', 3000)}`,
  `rsync ${fill('../a[1]=')}`,
  `ls \`${fill('[[=${a:-\\x41')}`,
]

test.each(endless.map(text => [text.slice(0, 12), text] as const))('%s... is refused, not read to its end', (_, text) => {
  expect(workOf(text).refusal).toBe(TOO_LONG)
})

const harmless: Readonly<Record<string, (size: number) => string>> = {
  'text in a here-document': size =>
    `cat > notes.md <<'EOF'\n${fill("It's a line (of text) with [brackets] and {braces}, $5 and `code`.\n", size)}EOF\n`,
  'text in an open here-document': size =>
    `cat > notes.md <<EOF\n${fill("It's a line (of text) with [brackets] and {braces}: $HOME.\n", size)}EOF\n`,
  'code in a here-document': size => `cat > a.ts <<'EOF'\n${fill('const x = [1, { a: f(2) }] // ${y}\n', size)}EOF\nnpm test`,
  'a commit message': size => `git commit -m "${fill("Fix the parser (again): it's [much] better {now}\n", size)}"`,
  'a JSON body': size => `curl -d '${fill('{"a": [1, 2, {"b": "c"}], "d": null},', size)}' https://x.test/`,
  'a JSON body in double quotes': size => `curl -d "${fill('{\\"a\\": [1, 2], \\"b\\": $B},', size / 4)}" https://x.test/`,
  'a program for python': size => `python3 - <<'EOF'\n${fill('print([x for x in range(10) if x > 3])\n', size)}EOF`,
  'many files': size => `git add ${fill('src/some/folder/file.test.ts ', size)}`,
  'escapes in backticks': size => fill("v=`echo \\$HOME | sed 's/a/b/'`\n", size / 5),
  'a script': size => fill('if [ -f "$HOME/.config" ]; then echo "$(cat x | head -n 1)"; fi\n', size / 4),
}

test.each(Object.entries(harmless))('%s of 60 KB is read, and twice the text takes about twice the work', (_, write) => {
  const [half, whole] = [workOf(write(30_000)), workOf(write(60_000))]
  expect([half.refusal, whole.refusal]).toEqual([undefined, undefined])
  expect(whole.work / half.work).toBeLessThan(2.5)
})
