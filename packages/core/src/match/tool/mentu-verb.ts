// Belay's own verbs as its MCP server offers them. A rule or matcher for `mentu_commit` is about the verb, whichever way it is called.

const VERBS = new Set(
  'capture commit claim release annotate evidence submit approve reject reopen dismiss close link triage commitments show'
    .split(' ')
    .map(verb => `mentu_${verb}`),
)
const BY_MCP = /^mcp__(?:belay|mentu)__(mentu_\w+)$/

/** Null: it is none of them, or called by its own name already. */
export function mentuVerb(tool: string): string | null {
  return BY_MCP.exec(tool)?.[1] ?? null
}

/** Under either name. Their inputs are ids and remarks: nothing in them is run, read or written. */
export function isMentuVerb(tool: string): boolean {
  return VERBS.has(mentuVerb(tool) ?? tool)
}
