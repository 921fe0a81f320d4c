// Ordinary commands of developers and agents that were asked about for no good reason, and their neighbours that are.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

const DENY = ['Bash(rm -rf *)', 'Bash(* --force)', 'Bash(psql *DROP*)', 'Read(.env*)', 'Write(.env*)']

function decide(command: string): string {
  const call = { tool: 'Bash', input: { command }, allow: ['Bash(*)', 'Read(*)', 'Write(*)'], deny: DENY }
  return (JSON.parse(decideBatchLine(JSON.stringify(call))) as { decision: string }).decision
}

const message = (text: string): string => `"$(cat <<'EOF'\n${text}\nEOF\n)"`

describe('allowed', () => {
  test.each([
    `git commit -m ${message('Fix it\n\nIt said "rm -rf x", $(date) and .env.')}`,
    `git commit --no-edit -m ${message('Fix it')} && git log -1`,
    `gh pr create --title x --body ${message('What it does')}`,
    'source .venv/bin/activate && pip install -e .',
    'test -f .eslintrc.json && cat .eslintrc.json',
    '[ -f package.json ] && tail -f app.log',
    'fd ts | xargs cat',
    'git ls-files | grep test | xargs wc -l',
    'date +%F',
    'npm i @types/node',
  ])('%s', command => expect(decide(command)).toBe('allow'))
})

describe('not allowed', () => {
  test.each([
    `eval ${message('rm -rf x')}`,
    `sh -c ${message('rm -rf x')}`,
    `cat ${message('.env')}`,
    `git commit -m ${message('x')}; rm -rf y`,
    `git commit -m "$(cat <<EOF\n$(rm -rf x)\nEOF\n)"`,
    'cat() { echo rm -rf x; }; eval "$(cat <<E\nls\nE\n)"',
    'export PATH=/tmp; ls',
    'export CI=1; npm test',
    'source other/activate && cat .env',
    'git push -f x --force',
    'ls -A | grep env | xargs cat',
  ])('%s', command => expect(decide(command)).not.toBe('allow'))
})
