// The commands about the work: tasks, efforts, sessions, agents, directives, skills, and the pause.
import type { Command } from 'commander'
import type { CommandIo } from '../terminal/io.ts'
import type { Outcome } from './program.ts'
import { wholeNumber } from './whole-number.ts'

type Settle = (code: number | Promise<number>) => Promise<void>

export function addStateCommands(program: Command, io: CommandIo, outcome: Outcome): void {
  const settle: Settle = async code => {
    outcome.code = await code
  }
  addTask(program, io, settle)
  addEffort(program, io, settle)
  addSession(program, io, settle)
  addAgent(program, io, settle)
  addFiles(program, io, settle)
  addProgress(program, io, settle)
}

function addTask(program: Command, io: CommandIo, settle: Settle): void {
  const task = program.command('task').description('directories in which skills were run')
  json(task.command('list').description('the tasks of this project').option('--all', 'of every project')).action(async options =>
    settle((await import('./task.ts')).runTaskList(options, io)),
  )
  json(task.command('show').description('one task and its efforts').argument('<dir>')).action(async (dir, options) =>
    settle((await import('./task.ts')).runTaskShow(dir, options, io)),
  )
}

function addEffort(program: Command, io: CommandIo, settle: Settle): void {
  const effort = program.command('effort').description('runs of a skill, across all the sessions they take')
  json(
    effort
      .command('start')
      .description('begin a run of a skill')
      .argument('<skill>')
      .option('--mode <mode>', "one of the skill's modes")
      .option('--task <dir>', 'the directory of the task; default: here')
      .option('--title <text>', 'what the task is about')
      .option('--description <text>', 'the same in more words')
      .option('--keywords <words>', 'comma list that finds the task')
      .option('--for <task>', "id in the agent's own list of tasks; completing that one finishes the effort")
      .option('--metadata <json>', 'guards and other facts of the effort'),
  ).action(async (skill, options) => settle((await import('./effort.ts')).runEffortStart(skill, options, io)))
  json(
    effort
      .command('phase')
      .description('go on to the next phase')
      .argument('<next>')
      .option('--proof <json>', 'what shows that the last phase is done')
      .option('--force', 'skip or go back; recorded'),
  ).action(async (next, options) => settle((await import('./effort.ts')).runEffortPhase(next, options, io)))
  json(
    effort
      .command('take')
      .description('go on here with an effort of another machine of the team; who is first has it')
      .argument('<effort>', 'MACHINE/ID, as the fleet of the hub lists it')
      .option('--task <dir>', 'the directory of the task here; default: this one')
      .option('--force', 'also where its agent has handed nothing over and may still be at work'),
  ).action(async (taken, options) => settle((await import('./effort-take.ts')).runEffortTake(taken, options, io)))
  json(effort.command('finish').description('end the effort').argument('[id]', 'default: yours', wholeNumber(1))).action(
    async (id, options) => settle((await import('./effort.ts')).runEffortFinish(id, options, io)),
  )
  json(
    effort
      .command('inject')
      .description('a note that the agent of an effort reads at its next tool call')
      .argument('<text>')
      .option('--id <id>', 'which effort; default: yours', wholeNumber(1))
      .option('--path <file>', 'a file that the note is about'),
  ).action(async (text, options) => settle((await import('./effort.ts')).runEffortInject(text, options, io)))
  json(effort.command('list').description('the efforts of this project').option('--all', 'of every project')).action(async options =>
    settle((await import('./effort.ts')).runEffortList(options, io)),
  )
  json(effort.command('show').description('phases, sessions and artifacts').argument('[id]', 'default: yours', wholeNumber(1))).action(
    async (id, options) => settle((await import('./effort.ts')).runEffortShow(id, options, io)),
  )
}

function addSession(program: Command, io: CommandIo, settle: Settle): void {
  const session = program.command('session').description('context windows, each linked to the one before it')
  json(
    session
      .command('list')
      .description('the sessions of this project')
      .option('--all', 'of every project')
      .option('--open', 'only those that go on'),
  ).action(async options => settle((await import('./session.ts')).runSessionList(options, io)))
  json(session.command('show').description('one session and its messages').argument('[id]', 'default: yours', wholeNumber(1))).action(
    async (id, options) => settle((await import('./session.ts')).runSessionShow(id, options, io)),
  )
  json(session.command('finish').description('end your session').option('--dehydrate <json>', 'what the next one needs to know')).action(
    async options => settle((await import('./session.ts')).runSessionFinish(options, io)),
  )
}

function addAgent(program: Command, io: CommandIo, settle: Settle): void {
  const agent = program.command('agent').description('who works here, and in which role')
  json(agent.command('list').description('every agent and its status')).action(async options =>
    settle((await import('./agent.ts')).runAgentList(options, io)),
  )
  json(agent.command('show').description('one agent').argument('<id>')).action(async (id, options) =>
    settle((await import('./agent.ts')).runAgentShow(id, options, io)),
  )
  json(
    agent
      .command('bind')
      .description('give an agent a role; prints lines for a shell: eval "$(belay agent bind ID ROLE)" (for people)')
      .argument('<id>', 'who it is (AGENT_ID)')
      .argument('<role>', 'such as reviewer or agent:reviewer')
      .option('--label <text>', 'what people call it'),
  ).action(async (id, role, options) => settle((await import('./agent.ts')).runAgentBind(id, role, options, io)))
}

function addFiles(program: Command, io: CommandIo, settle: Settle): void {
  const directive = program.command('directive').description('files with rules for a directory')
  json(directive.command('list').description('those that hold here, and those delivered to the effort')).action(async options =>
    settle((await import('./directive.ts')).runDirectiveList(options, io)),
  )
  json(directive.command('discover').description('those that hold for a path').argument('<path>')).action(async (path, options) =>
    settle((await import('./directive.ts')).runDirectiveDiscover(path, options, io)),
  )
  const skill = program.command('skill').description('what SKILL.md files describe')
  json(skill.command('list').description('every skill known here')).action(async options =>
    settle((await import('./skill.ts')).runSkillList(options, io)),
  )
  json(skill.command('show').description('one skill').argument('<name>')).action(async (name, options) =>
    settle((await import('./skill.ts')).runSkillShow(name, options, io)),
  )
}

function addProgress(program: Command, io: CommandIo, settle: Settle): void {
  json(program.command('log').description('a progress entry; the heartbeat starts again').argument('<text...>')).action(
    async (words, options) => settle((await import('./log.ts')).runLog(words, options, io)),
  )
  json(program.command('dehydrate').description('hand over to the next session').argument('[json]', 'an object, or - for stdin')).action(
    async (text, options) => settle((await import('./dehydrate.ts')).runDehydrate(text, options, io)),
  )
  json(
    program
      .command('pause')
      .description('decide nothing for a while, record everything (for people)')
      .argument('<duration>', '10m, 2h; off ends it')
      .option('--reason <text>', 'why, for the record'),
  ).action(async (duration, options) => settle((await import('./pause.ts')).runPause(duration, options, io)))
}

function json(command: Command): Command {
  return command.option('--json', 'print JSON')
}
