// A real Chromium from npm, unpacked once into a folder of our own. It runs with web security on: the tests of foreign origins need it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8')) as { version: string }
const folder = join(root, 'node_modules', '.cache', `chromium-${version}`)
const program = join(folder, 'chromium')

/** As long as the other tests wait for what does not come. */
export const PATIENCE_MS = 120_000

export async function openBrowser(): Promise<Browser> {
  unpack()
  return chromium.launch({
    executablePath: program,
    timeout: PATIENCE_MS,
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: environment(),
  })
}

/** The package unpacks into the temp folder and takes what it finds there for its own: so it gets a temp folder of its own. */
function unpack(): void {
  if (existsSync(program)) return
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())"
  // Under this name it also unpacks the libraries a bare system lacks.
  const env = { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' }
  execFileSync(process.execPath, ['-e', script], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    renameSync(fresh, folder)
  } catch {
    // Another test file was faster.
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Its own libraries only where the system lacks them: they are of another distribution. */
function environment(): Record<string, string> {
  const env = Object.fromEntries(Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined))
  const own = { ...env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }
  return starts(env) ? env : own
}

function starts(env: Record<string, string>): boolean {
  try {
    execFileSync(program, ['--version'], { env, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
