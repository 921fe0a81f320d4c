// Edit the host's own message list: hand it over when firing, change it in the hook.
import { createHooks } from '@belay/core'

interface Message {
  readonly role: string
  readonly text: string
}

export const hooks = createHooks()

hooks.on('PreToolUse', context => {
  const kept = context.messages.filter(message => !containsSecret(message as Message))
  context.messages.splice(0, context.messages.length, ...kept)
})

function containsSecret({ text }: Message): boolean {
  return /\bsk-[A-Za-z0-9]{8,}/.test(text)
}
