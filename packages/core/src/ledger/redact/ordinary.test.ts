// What must come through untouched: hand-picked records that look dangerous, and this repository's own files as a sample
// of what agents read and write.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRedactor } from './redactor.ts'

const redactor = createRedactor({ key: new Uint8Array(32).fill(7) })
const repository = join(import.meta.dirname, '../../../../..')

const integrity = `sha512-${Buffer.from('0123456789abcdef'.repeat(4)).toString('base64')}`

test.each([
  'git show 3f9a1c2b7d8e9f0a1b2c3d4e5f60718293a4b5c6',
  'commit 3f9a1c2b7d8e9f0a1b2c3d4e5f60718293a4b5c6\nAuthor: Ann <ann@example.com>',
  'session 0b1c9e2a-7d4f-4c1e-9b1a-2f3e4d5c6b7a started',
  `"integrity": "${integrity}",`,
  '"resolved": "https://registry.npmjs.org/@types/node/-/node-20.1.0.tgz"',
  'const token = getToken()',
  'const token = await client.fetchToken(scope)',
  'let password = readPassword(prompt)',
  'password: string',
  'password: z.string().min(8)',
  'token: Token | null',
  'readonly apiKey?: string',
  'this.token = token',
  'token = tokens[i]',
  'if (token === "lambda") return',
  'if (!password) throw new Error("Password is required")',
  "console.log('password:', password)",
  '<input type="password" name="password" placeholder="Enter password">',
  '{"type":"object","properties":{"token":{"type":"string","description":"The token to use"}}}',
  '{"password": "Password", "forgot_password": "Forgot your password?"}',
  'tokens used: 512',
  '{"input_tokens": 12034, "output_tokens": 512, "max_tokens": 4096}',
  '--max-tokens 4096 --temperature 0.2',
  'nextPageToken: CAUQAA',
  'token: ${{ secrets.GITHUB_TOKEN }}',
  'DB_PASSWORD=$DB_PASSWORD',
  'DB_PASSWORD=${DB_PASSWORD:-}',
  'API_KEY=<your api key>',
  'export TOKEN=$(cat token.txt)',
  'password = os.environ["DB_PASSWORD"]',
  'api_key = process.env.OPENAI_API_KEY',
  'secretName: my-tls-secret',
  'kubectl get secret my-secret -o yaml',
  'public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ user@host',
  'primary_key=id&sort_key=created_at',
  'https://example.com:8080/@scope/package',
  'ssh git@github.com:acme/app.git',
  'docker run -p 8080:80 -u 1000:1000 nginx',
  'mkdir -p src/components && cp -p a b',
  'curl -u "$USER:$PASS" https://example.com',
  'mysql -u root -p shop < dump.sql',
  'Bearer authentication is required',
  'basic authentication',
  'Authorization: Bearer $TOKEN',
  'The cookie banner and the token bucket',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  'grep -rn "BEGIN RSA PRIVATE KEY" .',
  'PWD=/home/dev/project',
  '"PWD": "/home/dev/project"',
  'import { TokenKind, SecretSpan } from "./token.ts"',
  'src/auth/password-reset.test.ts:12:34',
  'passwd: files systemd',
  'max_password_length=128',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
  'a@example.com, b@example.com',
  '{"tool_name":"Bash","tool_input":{"command":"npm test"},"tool_use_id":"toolu_01ABCDEFGHJKLMNPQRSTUVWX"}',
])('%s', record => {
  expect(redactor.redactText(record)).toBe(record)
  expect(redactor.redactValue({ content: record })).toEqual({ content: record })
})

test('fewer than one record in a hundred of this repository changes', () => {
  const records = [...sources(join(repository, 'packages')), join(repository, 'package-lock.json')].flatMap(recordsOf)
  const changed = records.filter(record => redactor.redactText(record) !== record)
  expect(records.length).toBeGreaterThan(300)
  expect(changed.length / records.length).toBeLessThan(0.01)
})

/** Sources of every package but this folder, which is about secrets. */
function sources(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const path = join(directory, entry.name)
    if (['node_modules', 'dist', 'fixtures', 'redact'].includes(entry.name)) return []
    if (entry.isDirectory()) return sources(path)
    return /\.(?:ts|md|json)$/.test(entry.name) && entry.isFile() ? [path] : []
  })
}

/** What one call of a reading tool gives: forty lines. */
function recordsOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const parts = Array.from({ length: Math.ceil(lines.length / 40) }, (_, at) => lines.slice(at * 40, at * 40 + 40).join('\n'))
  return parts.slice(0, 100)
}
