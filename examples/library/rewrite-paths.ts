// Change the input in place: whatever the hook leaves in `toolInput` is what the tool gets.
import { allow, createHooks } from '@belay/core'

export const hooks = createHooks()

hooks.on('PreToolUse', 'Read|Write|Edit', context => {
  const path = context.toolInput.file_path
  if (typeof path === 'string') context.toolInput.file_path = `/mnt/remote${path}`
  return allow()
})
