// An option of which only the beginning is known (`git -"$v" . push`) may be any that begins so: it may take the next word as its
// value, or hold its value itself, and where it is not quoted it may become several words.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

function decide(command: string): string {
  const deny = ['Bash(git push *)', 'Bash(docker run *)', 'Bash(npm publish *)', 'Bash(kubectl delete *)', 'Bash(rm -rf *)']
  const line = { id: 1, tool: 'Bash', input: { command }, allow: ['Bash(*)'], deny }
  return (JSON.parse(decideBatchLine(JSON.stringify(line))) as { decision: string }).decision
}

const options = ['-"$v"', '-$v', '--"$v"', '--$v', '-C"$v"', '-c"$v"', '-H"$v"', '--prefix="$v"', '--con"$v"', '-$(id)', '-"`id`"']

describe.each(['git push', 'docker run x', 'npm publish', 'kubectl delete pod x'])('%s', command => {
  const [program, ...verb] = command.split(' ')
  test.each(options)('behind %s', option => {
    for (const text of [`${program} ${option} ${verb.join(' ')}`, `${program} -q ${option} ${verb.join(' ')} y`])
      expect([text, decide(text)]).not.toEqual([text, 'allow'])
    if (option.includes('=') || /^-\w/.test(option)) return
    const valued = `${program} ${option} value ${verb.join(' ')}`
    expect([valued, decide(valued)]).not.toEqual([valued, 'allow'])
  })
})

test.each(['git -$v', 'git -$v origin main', 'docker --$v'])('words that an unquoted one may become: %s', command =>
  expect(decide(command)).toBe('ask'),
)

test.each(['git -C "$v" status', 'git log --since="$v"', 'git -"$v" status', 'npm run --prefix="$v" build'])(
  'nothing forbidden: %s',
  command => expect(decide(command)).toBe('allow'),
)

test.each(['git -"$v" . "$w"', 'git --unknown . "$w"', 'docker --unknown a "$w" x', 'npm --"$v" a pu"$w"'])(
  'with a verb that is not known either: %s',
  command => expect(decide(command)).toBe('ask'),
)
