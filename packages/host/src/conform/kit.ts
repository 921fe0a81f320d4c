// What the tests with real agents and the scripts of this repository use of this folder.
export { HOST_AGENTS } from '../agent/agents.ts'
export { MAIN_MARK } from './offered-tool.ts'
export { renderSupport } from './render.ts'
export { checkRow, compareRows } from './row.ts'
export { offeredTools, startScriptedModel } from './scripted-model.ts'
