// Acts that one sub-command does besides its own: `git flow publish` pushes, `kubectl apply --prune` deletes.

interface Implied {
  /** Only where this option is given. */
  readonly option?: string
  /** Only where more is given. */
  readonly isWithMore?: true
  /** Nothing: what it is given is the command. */
  readonly verbs: readonly string[]
}

/** What one sub-command does besides, or under another name: a rule for the second may speak of the first. */
export const IMPLIED: ReadonlyMap<string, Implied> = new Map<string, Implied>(
  Object.entries({
    'npm install-test': { verbs: ['install', 'test'] },
    'npm install-ci-test': { verbs: ['ci', 'test'] },
    'npm restart': { verbs: ['stop', 'start', 'run restart'] },
    'npm test': { verbs: ['run test'] },
    'npm start': { verbs: ['run start'] },
    'npm stop': { verbs: ['run stop'] },
    'npm run test': { verbs: ['test'] },
    'npm run start': { verbs: ['start'] },
    'npm run stop': { verbs: ['stop'] },
    'git for-each-repo': { verbs: [''] },
    'git subtree push': { verbs: ['push'] },
    'git subtree pull': { verbs: ['pull'] },
    'git lfs push': { verbs: ['push'] },
    'git send-pack': { verbs: ['push'] },
    'git http-push': { verbs: ['push'] },
    'git remote-http': { verbs: ['push', 'fetch'] },
    'git remote-https': { verbs: ['push', 'fetch'] },
    'git fetch-pack': { verbs: ['fetch'] },
    'git http-fetch': { verbs: ['fetch'] },
    'git svn dcommit': { verbs: ['push'] },
    'git p4 submit': { verbs: ['push'] },
    'terraform apply': { option: 'destroy', verbs: ['destroy'] },
    'tofu apply': { option: 'destroy', verbs: ['destroy'] },
    'kubectl replace': { option: 'force', verbs: ['delete'] },
    'kubectl drain': { verbs: ['delete'] },
    'pnpm install': { isWithMore: true, verbs: ['add'] },
    'bun i': { isWithMore: true, verbs: ['a'] },
    'pnpm add': { verbs: ['install'] },
    'gh alias set': { verbs: [''] },
    'glab alias set': { verbs: [''] },
    'terraform destroy': { verbs: ['apply'] },
    'tofu destroy': { verbs: ['apply'] },
    'bun a': { verbs: ['i'] },
    'terraform run-all': { verbs: [''] },
    'terraform run': { verbs: [''] },
    'terraform apply-all': { verbs: ['apply'] },
    'terraform destroy-all': { verbs: ['destroy'] },
    'git flow publish': { verbs: ['push'] },
    'git flow feature publish': { verbs: ['push'] },
    'git flow release publish': { verbs: ['push'] },
    'git flow hotfix publish': { verbs: ['push'] },
    'git annex push': { verbs: ['push'] },
    'git annex sync': { verbs: ['push', 'pull'] },
    'git town sync': { verbs: ['push', 'pull'] },
    'git town ship': { verbs: ['push'] },
    'git review': { verbs: ['push'] },
    'git cl upload': { verbs: ['push'] },
    'docker build': { option: 'push', verbs: ['push'] },
    'docker buildx bake': { option: 'push', verbs: ['push'] },
    'docker compose push': { verbs: ['push'] },
    'docker manifest push': { verbs: ['push'] },
    'aws s3api delete-object': { verbs: ['s3 rm'] },
    'aws s3api delete-objects': { verbs: ['s3 rm'] },
    'aws s3 rb': { option: 'force', verbs: ['s3 rm'] },
    'kubectl apply': { option: 'prune', verbs: ['delete'] },
    'cargo workspaces': { verbs: [''] },
    'cargo ws': { verbs: [''] },
    'cargo hack': { verbs: [''] },
    'cargo release': { verbs: ['publish'] },
    'composer global': { verbs: [''] },
    'yarn global': { verbs: [''] },
    'flutter packages': { verbs: [''] },
  }),
)
