// The text of a first test file, for the policy that `belay genesis init` writes.

export function renderCases(): string {
  return `# yaml-language-server: $schema=schema/test.json
# Tests of the policy beside this file. Run them with: belay policy test
# With --mutate it says which rules no test would miss. How to write them: docs/guide/policy-tests.md
# What no call may do, whatever its spelling. Search for one with: belay policy prove
never:
  - Bash(rm -rf *)
  - Bash(git push --force *)
  - Write(.env*)
  - "Read(~/.ssh/**)"

tests:
  - name: nothing is deleted with force
    calls: [Bash(rm -rf build), Bash(cd /tmp && rm -fr x)]
    expect: deny
    rule: Bash(rm -rf *)
  - { call: Bash(sudo ls), expect: deny, rule: Bash(sudo *) }
  - { call: Bash(git push --force), expect: deny, rule: Bash(git push --force *) }
  - { call: Write(.env), expect: deny, rule: Write(.env*) }
  - { call: Bash(echo KEY=x >> .env), expect: deny, rule: Write(.env*) }
  - { call: "Read(~/.ssh/id_ed25519)", expect: deny, rule: "Read(~/.ssh/**)" }

  - name: a person is asked before anything leaves the machine
    call: Bash(git push origin main)
    expect: ask
    rule: Bash(git push *)

  - name: looking is free
    calls: [Read(src/app.ts), Bash(git status), Bash(git log --oneline)]
    expect: allow

  - name: of anything else the agent's own flow decides
    call: Bash(make deploy)
    expect: none
`
}
