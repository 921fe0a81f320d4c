// A text that counts how often it is looked at. The parser calls nothing but these methods, so that it reads one like any other string.
import type { Meter } from './meter.ts'

/** Looked through at once, a character costs this much less than when it is asked for alone. */
const SEARCH_GAIN = 8

/** Each of these may begin a command or a redirection, of which the parser makes a tree: thousands of empty ones take longer than their text. */
const OPERATORS = ';|&<>()\n'
const OPERATOR_WORK = 8
const LOOK_WORK = Uint8Array.from({ length: 128 }, (_, code) => (OPERATORS.includes(String.fromCharCode(code)) ? OPERATOR_WORK : 1))

type MakeText = (text: string, meter: Meter) => object

let makeText: MakeText | null = null

/** Typed as what it stands for: `Object` hands back the object it is given. */
export function meteredText(text: string, meter: Meter): string {
  makeText ??= defineText()
  return Object(makeText(text, meter))
}

/**
 * Not before a long text comes: from the moment that a class extends String, V8 finds the methods of every string of the process half as fast,
 * until some thousand looks at such an object later.
 */
function defineText(): MakeText {
  class MeteredText extends String {
    readonly #text: string
    readonly #meter: Meter

    constructor(text: string, meter: Meter) {
      super(text)
      this.#text = text
      this.#meter = meter
    }

    override charCodeAt(index: number): number {
      const code = this.#text.charCodeAt(index)
      this.#meter.spend(LOOK_WORK[code] ?? 1)
      return code
    }

    /** What is cut out is mostly looked through afterwards. */
    override slice(start?: number, end?: number): string {
      const part = this.#text.slice(start, end)
      this.#meter.spend(1 + part.length)
      return part
    }

    override startsWith(part: string, position?: number): boolean {
      this.#meter.spend(1 + part.length)
      return this.#text.startsWith(part, position)
    }

    override indexOf(part: string, position = 0): number {
      const found = this.#text.indexOf(part, position)
      this.#meter.spend(searchWork((found < 0 ? this.#text.length : found) - position))
      return found
    }

    override lastIndexOf(part: string, position = this.#text.length): number {
      const found = this.#text.lastIndexOf(part, position)
      this.#meter.spend(searchWork(position - found))
      return found
    }
  }
  return (text, meter) => new MeteredText(text, meter)
}

function searchWork(characters: number): number {
  return 1 + Math.max(0, characters) / SEARCH_GAIN
}
