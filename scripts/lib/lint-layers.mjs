// The order of the folders as rules of the linter, so that an editor marks an import that goes the wrong way.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './ensure.mjs'
import { forbiddenFor, LAYERS } from './layers.mjs'

const file = join(root, 'biome.json')

/** One override for each folder that something stands after. */
function layerOverrides() {
  return Object.entries(LAYERS).flatMap(([name, { order }]) =>
    order.flat().flatMap(folder => {
      const forbidden = forbiddenFor(order, folder).filter(other => !other.includes('.'))
      if (folder.includes('.') || forbidden.length === 0) return []
      const message = `${folder} stands before these in scripts/lib/layers.mjs, so it does not import them.`
      const patterns = [{ group: forbidden.map(other => `../**/${other}/**`), message }]
      return [
        {
          includes: [`**/packages/${name}/src/${folder}/**`, '!**/*.test.ts', '!**/*.test.tsx', '!**/fixtures/**'],
          linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
        },
      ]
    }),
  )
}

const isLayer = override => override.linter?.rules?.style?.noRestrictedImports !== undefined

/** Whether biome.json says what the order says. */
export function hasLintRules() {
  const { overrides } = JSON.parse(readFileSync(file, 'utf8'))
  return JSON.stringify(overrides.filter(isLayer)) === JSON.stringify(layerOverrides())
}

export function writeLintRules() {
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  settings.overrides = [...settings.overrides.filter(override => !isLayer(override)), ...layerOverrides()]
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`)
}
