// What a person may do. Each role may do what those before it may.

export const ROLES = ['viewer', 'approver', 'publisher', 'admin'] as const

export type Role = (typeof ROLES)[number]

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
}

export function mayDo(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}
