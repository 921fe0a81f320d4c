// Formats of credentials that can be told by their looks alone, as data. Invariant: every pattern is linear. An open-ended
// class stands last, where it cannot fail after a long run; where something must follow it (JWT), the lookbehind keeps a
// run from being tried more than once.

export interface TokenFormat {
  /** Goes into the replacement. */
  readonly kind: string
  readonly pattern: string
  /** For patterns that do not start with fixed letters: a text they always hold. */
  readonly holds?: string
}

/** Letters that token bodies are made of. */
const alnum = '[A-Za-z0-9]'
const word = '[A-Za-z0-9_-]'
const hex = '[a-f0-9]'

export const tokenFormats: readonly TokenFormat[] = [
  { kind: 'belay-agent', pattern: `bas_${word}{43}` },
  { kind: 'aws-key', pattern: '(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)[A-Z0-9]{16}' },
  { kind: 'github-token', pattern: `gh[pousr]_${alnum}{36,255}` },
  { kind: 'github-token', pattern: 'github_pat_[A-Za-z0-9_]{22,255}' },
  { kind: 'gitlab-token', pattern: `gl(?:pat|ptt|dt|rt|cbt|ft|imt|soat|oas|agent|rtr)-${word}{20,}` },
  { kind: 'npm-token', pattern: `npm_${alnum}{36,}` },
  { kind: 'pypi-token', pattern: `pypi-${word}{50,}` },
  { kind: 'rubygems-token', pattern: `rubygems_${hex}{48}` },
  { kind: 'cargo-token', pattern: `cio${alnum}{32}` },
  { kind: 'docker-token', pattern: `dckr_(?:pat|oat)_${word}{20,}` },
  { kind: 'slack-token', pattern: 'xox[abceoprs]-[A-Za-z0-9-]{10,}' },
  { kind: 'slack-token', pattern: 'xapp-\\d-[A-Za-z0-9-]{20,}' },
  { kind: 'slack-webhook', pattern: 'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}' },
  { kind: 'discord-webhook', pattern: 'discord(?:app)?\\.com/api/webhooks/\\d{10,}/[\\w-]{20,}' },
  { kind: 'discord-token', pattern: `[MNO]${word}{23,27}\\.${word}{6}\\.${word}{27,45}`, holds: '.' },
  { kind: 'telegram-token', pattern: `\\d{8,10}:AA${word}{32,}`, holds: ':AA' },
  { kind: 'telegram-token', pattern: `api\\.telegram\\.org/(?:file/)?bot\\d{5,}:${word}{20,}` },
  { kind: 'stripe-key', pattern: `(?:sk|rk|pk)_(?:live|test)_${alnum}{16,}` },
  { kind: 'webhook-secret', pattern: 'whsec_[A-Za-z0-9+/]{24,}={0,2}' },
  { kind: 'anthropic-key', pattern: `sk-ant-${word}{20,}` },
  { kind: 'openrouter-key', pattern: `sk-or-${word}{20,}` },
  { kind: 'openai-key', pattern: `sk-(?:proj|svcacct|admin|None)-${word}{20,}` },
  { kind: 'openai-key', pattern: `sk-${alnum}{32,}` },
  { kind: 'google-key', pattern: `AIza${word}{35}` },
  { kind: 'google-token', pattern: `ya29\\.${word}{20,}` },
  { kind: 'google-secret', pattern: `GOCSPX-${word}{20,}` },
  { kind: 'google-token', pattern: `1//0${word}{30,}` },
  { kind: 'jwt', pattern: `(?<![_-])eyJ${word}{8,}\\.eyJ${word}{8,}(?:\\.${word}{8,})?` },
  { kind: 'jwt', pattern: `(?<![_-])eyJ${word}{16,}\\.${word}*\\.${word}{16,}\\.${word}{16,}\\.${word}{16,}` },
  { kind: 'azure-secret', pattern: '[A-Za-z0-9_~.]{3}8Q~[A-Za-z0-9_~.-]{31,34}', holds: '8Q~' },
  { kind: 'twilio-key', pattern: `SK${hex}{32}` },
  { kind: 'sendgrid-key', pattern: `SG\\.${word}{16,32}\\.${word}{16,64}` },
  { kind: 'mailgun-key', pattern: `key-${hex}{32}` },
  { kind: 'mailchimp-key', pattern: `${hex}{32}-us\\d{1,2}`, holds: '-us' },
  { kind: 'digitalocean-token', pattern: `do[oprt]_v1_${hex}{64}` },
  { kind: 'heroku-key', pattern: `HRKU-${word}{36,}` },
  { kind: 'shopify-token', pattern: 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}' },
  { kind: 'square-token', pattern: `sq0(?:atp|csp|idp)-${word}{22,43}` },
  { kind: 'square-token', pattern: `EAAA${word}{60}` },
  { kind: 'facebook-token', pattern: `EAA${alnum}{80,}` },
  { kind: 'databricks-token', pattern: `dapi${hex}{32}(?:-\\d)?` },
  { kind: 'huggingface-token', pattern: `(?:hf|api_org)_${alnum}{34,}` },
  { kind: 'replicate-token', pattern: `r8_${alnum}{37}` },
  { kind: 'groq-key', pattern: `gsk_${alnum}{40,}` },
  { kind: 'xai-key', pattern: `xai-${alnum}{60,}` },
  { kind: 'perplexity-key', pattern: `pplx-${alnum}{40,}` },
  { kind: 'vault-token', pattern: `hv[sbr]\\.${word}{24,}` },
  { kind: 'terraform-token', pattern: `${alnum}{14}\\.atlasv1\\.${word}{60,}`, holds: '.atlasv1.' },
  { kind: 'pulumi-token', pattern: `pul-${hex}{40}` },
  { kind: 'linear-key', pattern: `lin_(?:api|oauth)_${alnum}{32,}` },
  { kind: 'notion-token', pattern: `(?:secret|ntn)_${alnum}{40,}` },
  { kind: 'figma-token', pattern: `figd_${word}{40,}` },
  { kind: 'airtable-token', pattern: `pat${alnum}{14}\\.${hex}{64}` },
  { kind: 'newrelic-key', pattern: 'NR(?:AK|JS|II|SP)-[A-Za-z0-9]{19,}' },
  { kind: 'sentry-token', pattern: 'sntry[su]_[A-Za-z0-9+/=_-]{40,}' },
  { kind: 'grafana-token', pattern: `gls[ac]_${alnum}{32}_${hex}{8}` },
  { kind: 'grafana-token', pattern: 'glc_[A-Za-z0-9+/]{32,}={0,2}' },
  { kind: 'postman-key', pattern: `PMAK-${hex}{24}-${hex}{34}` },
  { kind: 'atlassian-token', pattern: 'AT[AC]TT3[A-Za-z0-9_=-]{60,}' },
  { kind: 'supabase-token', pattern: `sbp_${hex}{40}` },
  { kind: 'supabase-token', pattern: `sb_secret_${word}{20,}` },
  { kind: 'planetscale-token', pattern: 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}' },
  { kind: 'doppler-token', pattern: `dp\\.(?:pt|st|ct|sa|scim|audit)\\.${word}{40,}` },
  { kind: 'fly-token', pattern: 'fm[12][ar]?_[A-Za-z0-9+/_=-]{40,}' },
  { kind: 'age-key', pattern: 'AGE-SECRET-KEY-1[0-9A-Z]{58}' },
  { kind: 'onepassword-token', pattern: `ops_eyJ${word}{100,}` },
  { kind: 'cloudflare-key', pattern: `v1\\.0-${hex}{24}-${hex}{146}` },
  { kind: 'paypal-token', pattern: `access_token\\$(?:production|sandbox)\\$${alnum}{16}\\$${hex}{32}` },
  { kind: 'azure-sas', pattern: '(?<=[?&]sig=)[A-Za-z0-9%+/=]{30,}', holds: 'sig=' },
  { kind: 'aws-signature', pattern: `(?<=X-Amz-(?:Signature|Security-Token|Credential)=)[A-Za-z0-9%+/=_.-]{16,}`, holds: 'X-Amz-' },
]

