// Questions about the way through a script.
import type { PipelineNode } from 'unbash'
import type { Scope } from './walk.ts'

/** Whether nothing after this runs in the same list (`cd x || exit 1`). */
export function leaves(node: PipelineNode): boolean {
  if (node.type === 'BraceGroup') {
    const last = node.body.commands.at(-1)?.command
    return last !== undefined && last.type !== 'AndOr' && leaves(last)
  }
  return node.type === 'Command' && (node.name?.value === 'exit' || node.name?.value === 'return')
}

export function sameBases(left: Scope['bases'], right: Scope['bases']): boolean {
  return left === right || (left !== null && right !== null && left.length === right.length && left.every(base => right.includes(base)))
}
