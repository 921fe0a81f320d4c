// Parts of policies that several tests use.

/** The end of a policy: more rules of `deny` may follow. */
export const NO_PUSH = `permissions:
  default: allow
  actors:
    "*":
      deny:
        - rule: Bash(git push:*)
          id: no-push
          message: Pushing is for people
`

/** The beginning of one. */
export const SLOW_AND_BROKEN = `version: "2.0"
hooks:
  pre_tool_use:
    - matcher: "Bash(slow*)"
      name: slow-check
      type: command
      config: { command: "sleep 0.1" }
      fail: open
    - matcher: "Bash(broken*)"
      name: broken-check
      type: command
      config: { command: "echo kaboom >&2; exit 3" }
      fail: open
`
