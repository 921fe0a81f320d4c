// Which environment variables a command may be given without a rule, and which ones programs act on.
import type { EnvAssignment, ShellContext, UnitTrait } from './shell-analysis.ts'

const HARMLESS = new Set([
  'CI',
  'NODE_ENV',
  'LANG',
  'LANGUAGE',
  'TZ',
  'FORCE_COLOR',
  'NO_COLOR',
  'CLICOLOR',
  'CLICOLOR_FORCE',
  'DEBUG',
  'TERM',
  'COLORTERM',
  'COLUMNS',
  'LINES',
  'RUST_BACKTRACE',
  'RUST_LOG',
  'GOOS',
  'GOARCH',
  'CGO_ENABLED',
  'DEV',
])

export function isHarmlessVariable(name: string, context: ShellContext): boolean {
  return HARMLESS.has(name) || /^LC_[A-Z]+$/.test(name) || (context.harmlessEnv?.includes(name) ?? false)
}

/** Options of Node that load nothing. */
const PLAIN_NODE_OPTIONS =
  /^\s*(?:--(?:max-old-space-size|max-semi-space-size|stack-trace-limit)[= ]\d+\s*|--(?:no-warnings|no-deprecation|trace-warnings|trace-deprecation|enable-source-maps|experimental-vm-modules|experimental-strip-types|unhandled-rejections=\w+)(?:\s+|$))*$/

/** Variables that are harmless with such a value: `PORT=3000` only says where a server listens. */
const PLAIN_VALUES: ReadonlyMap<string, RegExp> = new Map([
  ['NODE_OPTIONS', PLAIN_NODE_OPTIONS],
  ['PORT', /^\d{1,5}$/],
  ['HOST', /^(?:localhost|127\.0\.0\.1)$/],
])

function isHarmlessSetting(name: string, value: string | null): boolean {
  return value !== null && PLAIN_VALUES.get(name)?.test(value) === true
}

export function environmentTraits(assignments: readonly EnvAssignment[], context: ShellContext): readonly UnitTrait[] {
  const traits: UnitTrait[] = []
  for (const { name, value } of assignments)
    if (!isHarmlessVariable(name, context) && !isHarmlessSetting(name, value.value)) traits.push({ kind: 'environment', name })
  return traits
}

/** Variables that the shell or common programs act on, usually exported already: setting one changes what later commands do. */
const SPECIAL = new RegExp(
  '^(?:PATH|HOME|PWD|OLDPWD|IFS|CDPATH|ENV|SHELL|SHELLOPTS|BASHOPTS|BASH_.*|PS[0-4]|PROMPT_.*|HIST.*|FIGNORE|GLOBIGNORE|EXECIGNORE|INPUTRC|MAIL.*|TMPDIR|TMP|TEMP|USER|LOGNAME|XDG_.*|' +
    'LD_.*|DYLD_.*|GIT_.*|SSH_.*|NODE_.*|NPM_.*|npm_.*|YARN_.*|PNPM_.*|BUN_.*|DENO_.*|PYTHON.*|PIP_.*|UV_.*|VIRTUAL_ENV|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|PHP.*|JAVA.*|_JAVA_.*|JDK_.*|CLASSPATH|MAVEN_.*|GRADLE_.*|LUA_.*|GO[A-Z].*|CGO_.*|CARGO_.*|RUST.*|' +
    'EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESS.*|VIMINIT|EXINIT|MAKE.*|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS|AR|AS|LD|DOCKER_.*|KUBECONFIG|AWS_.*|GOOGLE_.*|AZURE_.*|GH_.*|GITHUB_.*|GPG_.*|' +
    'SUDO_.*|CURL_.*|WGETRC|.*_PROXY|.*_proxy|.*_COMMAND|.*_EDITOR|.*_PAGER|.*_ASKPASS|.*_OPTIONS|.*_OPTS|.*_HOME|TERMINFO.*|LOCPATH|NLSPATH|GCONV_PATH|RIPGREP_CONFIG_PATH|.*_LIBRARY_PATH|AWK.*PATH|.*_WRAPPER|.*_RUNNER|OPENSSL_.*|SSL_.*|BELAY_.*|MENTU_.*|CLAUDE_.*)$',
)

export function isSpecialVariable(name: string): boolean {
  return SPECIAL.test(name)
}
