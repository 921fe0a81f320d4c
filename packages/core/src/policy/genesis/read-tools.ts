// `tools`: what tools of agents and MCP servers are that nobody described, by their own names.
import { TOOL_NAMES, toolFamily } from '../../match/tool/tool-family.ts'
import { declaredTool, TOOL_KINDS } from '../../match/tool/tool-kind.ts'
import type { NamedTool } from './genesis-policy.ts'
import { suggestRemedy } from './suggest.ts'
import { isMapNode, isNothing, readData, readFields } from './yaml-read.ts'
import { describeNode, type Node, placeOf, report, type YamlSource } from './yaml-source.ts'

const EXAMPLE = 'write the name of the tool and what it is, like `run_in_box: shell`'

export function readTools(source: YamlSource, node: Node): readonly NamedTool[] {
  if (isNothing(node)) return []
  if (!isMapNode(source, node)) {
    report(source, node, `\`tools\` must be a mapping, found ${describeNode(node)}`, EXAMPLE)
    return []
  }
  const fields = readFields(source, node, '`tools`')
  return [...(fields?.values() ?? [])].flatMap(({ key, keyNode, value }) => {
    const said = readData(source, value, `\`tools.${key}\``)
    const as = typeof said === 'string' ? declaredTool(said) : null
    if (toolFamily(key) !== null)
      return report(source, keyNode, `\`${key}\` is known: what it is cannot be changed`, 'remove this line') ?? []
    if (/[*?\s]/.test(key))
      return report(source, keyNode, `\`${key}\` is not the name of one tool`, 'name each tool, without wildcards') ?? []
    if (as === null) {
      const names = [...TOOL_KINDS, ...TOOL_NAMES]
      const remedy = typeof said === 'string' ? suggestRemedy(said, names) : EXAMPLE
      return report(source, value, `${describeNode(value)} is neither a kind (${TOOL_KINDS.join(', ')}) nor a known tool`, remedy) ?? []
    }
    return [{ name: key, as, place: placeOf(source, keyNode) }]
  })
}
