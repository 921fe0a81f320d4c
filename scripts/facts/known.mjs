// What a program does not say where it is asked: docker's compose is a plugin that need not be there.
import { addCommand } from './record.mjs'

const COMPOSE =
  '-f,--file= -p,--project-name= --profile= --env-file= --project-directory= --workdir= --ansi= --parallel= --progress= --compatibility --dry-run --all-resources --verbose -v,--version'
const COMPOSE_VERBS =
  'attach build commit config=convert cp create down events exec export images kill logs ls pause port ps publish pull push restart rm run scale start stats stop top unpause up version volumes wait watch'

export function addCompose(program) {
  if (program === null) return
  const options = COMPOSE.split(' ').map(text => ({ names: text.replace(/=$/, '').split(','), arity: text.endsWith('=') ? '=' : '' }))
  addCommand(program, ['compose'], { options })
  for (const text of COMPOSE_VERBS.split(' ')) {
    const [name, ...aliases] = text.split('=')
    addCommand(program, ['compose', name], { aliases })
  }
}
