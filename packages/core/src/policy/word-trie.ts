// Finds the patterns that can match a sequence of words without looking at the others: a trie over the literal words a
// pattern begins with, and in each node a table of what its next word begins with.
// Invariant: every pattern that matches is visited; visited patterns may still not match.

export interface TrieKey {
  /** Literal words that the sequence must begin with. */
  readonly words: readonly string[]
  /** What the next word must begin with; '' when nothing is known of it. */
  readonly partial: string
}

/** Return true to stop. `depth`: how many words were used up. */
export type Visit<Value> = (value: Value, depth: number) => boolean

export class WordTrie<Value> {
  readonly #root: Node<Value> = createNode()

  add(key: TrieKey, value: Value): void {
    let node = this.#root
    for (const word of key.words) node = childOf(node, word)
    if (key.partial === '') {
      if (node.values === null) node.values = [value]
      else node.values.push(value)
      return
    }
    const partials: Partials<Value> = node.partials ?? { lengths: [], byText: new Map() }
    node.partials = partials
    const same = partials.byText.get(key.partial)
    if (same !== undefined) {
      same.push(value)
      return
    }
    partials.byText.set(key.partial, [value])
    if (!partials.lengths.includes(key.partial.length)) partials.lengths.push(key.partial.length)
  }

  isEmpty(): boolean {
    const { values, child, children, partials } = this.#root
    return values === null && child === null && children === null && partials === null
  }

  /** Can anything match a sequence that begins with this word? */
  reaches(first: string): boolean {
    const { values, partials } = this.#root
    return values !== null || partials !== null || findChild(this.#root, first) !== undefined
  }

  /** Patterns that match for certain as far as the words are known; `next` is what the first unknown word begins with. */
  visit(words: readonly string[], visit: Visit<Value>, next = ''): boolean {
    let node: Node<Value> | undefined = this.#root
    for (let depth = 0; ; depth++) {
      if (node.values !== null && visitAll(node.values, depth, visit)) return true
      const word = words[depth]
      if (word === undefined) return next !== '' && node.partials !== null && visitPartials(node.partials, next, depth, visit)
      if (node.partials !== null && visitPartials(node.partials, word, depth, visit)) return true
      node = findChild(node, word)
      if (node === undefined) return false
    }
  }

  /** Patterns that can match for some value of the words after `known`. */
  visitOpen(known: readonly string[], visit: Visit<Value>): boolean {
    let node: Node<Value> | undefined = this.#root
    for (const [depth, word] of known.entries()) {
      if (node.values !== null && visitAll(node.values, depth, visit)) return true
      if (node.partials !== null && visitPartials(node.partials, word, depth, visit)) return true
      node = findChild(node, word)
      if (node === undefined) return false
    }
    return visitBelow(node, known.length, visit)
  }
}

/** Most nodes have one child, which needs no map: there may be a hundred thousand of them. */
interface Node<Value> {
  values: Value[] | null
  word: string | null
  child: Node<Value> | null
  /** Where there are several; the one above is among them then. */
  children: Map<string, Node<Value>> | null
  partials: Partials<Value> | null
}

interface Partials<Value> {
  readonly lengths: number[]
  readonly byText: Map<string, Value[]>
}

function createNode<Value>(): Node<Value> {
  return { values: null, word: null, child: null, children: null, partials: null }
}

function findChild<Value>({ word, child, children }: Node<Value>, wanted: string): Node<Value> | undefined {
  if (children !== null) return children.get(wanted)
  return child !== null && word === wanted ? child : undefined
}

function childOf<Value>(node: Node<Value>, word: string): Node<Value> {
  const known = findChild(node, word)
  if (known !== undefined) return known
  const made = createNode<Value>()
  if (node.child === null || node.word === null) {
    node.word = word
    node.child = made
  } else {
    node.children ??= new Map([[node.word, node.child]])
    node.children.set(word, made)
  }
  return made
}

function visitAll<Value>(values: readonly Value[], depth: number, visit: Visit<Value>): boolean {
  for (const value of values) if (visit(value, depth)) return true
  return false
}

function visitPartials<Value>(partials: Partials<Value>, word: string, depth: number, visit: Visit<Value>): boolean {
  for (const length of partials.lengths) {
    if (length > word.length) continue
    const found = partials.byText.get(length === word.length ? word : word.slice(0, length))
    if (found !== undefined && visitAll(found, depth, visit)) return true
  }
  return false
}

function visitBelow<Value>(node: Node<Value>, depth: number, visit: Visit<Value>): boolean {
  if (node.values !== null && visitAll(node.values, depth, visit)) return true
  for (const values of node.partials?.byText.values() ?? []) if (visitAll(values, depth, visit)) return true
  if (node.children === null) return node.child !== null && visitBelow(node.child, depth + 1, visit)
  for (const child of node.children.values()) if (visitBelow(child, depth + 1, visit)) return true
  return false
}
