// How each guardrail is switched on: what `guardrails explain` shows, and what `guardrails try` uses where the policy says nothing.
import type { GuardrailName } from '@belay/core'

export const GUARDRAIL_EXAMPLES: Readonly<Record<GuardrailName, string>> = {
  schema_guard: `schema_guard:
  mode: strict                      # strict, guide (advice only), off
  tools:
    Write:                          # a tool's name; may hold *
      required: [file_path, content]
      content_min_length: 20        # or {field: length}
      example: { file_path: notes.md, content: "What was found, and where" }
    mcp__mail__send:
      required_any: [[to, cc], [text, html]]
    mcp__count__add:
      schema: { type: object, required: [n], properties: { n: { type: integer } } }
`,
  schema_nudge: `schema_nudge: {}                    # knows the tools of schema_guard; or give it tools of its own
`,
  failure_hints: `failure_hints:
  repeats: 3                        # the same failure so often: change course
  hints:
    - { tool: Bash, pattern: "ECONNREFUSED.*5432", hint: "Start the database: docker compose up -d db" }
`,
  side_effects: `side_effects:
  ask: [external]                   # external, memory, local, read_only
  deny: []
  rules:
    - { tool: "mcp__crm__*", class: external }
`,
  tool_ledger: `tool_ledger:
  namespace: default
  receipt_length: 8000
  volatile: [request_id]            # fields that do not make a call another one
  rules:                            # default: external calls happen once
    - { id: deploy, tool: "Bash(make deploy *)", class: external, policy: REPLAY_EXACT }
    - { tool: "mcp__poll__*", policy: RELAUNCH }
`,
  artifacts: `artifacts:
  retries: 2
  expect:
    - agent: writer                 # type of sub-agent; may hold *
      files: ["reports/*.md"]
      fresh: true
      min_size: 200
      headings: [Summary, Sources]
      cleanup: ["reports/tmp-*"]
      next: "read the report and decide"
`,
  stop_harness: `stop_harness:
  objective: all tests pass and the changelog is written
  promise: ALL TESTS PASS           # the agent ends with <promise>ALL TESTS PASS</promise>
  max_iterations: 10
  verify: ["npm test"]              # before the promise counts
  host_cap: 8                       # how often the agent lets a stop be refused
`,
  skill_discovery: `skill_discovery:
  budget: 6000                      # characters
  most: 2                           # skills at once
  min_score: 10
`,
}
