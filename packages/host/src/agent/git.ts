import { gitFiles, isGitRepository } from './generated/git.ts'
import { hostAgent } from './host-agent.ts'

export const git = hostAgent({
  target: { agent: 'git', scopes: ['project'], isPresent: ({ projectRoot }) => isGitRepository(projectRoot), files: gitFiles },
  gateEvent: 'pre-commit',
})
