// What a project is built with, told from the files at its root.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Stack {
  readonly name: string
  /** Commands that check and build, which an agent runs all day. */
  readonly safe: readonly string[]
  /** Commands that reach other people. */
  readonly careful: readonly string[]
}

interface StackSign extends Stack {
  /** Any of these at the root; a leading `*` compares the ending. */
  readonly files: readonly string[]
}

const PACKAGE_MANAGERS: readonly StackSign[] = [
  {
    name: 'pnpm',
    files: ['pnpm-lock.yaml'],
    safe: ['pnpm test *', 'pnpm run *', 'pnpm lint *', 'pnpm build *'],
    careful: ['pnpm publish *'],
  },
  {
    name: 'yarn',
    files: ['yarn.lock'],
    safe: ['yarn test *', 'yarn run *', 'yarn lint *', 'yarn build *'],
    careful: ['yarn npm publish *'],
  },
  { name: 'bun', files: ['bun.lock', 'bun.lockb'], safe: ['bun test *', 'bun run *'], careful: ['bun publish *'] },
  { name: 'npm', files: ['package.json'], safe: ['npm test *', 'npm run *'], careful: ['npm publish *'] },
]

const STACKS: readonly StackSign[] = [
  {
    name: 'python',
    files: ['pyproject.toml', 'setup.py', 'requirements.txt', 'Pipfile'],
    safe: ['pytest *', 'ruff *', 'mypy *'],
    careful: ['twine upload *'],
  },
  { name: 'go', files: ['go.mod'], safe: ['go test *', 'go build *', 'go vet *', 'gofmt *'], careful: [] },
  {
    name: 'rust',
    files: ['Cargo.toml'],
    safe: ['cargo test *', 'cargo build *', 'cargo check *', 'cargo clippy *'],
    careful: ['cargo publish *'],
  },
  { name: 'ruby', files: ['Gemfile'], safe: ['bundle exec rspec *', 'bundle exec rubocop *'], careful: ['gem push *'] },
  { name: 'php', files: ['composer.json'], safe: ['composer test *', 'vendor/bin/phpunit *'], careful: [] },
  { name: 'maven', files: ['pom.xml'], safe: ['mvn test *', 'mvn verify *'], careful: ['mvn deploy *'] },
  {
    name: 'gradle',
    files: ['build.gradle', 'build.gradle.kts'],
    safe: ['./gradlew test *', './gradlew build *'],
    careful: ['./gradlew publish *'],
  },
  { name: 'dotnet', files: ['*.sln', '*.csproj'], safe: ['dotnet test *', 'dotnet build *'], careful: ['dotnet nuget push *'] },
  {
    name: 'terraform',
    files: ['*.tf'],
    safe: ['terraform fmt *', 'terraform validate *', 'terraform plan *'],
    careful: ['terraform apply *', 'terraform destroy *'],
  },
  { name: 'make', files: ['Makefile'], safe: ['make test *', 'make build *', 'make lint *'], careful: [] },
]

/** Of package managers only one counts; of the rest all that are there.
 * @internal */
export const ALL_STACKS: readonly Stack[] = [...PACKAGE_MANAGERS, ...STACKS]

export function findStacks(root: string): readonly Stack[] {
  const names = existsSync(root) ? readdirSync(root) : []
  const isThere = (sign: string): boolean =>
    sign.startsWith('*') ? names.some(name => name.endsWith(sign.slice(1))) : existsSync(join(root, sign))
  const found = (sign: StackSign): boolean => sign.files.some(isThere)
  const manager = PACKAGE_MANAGERS.find(found)
  return [...(manager === undefined ? [] : [manager]), ...STACKS.filter(found)]
}
