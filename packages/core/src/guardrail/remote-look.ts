// Commands that reach another system and only look there: `gh pr list`, `aws s3 ls`, `psql -c 'select 1'`. Running one twice repeats nothing.
// Invariant: what is not known to look counts as a change.

type Looks = (words: readonly string[], operands: readonly string[]) => boolean

const LOOKING = /^(?:list|ls|show|view|get|describe|status|info|logs?|tail|diff|checks|search|history|version|versions|whoami|help|top)$/
const CHANGING =
  /^(?:create|delete|destroy|remove|rm|update|set|unset|add|apply|deploy|start|stop|restart|reboot|scale|merge|close|reopen|edit|comment|review|ready|lock|unlock|transfer|rename|move|copy|cp|mv|sync|push|run|exec|ssh|login|logout|enable|disable|attach|detach|import|put|send|invoke|publish|rollback|cancel|rerun|release|revoke|grant|patch|replace|reset|resize|promote|upload|download|clone|fork|sign)$/

/** A verb that looks, wherever the command line of this program has it, and none that changes. */
const anyVerb: Looks = (_words, operands) => operands.some(word => LOOKING.test(word)) && !operands.some(word => CHANGING.test(word))

const PROGRAMS: Readonly<Record<string, Looks>> = {
  gh: (words, operands) => (operands[0] === 'api' ? isReadingApi(words) : operands[0] === 'search' || LOOKING.test(operands[1] ?? '')),
  glab: (words, operands) => (operands[0] === 'api' ? isReadingApi(words) : LOOKING.test(operands[1] ?? '')),
  aws: (_words, [, operation = '']) => /^(?:ls|(?:list|describe|get|head|search|lookup|query|scan|batch-get)(?:-|$))/.test(operation),
  gcloud: anyVerb,
  az: anyVerb,
  doctl: anyVerb,
  heroku: anyVerb,
  fly: anyVerb,
  flyctl: anyVerb,
  vercel: anyVerb,
  netlify: anyVerb,
  kubectl: (_words, [verb = '']) => /^(?:get|describe|logs|top|explain|version|api-resources|api-versions|cluster-info|diff)$/.test(verb),
  helm: (_words, [verb = '']) => /^(?:list|ls|status|get|history|show|search|template|lint|version|env)$/.test(verb),
  terraform: isTerraformLook,
  tofu: isTerraformLook,
  psql: words => queriesLook(words, ['-c', '--command'], ['-f', '--file']),
  mysql: words => queriesLook(words, ['-e', '--execute'], []),
  'redis-cli': (_words, operands) => operands.some(word => REDIS_LOOKS.test(word)) && !operands.some(word => REDIS_CHANGES.test(word)),
}

const REDIS_LOOKS = /^(?:get|mget|keys|scan|info|ttl|exists|type|llen|lrange|hget|hgetall|scard|smembers|zrange|dbsize|ping)$/i
const REDIS_CHANGES = /^(?:set|del|flush\w*|expire|rename|eval|config|shutdown|[lrhsz](?:push|set|add|rem|pop)\w*|incr\w*|decr\w*)$/i

export function looksAtRemote(program: string, words: readonly string[]): boolean {
  if (!Object.hasOwn(PROGRAMS, program)) return false
  return (
    PROGRAMS[program]?.(
      words,
      words.filter(word => !word.startsWith('-')),
    ) === true
  )
}

/** `gh api` sends a POST as soon as it is given a field. */
function isReadingApi(words: readonly string[]): boolean {
  return !words.some(word => /^(?:-X|--method|-f|-F|--field|--raw-field|--input)/.test(word) && !/^(?:-X|--method=)get$/i.test(word))
}

function isTerraformLook(_words: readonly string[], [verb = '', second = '']: readonly string[]): boolean {
  return /^(?:plan|show|output|validate|version|providers|graph)$/.test(verb) || (verb === 'state' && /^(?:list|show)$/.test(second))
}

const READING_QUERY = /^\s*(?:select|show|explain|describe|desc|\\[dl])/i
const WRITING_WORD = /\b(?:insert|update|delete|drop|alter|create|truncate|grant|revoke|into|call|copy|merge|vacuum|lock|set)\b/i

/** Every query on the command line looks, and there is no file with more. */
function queriesLook(words: readonly string[], options: readonly string[], files: readonly string[]): boolean {
  if (words.some(word => files.some(option => word.startsWith(option)))) return false
  const queries = words.flatMap((word, at) => queryOf(word, words[at + 1] ?? '', options))
  const statements = queries.flatMap(query => query.split(';')).filter(statement => statement.trim() !== '')
  return statements.length > 0 && statements.every(statement => READING_QUERY.test(statement) && !WRITING_WORD.test(statement))
}

function queryOf(word: string, next: string, options: readonly string[]): readonly string[] {
  if (options.includes(word)) return [next]
  const joined = options.find(option => (option.startsWith('--') ? word.startsWith(`${option}=`) : word.startsWith(option)))
  return joined === undefined ? [] : [word.slice(joined.length).replace(/^=/, '')]
}
