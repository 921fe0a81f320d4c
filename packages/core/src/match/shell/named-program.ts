// The program that an image or a package may hold, told from its name: `amazon/aws-cli:2` is aws, `nixpkgs#git` is git.

/** What is added to the name of a program to name a package of it. */
const ADDED = /(?:[-_]?(?:cli|client|docker|image|tool|bin|static))?[\d.]*$/
const PLAIN = /^[\w-]*$/

/** Empty where the name says no more than itself. */
export function programsNamed(reference: string): readonly string[] {
  if (reference.length > MAX_LENGTH) return []
  const [name = ''] = (/[^/]*$/.exec(reference.replace(/@(?:sha256:)?[\w.-]*$/, ''))?.[0] ?? '').split(':').filter(part => part !== '')
  const whole = name.slice(name.lastIndexOf('#') + 1)
  const last = whole.slice(whole.lastIndexOf('.') + 1)
  const found = new Set([whole, last, last.replace(ADDED, '')])
  return [...found].filter(each => each !== '' && PLAIN.test(each))
}

const MAX_LENGTH = 256