interface StartingFormat {
  readonly kind: string
  /** To be tried at one place. */
  readonly expression: RegExp
}

/** Formats that start with fixed letters, by the first two of them: nothing else need be tried at a place. */
const startingFormats = new Map<number, StartingFormat[]>()
for (const { kind, pattern, holds } of tokenFormats) {
  if (holds !== undefined) continue
  const expression = new RegExp(`(?:${pattern})(?![A-Za-z0-9])`, 'y')
  for (const pair of firstLetters(pattern)) {
    const key = pairKey(pair.charCodeAt(0), pair.charCodeAt(1))
    startingFormats.set(key, [...(startingFormats.get(key) ?? []), { kind, expression }])
  }
}

const isStart = new Uint8Array(128 * 128)
for (const key of startingFormats.keys()) isStart[key] = 1

/** Whether a format starts with these two characters, the second of which may be any. */
export function isTokenStart(first: number, second: number): boolean {
  return isStart[pairKey(first, second & 127)] === 1
}

/** The format that fits from this place on, where two letters fit, and where it ends. */
export function matchToken(text: string, at: number): { readonly kind: string; readonly end: number } | null {
  for (const { kind, expression } of startingFormats.get(pairKey(text.charCodeAt(at), text.charCodeAt(at + 1))) ?? []) {
    expression.lastIndex = at
    if (expression.test(text)) return { kind, end: expression.lastIndex }
  }
  return null
}

function pairKey(first: number, second: number): number {
  return first * 128 + second
}

/** The others, each tried only where the text it holds is there. */
export const holdingFormats: readonly { readonly kind: string; readonly holds: string; readonly expression: RegExp }[] =
  tokenFormats.flatMap(({ kind, holds, pattern }) =>
    holds === undefined ? [] : [{ kind, holds, expression: new RegExp(`(?<![A-Za-z0-9])(?:${pattern})(?![A-Za-z0-9])`, 'g') }],
  )

function firstLetters(pattern: string): string[] {
  const start = pattern.replace(/^\(\?<!.*?\)/, '')
  const group = /^\(\?:([^()]*)\)/.exec(start)?.[1]
  return (group === undefined ? [start] : group.split('|')).flatMap(firstPair)
}

/** Two literal letters, or a literal and a class: `do[oprt]_` gives `do`. */
function firstPair(text: string): string[] {
  const pair = /^[A-Za-z0-9][A-Za-z0-9/]/.exec(text)?.[0]
  if (pair === undefined) throw new Error(`token format ${text} must start with two fixed letters or say what it holds`)
  return [pair]
}
