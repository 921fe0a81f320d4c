// Loads an optional package when it is first needed. The name is a value, so that no bundler takes the package along.

/** Both ways of loading have a code of their own for "not there". */
const MISSING = new Set<unknown>(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])

export async function loadPackage<T>(name: string): Promise<T> {
  try {
    return (await import(name)) as T
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && MISSING.has(error.code))) throw error
    throw new Error(`the package ${name} is not installed; npm install ${name === 'ai' ? 'ai' : `ai ${name}`}`)
  }
}
