// The program that an image or a package may hold, told from its name: `amazon/aws-cli:2` is aws, `nixpkgs#git` is git.

/** What is added to the name of a program to name a package of it. */
const ADDED = /(?:[-_]?(?:cli|client|docker|image|tool|bin|static))?[\d.]*$/
const PLAIN = /^[\w-]*$/

/** Empty where the name says no more than itself. */
export function programsNamed(reference: string): readonly string[] {
  if (reference.length > MAX_LENGTH) return []
  const name = TAGGED.test(reference) ? withoutTag(reference) : reference.slice(reference.lastIndexOf('/') + 1)
  const whole = name.slice(name.lastIndexOf('#') + 1)
  const last = whole.slice(whole.lastIndexOf('.') + 1)
  const found: string[] = []
  for (const each of [whole, last, last.replace(ADDED, '')]) if (each !== '' && !found.includes(each) && PLAIN.test(each)) found.push(each)
  return found
}

const TAGGED = /[@:]/

function withoutTag(reference: string): string {
  return (/[^/]*$/.exec(reference.replace(/@(?:sha256:)?[\w.-]*$/, ''))?.[0] ?? '').split(':').find(part => part !== '') ?? ''
}

const MAX_LENGTH = 256
