// `[[ ... ]]`: commands in its words, and operands that arithmetic reads.
import type { Word as SyntaxWord, TestExpression } from 'unbash'
import { expandWord } from './expand-word.ts'
import { MAX_NESTING } from './limits.ts'
import { holdsLoadedSubscript, runSubscript } from './loaded-subscript.ts'
import { type Place, report, type Walk } from './walk.ts'
import { runWordParts } from './walk-parts.ts'

const ARITHMETIC_TESTS = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-v'])

export function runTest(walk: Walk, node: TestExpression, place: Place): void {
  if (place.depth > MAX_NESTING) {
    report(walk, 'refused', 'is nested more than 200 deep', { start: node.pos, end: node.end })
    return
  }
  const inner = { ...place, depth: place.depth + 1 }
  switch (node.type) {
    case 'TestUnary':
      runTestWord(walk, node.operand, node.operator, place)
      return
    case 'TestBinary':
      runTestWord(walk, node.left, node.operator, place)
      runTestWord(walk, node.right, node.operator, place)
      return
    case 'TestLogical':
      for (const operand of node.operands) runTest(walk, operand, inner)
      return
    case 'TestNot':
      runTest(walk, node.operand, inner)
      return
    case 'TestGroup':
      runTest(walk, node.expression, inner)
      return
  }
}

function runTestWord(walk: Walk, word: SyntaxWord, operator: string, place: Place): void {
  runWordParts(walk, word, place)
  if (!ARITHMETIC_TESTS.has(operator)) return
  walk.arithmeticVariable = true
  const text = expandWord(walk, word, place.scope)[0]?.value ?? ''
  if (holdsLoadedSubscript(text)) runSubscript(walk, text, operator, { span: { start: word.pos, end: word.end }, place })
}
