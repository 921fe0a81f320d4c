// `belay-hub people`: who is of the team, and in which role.
import { recordAct } from '../act/record-act.ts'
import { HubProblem } from '../database/hub-problem.ts'
import { isRole, ROLES } from '../database/role.ts'
import { addPerson, changeRole, removePerson } from '../people/person.ts'
import { formatTable } from './format-table.ts'
import { type HubIo, withHub } from './open-hub.ts'

interface Options {
  readonly config?: string
  readonly json?: boolean
}

export async function runPeopleList(options: Options, io: HubIo): Promise<number> {
  return withHub(options.config, io, async ({ db }) => {
    const people = await db.selectFrom('person').select(['name', 'role']).where('removed_at', 'is', null).orderBy('name').execute()
    io.out(
      options.json
        ? `${JSON.stringify({ people })}\n`
        : formatTable(
            ['name', 'role'],
            people.map(({ name, role }) => [name, role]),
          ),
    )
    return 0
  })
}

export async function runPeopleAdd(name: string, options: Options & { readonly role: string }, io: HubIo): Promise<number> {
  const role = needRole(options.role)
  if (!/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(name))
    throw new HubProblem(`${JSON.stringify(name)}: a name is letters, digits and . _ @ -, at most 64`)
  return withHub(options.config, io, async ({ db, signer, actor }) => {
    await db.transaction().execute(async tx => {
      if (!(await addPerson(tx, { name, role }))) throw new HubProblem(`there is, or was, somebody called ${name}; names are used once`)
      await recordAct(tx, signer, { actor, kind: 'person_added', body: { person: name, role } })
    })
    io.out(options.json ? `${JSON.stringify({ name, role })}\n` : `${name} is ${role}; \`belay-hub token person ${name}\` makes a token\n`)
    return 0
  })
}

export async function runPeopleRole(name: string, text: string, options: Options, io: HubIo): Promise<number> {
  const role = needRole(text)
  return withHub(options.config, io, async ({ db, signer, actor }) => {
    await db.transaction().execute(async tx => {
      if (!(await changeRole(tx, { name, role }))) throw new HubProblem(`there is nobody called ${name}`)
      await recordAct(tx, signer, { actor, kind: 'role_changed', body: { person: name, role } })
    })
    io.out(options.json ? `${JSON.stringify({ name, role })}\n` : `${name} is ${role}\n`)
    return 0
  })
}

export async function runPeopleRemove(name: string, options: Options, io: HubIo): Promise<number> {
  return withHub(options.config, io, async ({ db, signer, actor }) => {
    await db.transaction().execute(async tx => {
      const removed = await removePerson(tx, name)
      if (removed === 'unknown') throw new HubProblem(`there is nobody called ${name}`)
      if (removed === 'last_admin') throw new HubProblem(`${name} is the last administrator; make somebody else one first`)
      await recordAct(tx, signer, { actor, kind: 'person_removed', body: { person: name } })
    })
    io.out(options.json ? `${JSON.stringify({ name })}\n` : `${name} is removed, and so are the tokens of ${name}\n`)
    return 0
  })
}

function needRole(text: string) {
  if (!isRole(text)) throw new HubProblem(`${JSON.stringify(text)} is no role; there are ${ROLES.join(', ')}`)
  return text
}
