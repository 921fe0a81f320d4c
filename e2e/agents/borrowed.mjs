// A host that reads a hook file which was installed for another agent: its calls are judged, it obeys, and the record says who it was.
import { CLIENTS } from './client.mjs'
import { createGuardedHome } from './guarded-home.mjs'
import { FULL } from './policy.mjs'

export const BORROWED_CASES = [
  { name: "Claude Code's hook file, borrowed", run: borrowedFile, agents: agent => CLIENTS[agent].borrows === 'claude-code' },
]

const touch = name => ({ shell: `touch ${name} file.txt` })

async function borrowedFile({ agent }) {
  const home = createGuardedHome(agent, 'claude-code')
  try {
    home.up()
    const steps = [touch('allowed'), touch('denied'), touch('asked'), { shell: 'echo original > original.txt' }, { text: 'All done.' }]
    const run = await home.run({ policy: FULL, steps })
    const before = (await run.entriesWhen(found => found.some(({ kind }) => kind === 'stop'))).filter(({ kind }) => kind === 'pre_tool_use')
    return [
      ['an allowed call runs', run.has('allowed'), run],
      ['a denied call does not', !run.has('denied')],
      ['the model reads why', run.heard.includes('REASON-OF-DENY')],
      ['an asked call does not run where nobody can answer', !run.has('asked')],
      ['a rewritten call runs rewritten', run.has('rewritten.txt') && !run.has('original.txt')],
      [
        'the record names the host',
        before.length === 4 && before.every(({ body }) => body.agent === agent),
        before.map(({ body }) => body),
      ],
      ['and the line that it came through', before.every(({ body }) => body.line === 'claude-code')],
      [
        'it has no more rights than the agent of that line',
        before.every(({ body }) => body.alsoAs?.includes('agent:claude-code') === true),
      ],
    ]
  } finally {
    home.close()
  }
}
