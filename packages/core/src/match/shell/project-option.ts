// Runners that take their code from the project: where an option or an operand leads them out of it, what runs there is not what a rule
// for this project meant (`eslint -c /tmp/x`, `turbo --cwd /tmp/x run y`, `npm install /tmp/x`).
import { runProject } from './argument-file.ts'
import type { Call } from './call.ts'
import type { Word } from './shell-analysis.ts'
import { dropText, leadingText } from './word.ts'

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Programs that run what their project or their configuration holds. */
const RUNNERS = set(
  'jest vitest mocha ava karma webpack rollup vite esbuild eslint prettier stylelint babel tsc next nuxt gatsby ng nx turbo lerna rubocop rspec ' +
    'bundle sbt dotnet swift zig ctest meson bazel bazelisk scons waf tox nox invoke inv fab pdm hatch pre-commit tofu terraform terragrunt ' +
    'skaffold tilt serverless sls cdk pulumi sam firebase wrangler vercel netlify fly flyctl flutter dart gleam mix rebar3 lein stack cabal raco ' +
    'storybook husky lint-staged playwright cypress bun deno docker docker-compose podman ansible-playbook nix nix-shell nix-build guix go ' +
    'docusaurus astro remix svelte-kit expo ionic cordova capacitor grunt gulp jake brunch parcel snowpack xo standard biome oxlint commitlint ' +
    'mvn mvnw gradle gradlew cmake cpack doit locust k6 monit supervisord tig lazygit logrotate knex mpv latexmk asciidoctor dnf yum pacman pnpm uv pytest luatex ' +
    'semantic-release release-it changeset plop hygen cucumber-js wdio nightwatch testcafe c8 nyc tap uvu phpstan psalm pint pest behat ' +
    'codecept mypy pylint flake8 ruff sphinx-build mkdocs molecule kitchen buck2 pants please earthly dagger mage goreleaser air reflex',
)

const OPTION =
  /^(?:-[cCpfrPR]|--?(?:cwd|chdir|root|rootdir|root-dir|project|project-?(?:dir|directory|file|root|path)|package-path|working-?dir(?:ectory)?|work-?dir|directory|base-?dir|manifest-path|config|config-?(?:file|path|dir)|gemfile|bazelrc|package_path|build-file|test-dir|stack-yaml|search-root|settings-file|bootstrap|plugin|rulesdir|setupFiles|require|loader|import|preload|modfile|file|format|formatter|app|template|terragrunt-working-dir|gulpfile|gruntfile|knexfile|toolchain|toolchains|native-file|cross-file|globalSetup|globalTeardown|testRunner|testEnvironment|resolver|transform|reporters?|setupFilesAfterEnv|runner|include-dir|cov-config|with-editable|script|import-map|python|config-file|s|gs|settings|global-settings|lockfile-path|pkgdir|build|b|I|p|t|template-dir))$/i

/** Verbs behind which a package or a project stands. */
const TAKES_PROJECT = set('install i add link ln build test run apply develop shell deploy up check')
const INSTALLERS = set(
  'npm yarn pnpm bun gem brew apt apt-get rpm snap flatpak dotnet flutter dart gleam mix raco terraform tofu vite next nuxt nix',
)
/** Their operands are projects wherever they stand. */
const TAKES_PROJECTS = set('ansible-playbook nix-shell nix-build mkdocs logrotate run-parts k6 locust')

/** They run a package, or a folder that is one: the first word that is no option. */
const LAUNCHERS = set('npx bunx pnpx uvx')
/** What stands behind `--` is for the script of the project, mostly a runner. */
const SCRIPTED = set('npm yarn')

export function checkProjectOptions(call: Call): void {
  const { name, words } = call
  if (LAUNCHERS.has(name)) {
    const first = words.find((word, at) => at > 0 && !leadingText(word).startsWith('-'))
    if (first && isPath(first)) runProject(call, name, first)
    return
  }
  if (SCRIPTED.has(name)) checkScriptOptions(call)
  const takesOperands = TAKES_PROJECTS.has(name) || (INSTALLERS.has(name) && TAKES_PROJECT.has(words[1]?.value ?? ''))
  if (!RUNNERS.has(name) && !takesOperands) return
  if (RUNNERS.has(name)) checkOptions(call, 1)
  if (takesOperands) for (const word of words.slice(1)) if (isPath(word)) runProject(call, name, word)
}

function checkScriptOptions(call: Call): void {
  const end = call.words.findIndex(word => word.value === '--')
  if (end >= 0) checkOptions(call, end + 1)
}

function checkOptions(call: Call, from: number): void {
  for (let at = from; at < call.words.length; at++) {
    const word = call.words[at] as Word
    const text = leadingText(word)
    // A file of arguments.
    if (text.startsWith('@')) runProject(call, call.name, dropText(word, 1))
    const equals = text.startsWith('-') ? text.indexOf('=') : -1
    const option = equals > 0 ? text.slice(0, equals) : text
    if (!OPTION.test(option)) continue
    const value = equals > 0 ? dropText(word, equals + 1) : call.words[at + 1]
    if (value && isPath(value)) runProject(call, `${call.name} ${option}`, value)
  }
}

function isPath(word: Word): boolean {
  return /^(?:\.{1,2}\/|\.\.$|\/)/.test(word.value ?? '')
}
