// Plants generated secrets in every field of an event, in every spelling the agents' payloads use, and looks for them in
// what would be stored. Nothing that looks like a credential is written in this file.
import { expect, test } from 'vitest'
import { createRedactor, type Json } from './redactor.ts'

const seed = Number(process.env.BELAY_REDACT_SEED ?? 20261115)
const rounds = Number(process.env.BELAY_REDACT_ROUNDS ?? 1)
const redactor = createRedactor({ key: new Uint8Array(32).fill(7) })

function createRandom(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const random = createRandom(seed)
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const alnum = upper + lower + digits
const hex = `${digits}abcdef`

function draw(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('')
}

function word(length: number): string {
  return `${draw(alnum, length - 1)}${draw(digits, 1)}`
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const base64url = (text: string): string => Buffer.from(text).toString('base64url')

const tokens: Record<string, () => string> = {
  aws: () => `AKIA${draw(upper + digits, 16)}`,
  awsTemporary: () => `ASIA${draw(upper + digits, 16)}`,
  github: () => `ghp_${draw(alnum, 36)}`,
  githubApp: () => `ghs_${draw(alnum, 36)}`,
  githubFine: () => `github_pat_${draw(alnum, 22)}_${draw(alnum, 59)}`,
  gitlab: () => `glpat-${word(20)}`,
  npm: () => `npm_${draw(alnum, 36)}`,
  pypi: () => `pypi-${draw(alnum, 80)}`,
  slack: () => `xoxb-${draw(digits, 12)}-${draw(digits, 12)}-${draw(alnum, 24)}`,
  slackApp: () => `xapp-1-${draw(upper + digits, 11)}-${draw(digits, 13)}-${draw(hex, 64)}`,
  slackHook: () => `https://hooks.slack.com/services/T${draw(upper, 8)}/B${draw(upper, 8)}/${draw(alnum, 24)}`,
  stripe: () => `sk_live_${draw(alnum, 24)}`,
  stripeRestricted: () => `rk_test_${draw(alnum, 24)}`,
  webhook: () => `whsec_${draw(alnum, 32)}`,
  anthropic: () => `sk-ant-api03-${draw(alnum, 93)}AA`,
  openai: () => `sk-proj-${draw(alnum, 48)}`,
  openaiOld: () => `sk-${draw(alnum, 48)}`,
  openrouter: () => `sk-or-v1-${draw(hex, 64)}`,
  google: () => `AIza${draw(alnum, 35)}`,
  googleToken: () => `ya29.${draw(alnum, 60)}`,
  googleSecret: () => `GOCSPX-${draw(alnum, 28)}`,
  jwt: () => `${base64url('{"alg":"HS256","typ":"JWT"}')}.${base64url(`{"sub":"${draw(digits, 10)}"}`)}.${draw(alnum, 43)}`,
  azure: () => `${draw(alnum, 3)}8Q~${draw(alnum, 34)}`,
  twilio: () => `SK${draw(hex, 32)}`,
  sendgrid: () => `SG.${draw(alnum, 22)}.${draw(alnum, 43)}`,
  mailgun: () => `key-${draw(hex, 32)}`,
  mailchimp: () => `${draw(hex, 32)}-us12`,
  telegram: () => `${draw('123456789', 10)}:AA${draw(alnum, 33)}`,
  discord: () => `M${draw(alnum, 23)}.${draw(alnum, 6)}.${draw(alnum, 38)}`,
  digitalocean: () => `dop_v1_${draw(hex, 64)}`,
  heroku: () => `HRKU-${draw(alnum, 40)}`,
  shopify: () => `shpat_${draw(hex, 32)}`,
  square: () => `sq0csp-${draw(alnum, 43)}`,
  databricks: () => `dapi${draw(hex, 32)}`,
  huggingface: () => `hf_${draw(alnum, 34)}`,
  replicate: () => `r8_${draw(alnum, 37)}`,
  groq: () => `gsk_${draw(alnum, 52)}`,
  xai: () => `xai-${draw(alnum, 80)}`,
  perplexity: () => `pplx-${draw(alnum, 48)}`,
  vault: () => `hvs.${draw(alnum, 90)}`,
  terraform: () => `${draw(alnum, 14)}.atlasv1.${draw(alnum, 67)}`,
  pulumi: () => `pul-${draw(hex, 40)}`,
  linear: () => `lin_api_${draw(alnum, 40)}`,
  notion: () => `ntn_${draw(alnum, 46)}`,
  figma: () => `figd_${draw(alnum, 43)}`,
  airtable: () => `pat${draw(alnum, 14)}.${draw(hex, 64)}`,
  newrelic: () => `NRAK-${draw(upper + digits, 27)}`,
  sentry: () => `sntryu_${draw(hex, 64)}`,
  grafana: () => `glsa_${draw(alnum, 32)}_${draw(hex, 8)}`,
  postman: () => `PMAK-${draw(hex, 24)}-${draw(hex, 34)}`,
  docker: () => `dckr_pat_${draw(alnum, 27)}`,
  atlassian: () => `ATATT3xFfGF0${draw(alnum, 180)}`,
  rubygems: () => `rubygems_${draw(hex, 48)}`,
  supabase: () => `sbp_${draw(hex, 40)}`,
  planetscale: () => `pscale_tkn_${draw(alnum, 43)}`,
  doppler: () => `dp.pt.${draw(alnum, 43)}`,
  age: () => `AGE-SECRET-KEY-1${draw(upper + digits, 58)}`,
}

/** Texts around a token: the format alone must give it away. */
const tokenTexts: readonly ((token: string) => string)[] = [
  token => token,
  token => `please use ${token} for the deploy, thanks`,
  token => `curl -H "X-Thing: ${token}" https://api.example.com/v1`,
  token => `export SOMETHING=${token}\nnpm publish`,
  token => `+  const client = new Client("${token}")\n-  const client = new Client()`,
  token => JSON.stringify({ value: token }),
  token => JSON.stringify(JSON.stringify({ value: token })),
  token => `https://example.com/?x=${token}&y=1`,
  token => `${'lorem ipsum dolor '.repeat(200)}${token}${' sit amet'.repeat(200)}`,
  token => `echo ${base64(token)} | base64 -d`,
]

/** Texts around an ordinary password: the name or the syntax must give it away. */
const passwordTexts: readonly ((password: string) => string)[] = [
  value => `DB_PASSWORD=${value}\nDEBUG=1`,
  value => `export API_SECRET="${value}"`,
  value => `  - SMTP_PASS='${value}'`,
  value => `db:\n  password: ${value}\n  host: localhost`,
  value => `{"user":"bob","password":"${value}"}`,
  value => JSON.stringify(JSON.stringify({ auth: { client_secret: value } })),
  value => JSON.stringify(JSON.stringify(JSON.stringify({ apiKey: value }))),
  value => `const password = '${value}'`,
  value => `mysql -h db -u root -p${value} shop`,
  value => `sshpass -p ${value} ssh host`,
  value => `curl -u admin:${value} https://example.com`,
  value => `curl --user 'admin:${value}' https://example.com`,
  value => `postgres://app:${value}@db.internal:5432/app`,
  value => `git clone https://x-access-token:${value}@github.com/a/b.git`,
  value => `tool --password ${value} --verbose`,
  value => `tool --api-key=${value}`,
  value => `https://example.com/cb?access_token=${value}&state=1`,
  value => `Authorization: Bearer ${value}${value}`,
  value => `Authorization: Basic ${base64(`bob:${value}`)}`,
  value => `machine example.com login bob password ${value}`,
  value => `db.internal:5432:shop:bob:${value}`,
  value => `PGPASSWORD=${value} psql -h db`,
  value => `AccountName=x;AccountKey=${value}${value};EndpointSuffix=core.windows.net`,
  value => `Cookie: session=${value}; theme=dark`,
  value => `redis-cli -a ${value} ping`,
  value => `docker login -u bob -p ${value} registry.example.com`,
  value => `the token is ${value}${value}, keep it safe`,
  value => `//registry.example.com/:_authToken=${value}`,
  value => `openssl rsa -passin pass:${value} -in key.pem`,
  value => `password%3D${value}%26user`.replace('%26', '&'),
]

/** Objects around a password: no format, no syntax, only names. */
const passwordObjects: readonly ((password: string) => Json)[] = [
  value => ({ password: value }),
  value => ({ env: { DB_PASSWORD: value, PATH: '/bin' } }),
  value => ({ credentials: { user: { id: 7, phrase: value } } }),
  value => ({ headers: { Authorization: `Bearer ${value}`, Accept: '*/*' } }),
  value => ({ headers: [['X-Api-Key', value]] }),
  value => [{ name: 'CLIENT_SECRET', value }],
  value => ({ secrets: [value, 1, null] }),
  value => ({ argv: ['tool', '--token', value] }),
  value => ({ argv: ['mysql', `-p${value}`, 'shop'] }),
  value => ({ cookie: `a=${value}` }),
  value => ({ auths: { 'registry.example.com': { auth: base64(`bob:${value}`) } } }),
]

/** One event with the planted thing in every field that can hold it. */
function eventWith(planted: Json): Json {
  const text = typeof planted === 'string' ? planted : JSON.stringify(planted)
  return {
    session_id: 'a1b2',
    cwd: typeof planted === 'string' ? `/tmp/${text}` : text,
    prompt: text,
    tool_input: { command: text, content: text, edits: [{ old_string: text, new_string: text }], nested: planted },
    tool_response: { stdout: text, stderr: text, structured: [planted] },
    error: text,
    reason: text,
    [text]: true,
  }
}

function pemOf(label: string): string {
  const lines = Array.from({ length: 12 }, () => draw(`${alnum}+/`, 64))
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join('\n')
}

interface Plant {
  readonly label: string
  readonly secret: string
  readonly planted: Json
}

function plants(): Plant[] {
  const all: Plant[] = []
  for (const [label, make] of Object.entries(tokens)) {
    for (const wrap of tokenTexts) {
      const secret = make()
      all.push({ label: `${label} in ${wrap.toString()}`, secret, planted: wrap(secret) })
    }
  }
  for (const wrap of [...passwordTexts, ...passwordObjects]) {
    for (const make of [() => word(14), () => `${draw(lower, 7)}${draw(digits, 2)}!`, () => `Tr0ub4${draw(lower, 6)}`]) {
      const secret = make()
      all.push({ label: wrap.toString(), secret, planted: wrap(secret) })
    }
  }
  for (const label of ['RSA PRIVATE KEY', 'PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'EC PRIVATE KEY', 'PGP PRIVATE KEY BLOCK']) {
    const pem = pemOf(label)
    const lines = pem.split('\n')
    const secret = lines[5] ?? ''
    const forms = [
      pem,
      JSON.stringify({ k: pem }),
      JSON.stringify(JSON.stringify({ k: pem })),
      lines.slice(0, 8).join('\n'),
      lines.slice(3).join('\n'),
    ]
    for (const planted of [...forms, lines.map(line => `+${line}`).join('\n'), pem.replaceAll('\n', '\r\n')])
      all.push({ label, secret, planted })
  }
  return all
}

test(`no planted secret survives (seed ${seed})`, () => {
  const leaks: string[] = []
  let count = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const { label, secret, planted } of plants()) {
      count += 1
      const stored = JSON.stringify(redactor.redactValue(eventWith(planted)))
      const encoded = base64(secret).replace(/=+$/, '')
      if (stored.includes(secret) || stored.includes(encoded)) leaks.push(`${label}: ${stored.slice(0, 200)}`)
    }
  }
  expect(leaks).toEqual([])
  expect(count).toBeGreaterThan(300 * rounds)
})

test('what is stored is the same when redacted again', () => {
  for (const { planted } of plants()) {
    const once = redactor.redactValue(eventWith(planted))
    expect(redactor.redactValue(once)).toEqual(once)
  }
})
