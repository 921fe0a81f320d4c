// The order of the folders in each package: a folder imports only what stands before it. What shares a line does not import each other.
// `npm run graph` holds the code to it, `npm run graph -- --write` writes it into biome.json as rules of the linter.
export const LAYERS = {
  core: {
    // Types count too: one circle of types between folders is a circle that a reader walks.
    typesToo: true,
    order: [
      ['value'],
      ['verdict', 'ledger'],
      ['hook', 'team'],
      ['event'],
      ['agent'],
      ['match'],
      ['policy', 'registry', 'guardrail', 'adapter'],
      ['dialect'],
      ['handler'],
      ['engine'],
      ['host'],
      ['index.ts'],
    ],
  },
  host: {
    typesToo: false,
    order: [
      ['disk'],
      ['wire'],
      ['config'],
      ['terminal', 'agent', 'evidence', 'llm', 'suggestion', 'guardrail'],
      ['install', 'supervisor'],
      ['guard'],
      ['store'],
      ['ledger'],
      ['state', 'approval', 'commitment', 'fleet', 'feed', 'team'],
      ['page', 'validation'],
      ['statistic'],
      ['policy'],
      ['decision'],
      ['rpc'],
      ['http'],
      ['method'],
      ['dashboard'],
      ['shim', 'mcp'],
      ['mcp-proxy', 'daemon'],
      ['conform'],
      ['doctor'],
      ['command'],
      ['demo', 'cli.ts'],
    ],
  },
  hub: {
    typesToo: true,
    order: [
      ['config', 'database'],
      ['chain'],
      ['act'],
      ['people'],
      ['machine'],
      ['bundle', 'approval', 'fleet'],
      ['upload', 'witness'],
      ['http'],
      ['page', 'demo'],
      ['command'],
      ['cli.ts'],
    ],
  },
  dashboard: {
    typesToo: true,
    order: [
      ['daemon', 'part', 'theme.css'],
      ['frame'],
      ['approvals', 'live', 'overview'],
      ['fleet'],
      ['inspector', 'ledger', 'policy'],
      ['app.tsx', 'hub'],
      ['main.tsx', 'hub.tsx'],
    ],
  },
}

/** What a folder must not import: itself left out, all that does not stand before it. */
export function forbiddenFor(order, folder) {
  const at = order.findIndex(layer => layer.includes(folder))
  return order
    .slice(at)
    .flat()
    .filter(other => other !== folder)
}
