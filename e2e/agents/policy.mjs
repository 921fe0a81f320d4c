// The policies that the agents run under.

export const DENY_ONLY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      deny:
        - rule: "Bash(touch denied *)"
          message: "REASON-OF-DENY"
`

export const ASK_ONLY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*": { ask: ["Bash(touch asked *)"] }
`

/** A full window lets only handing over through. */
export const HAND_OVER = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*": { deny: ["Bash(touch denied *)"] }
guards:
  - id: hand-over
    trigger: { type: contextThreshold, condition: "session.context_usage >= 0.9" }
    text: Hand your work over first.
    urgency: block
    whitelist: ["Bash(belay dehydrate *)"]
`

export const STOP_ALWAYS = `version: "2.0"
hooks:
  stop:
    - type: deny
      config: { reason: "GO-ON-PLEASE" }
`

/** Rules about the proxy's own actor only: the agent's hooks have nothing to say. */
export const BEHIND_PROXY = `version: "2.0"
hooks:
  pre_tool_use:
    - matcher: "mcp__demo__rename"
      type: modify
      condition: 'actor.id == "agent:proxied"'
      config: { set: { "/name": "changed" } }
permissions:
  default: none
  actors:
    "agent:proxied":
      deny:
        - mcp__demo__erase
        - { rule: "mcp__demo__send(to:evil*)", message: "REASON-OF-PROXY" }
`

/** Only one MCP tool may run, and a hook keeps it from one thing. */
export const BY_NAME = `version: "2.0"
hooks:
  pre_tool_use:
    - matcher: "mcp__demo__send"
      type: deny
      condition: 'event.input.to == "foe"'
      config: { reason: "REASON-OF-HOOK" }
permissions:
  default: deny
  actors:
    "agent:*":
      allow: ["mcp__demo__send"]
`
