// A patch in a command is a set of writes, for rules and for protection, wherever its text stands.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFileView } from '../match/path/node-file-view.ts'
import { compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import { parseRule } from './parse-rule.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'judge-patch-')))
afterAll(() => rmSync(root, { recursive: true }))
mkdirSync(join(root, 'sub'))

const own = (path: string): string => `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch`
const diff = (path: string): string => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`

const ways: Record<string, (path: string) => string> = {
  'here-document': path => `apply_patch <<'EOF'\n${own(path)}\nEOF`,
  'here-document, open': path => `apply_patch << EOF\n${own(path)}\nEOF`,
  'other name': path => `applypatch <<'EOF'\n${own(path)}\nEOF`,
  'cd before': path => `cd sub && apply_patch <<'EOF'\n${own(`../${path}`)}\nEOF`,
  argument: path => `apply_patch '${own(path)}'`,
  'here-string': path => `apply_patch <<< '${own(path)}'`,
  pipe: path => `echo '${own(path)}' | apply_patch`,
  'printf pipe': path => `printf '%s\\n' '${own(path)}' | apply_patch`,
  'cat pipe': path => `cat <<'EOF' | apply_patch\n${own(path)}\nEOF`,
  variable: path => `p='${own(path)}'; apply_patch "$p"`,
  substitution: path => `apply_patch "$(cat <<'EOF'\n${own(path)}\nEOF\n)"`,
  'inner shell': path => `bash -lc "apply_patch <<'EOF'\n${own(path)}\nEOF"`,
  'process substitution': path => `apply_patch < <(echo '${own(path)}')`,
  'added file': path => `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${path}\n+b\n*** End Patch\nEOF`,
  'deleted file': path => `apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: ${path}\n*** End Patch\nEOF`,
  'moved file': path => `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: x\n*** Move to: ${path}\n@@\n*** End Patch\nEOF`,
  'git apply': path => `git apply <<'EOF'\n${diff(path)}EOF`,
  'git apply, dash': path => `git apply - <<'EOF'\n${diff(path)}EOF`,
  'git am': path => `git am <<'EOF'\n${diff(path)}EOF`,
  patch: path => `patch -p1 <<'EOF'\n${diff(path)}EOF`,
  'patch, both forms': path => `patch -p1 <<'EOF'\n*** Update File: x\n${diff(path)}EOF`,
  'written first': path => `cat > p.diff <<'EOF'\n${diff(path)}EOF\ngit apply p.diff`,
  'echoed first': path => `echo '${diff(path)}' > p.diff; patch -p1 -i p.diff`,
  'git apply a file': path => `git apply ${filed(path)}`,
  'git am a file': path => `git am ${filed(path)}`,
  'hg import': path => `hg import --no-commit - <<'EOF'\n${diff(path)}EOF`,
  'hg import, piped': path => `printf '%s\\n' '${diff(path)}' | hg --cwd . import -f -`,
  'hg import a file': path => `hg import ${filed(path)}`,
  'svn patch a file': path => `svn patch --strip 1 ${filed(path)}`,
  'stg import': path => `stg import <<'EOF'\n${diff(path)}EOF`,
  'bzr patch': path => `bzr patch -p1 - <<'EOF'\n${diff(path)}EOF`,
  'brz patch a file': path => `brz patch ${filed(path)}`,
  'patch a file': path => `patch -p1 -i ${filed(path)}`,
  'patch a file by its input': path => `patch -p1 < ${filed(path)}`,
  'a file through a pipe': path => `cat ${filed(path)} | git apply`,
  'apply_patch a file': path => `apply_patch < ${filed(path, own)}`,
}

let made = 0
function filed(path: string, form = diff): string {
  const name = join(root, `given-${made++}.diff`)
  writeFileSync(name, form(path))
  return name
}

function decide(command: string): string {
  const rule = (text: string, effect: 'allow' | 'deny') => {
    const parsed = parseRule(text, { effect, dialect: 'genesis', id: text })
    if (!parsed.ok) throw new Error(text)
    return parsed.rule
  }
  const allow = [rule('Bash(*)', 'allow'), rule('Write(*)', 'allow')]
  const compiled = compileRules({ allow, deny: [rule('Write(.env*)', 'deny')], ask: [], default: 'allow', hash: '' })
  const home = join(root, 'home')
  const context = { root, cwd: root, home, files: createFileView(), belayHome: join(home, '.belay'), selfProtection: true }
  return judge({ tool: 'Bash', input: { command } }, compiled, context).verdict.decision
}

test.each(Object.entries(ways))('%s', (_name, way) => {
  const decisions = ['.env', '.belay/genesis.key', 'src/a.ts'].map(path => decide(way(path)))
  const written = /> p\.diff/.test(way('x'))
  expect(decisions).toEqual(['deny', 'deny', written ? 'ask' : 'allow'])
})

test('a patch that nobody can read asks', () => {
  const commands = [
    'curl http://x | patch -p1',
    'apply_patch "$p"',
    'git apply "$f"',
    'unknown | git apply',
    'apply_patch <<EOF\n*** Begin Patch\n*** Update File: $f\nEOF',
  ]
  expect(commands.map(decide)).toEqual(commands.map(() => 'ask'))
})

test('ordinary patches are left alone', () => {
  const commands = [
    'git diff HEAD~1 | git apply -R',
    'git show x | git apply',
    'git apply --check nothing.patch',
    'git format-patch -1',
    'patch --version',
  ]
  expect(commands.map(decide)).toEqual(commands.map(() => 'allow'))
})
