// The desktop form of Devin reads Windsurf's hook files.
import type { Dialect } from '../dialect.ts'
import { windsurf } from './windsurf.ts'

export const devin: Dialect = { ...windsurf, id: 'devin', name: 'Devin', signs: { path: /(^|\/)\.devin\//, text: /\.devin\// } }
