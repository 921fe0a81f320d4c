// skill_discovery: the skills that a prompt is about come with it, best first, each once a session, within a budget of characters.
import type { InlineAnswer } from '../hook/hook-context.ts'
import type { Guardrail } from './guardrail.ts'
import type { SkillDocument, SkillPort } from './guardrail-ports.ts'
import { scoreSkills } from './score-skills.ts'
import { createMemoryPort } from './session-memory.ts'

export interface SkillDiscoveryConfig {
  readonly budget: number
  /** How many skills at once. */
  readonly most: number
  /** Tenths of a point that a skill must reach at least. */
  readonly minScore: number
}

const MAX_PROMPT = 20_000

export const skillDiscovery: Guardrail<SkillDiscoveryConfig> = {
  name: 'skill_discovery',
  description: 'adds the skills that a prompt is about, each once a session',
  events: ['UserPromptSubmit'],
  isHarmless: true,
  readConfig: reader => ({ budget: reader.count('budget', 6000), most: reader.count('most', 2), minScore: reader.count('min_score', 10) }),
  createHooks(config, ports) {
    const { skills } = ports
    if (skills === undefined) throw new Error('skill_discovery needs to know the skills (ports.skills)')
    const told = (ports.memory ?? createMemoryPort()).open('skill_discovery', () => new Set<string>())
    return [
      {
        event: 'UserPromptSubmit',
        run: async context =>
          discover(config, context.userPrompt ?? '', told.of(context.sessionId), {
            port: skills,
            documents: await skills.list(ports.rootOf(context.source)),
          }),
      },
    ]
  },
}

async function discover(
  config: SkillDiscoveryConfig,
  prompt: string,
  told: Set<string>,
  { port, documents }: { readonly port: SkillPort; readonly documents: readonly SkillDocument[] },
): Promise<InlineAnswer> {
  const best = scoreSkills(prompt.slice(0, MAX_PROMPT), documents)
    .filter(({ skill, score }) => score * 10 >= config.minScore && !told.has(skill.name))
    .slice(0, config.most)
  let left = config.budget
  const texts: string[] = []
  for (const { skill } of best) {
    const text = await showSkill(port, skill, left)
    if (text === null) continue
    texts.push(text)
    told.add(skill.name)
    left -= text.length
  }
  return texts.length === 0 ? undefined : { context: texts.join('\n\n') }
}

/** The whole document where it fits, else where to read it; null: not even that fits. */
async function showSkill(port: SkillPort, { name, description, file }: SkillDocument, budget: number): Promise<string | null> {
  const head = `Skill ${name} (${file}): ${description}`
  const body = stripFrontmatter(await port.read(file)).trim()
  const whole = body === '' ? head : `${head}\n${body}`
  if (whole.length <= budget) return whole
  const short = `${head}\nRead ${file} before you begin.`
  return short.length <= budget ? short : null
}

function stripFrontmatter(text: string): string {
  return text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---(?:\r?\n|$)/, '')
}
