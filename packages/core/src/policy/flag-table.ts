// What deny rules know about flags: which short flag is which long one, which global options take a value.
// The rows are text, read on first use: most commands need one of them, and reading all takes longer than deciding.

/** Programs whose options are words behind one dash: nothing to split. */
export const singleDashPrograms: ReadonlySet<string> = new Set(
  'find go java javac gcc g++ clang clang++ cc terraform tofu openssl ffmpeg ffprobe convert magick dotnet xcodebuild qemu-system-x86_64'.split(
    ' ',
  ),
)

/** Global options that take a value, by program: what follows the value is still the subcommand. */
export const valueOptionsOf = readLazily(
  {
    git: '-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --list-cmds --attr-source',
    docker: '-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey',
    podman: '-H --url -c --connection --identity --log-level --root --runroot --storage-driver',
    kubectl:
      '-n --namespace -s --server --context --cluster --user --kubeconfig --token --as --as-group --cache-dir --certificate-authority --client-certificate --client-key --request-timeout --tls-server-name -v --v',
    helm: '-n --namespace --kube-context --kubeconfig --kube-token --registry-config --repository-cache --repository-config',
    npm: '--prefix -C --workspace -w --registry --userconfig --globalconfig --cache --loglevel --location --tag --otp --scope',
    pnpm: '--prefix -C --dir --filter -F --workspace-dir --reporter --registry --loglevel --filter-prod --config',
    yarn: '--cwd --registry --cache-folder --modules-folder --mutex --network-timeout',
    bun: '--cwd --config -c --env-file',
    cargo: '--manifest-path --config -Z --color -C',
    gh: '-R --repo --hostname',
    aws: '--region --profile --output --endpoint-url --query --ca-bundle --cli-read-timeout --cli-connect-timeout --color',
    az: '--subscription -o --output --query',
    gcloud: '--project --account --configuration --format --verbosity --impersonate-service-account --billing-project',
    terraform: '-chdir',
    systemctl: '-H --host -M --machine -p --property -t --type --state -n --lines -o --output --root --signal -s',
    hg: '-R --repository --cwd --config --encoding',
    svn: '--username --password --config-dir --config-option',
    make: '-C -f -I -j -l -o -W --directory --file --makefile --jobs',
    apt: '-o -c -t --option --config-file --target-release',
    'apt-get': '-o -c -t --option --config-file --target-release',
    uv: '--directory --project --config-file --cache-dir --color --python -p',
    poetry: '-C --directory -P --project',
    pip: '--python --proxy --log --cache-dir --cert --client-cert --trusted-host --timeout --retries',
    psql: '-d --dbname -h --host -p --port -U --username -f --file -o --output -v --set',
    vercel: '--cwd -A --local-config -Q --global-config -t --token -S --scope -T --team',
    wrangler: '-c --config -e --env --cwd',
    tmux: '-L -S -f -c -T',
  },
  (options): ReadonlySet<string> => new Set(options.split(' ')),
)

const PAIRS: Readonly<Record<string, string>> = {
  rm: 'r=recursive R=recursive f=force i=interactive v=verbose d=dir',
  cp: 'r=recursive R=recursive f=force a=archive n=no-clobber p=preserve',
  mv: 'f=force n=no-clobber i=interactive',
  ln: 's=symbolic f=force',
  chmod: 'R=recursive v=verbose f=silent',
  chown: 'R=recursive v=verbose f=silent',
  chgrp: 'R=recursive',
  mkdir: 'p=parents m=mode',
  grep: 'r=recursive R=dereference-recursive i=ignore-case v=invert-match',
  curl: 'o=output O=remote-name X=request d=data F=form T=upload-file k=insecure L=location H=header u=user x=proxy K=config',
  wget: 'O=output-document q=quiet r=recursive i=input-file',
  git: 'v=verbose q=quiet',
  'git push': 'f=force d=delete u=set-upstream n=dry-run o=push-option',
  'git commit': 'n=no-verify a=all m=message s=signoff F=file',
  'git clean': 'f=force n=dry-run i=interactive q=quiet',
  'git checkout': 'f=force t=track m=merge p=patch',
  'git switch': 'f=force c=create C=force-create d=detach',
  'git branch': 'd=delete D=delete,force f=force m=move M=move,force c=copy C=copy,force',
  'git tag': 'd=delete f=force a=annotate s=sign',
  'git fetch': 'f=force p=prune t=tags',
  'git pull': 'f=force r=rebase',
  'git rebase': 'i=interactive f=force-rebase x=exec n=no-stat',
  'git merge': 'n=no-stat m=message',
  'git add': 'f=force A=all u=update p=patch',
  'git rm': 'r=recursive f=force n=dry-run',
  'git mv': 'f=force k=skip',
  'git worktree': 'f=force',
  'git submodule': 'f=force',
  'git stash': 'u=include-untracked a=all',
  npm: 'g=global f=force D=save-dev S=save w=workspace y=yes',
  pnpm: 'g=global r=recursive D=save-dev w=workspace-root F=filter',
  yarn: 'D=dev',
  'docker rm': 'f=force v=volumes',
  'docker rmi': 'f=force',
  'docker run': 'v=volume i=interactive t=tty d=detach e=env u=user',
  'docker system': 'a=all f=force',
  'docker volume': 'f=force',
  'docker image': 'a=all f=force',
  'kubectl delete': 'f=filename l=selector A=all-namespaces',
  apt: 'y=yes q=quiet',
  'apt-get': 'y=yes q=quiet',
  dnf: 'y=assumeyes',
  yum: 'y=assumeyes',
  pip: 'U=upgrade r=requirement e=editable y=yes q=quiet',
  pip3: 'U=upgrade r=requirement e=editable y=yes q=quiet',
  tar: 'x=extract c=create f=file z=gzip C=directory',
  kill: 's=signal l=list',
  pkill: 'f=full s=session u=euid',
  killall: 's=signal',
  sudo: 'u=user E=preserve-env i=login s=shell',
  rsync: 'a=archive r=recursive n=dry-run e=rsh',
  sed: 'i=in-place n=quiet e=expression f=file',
  shred: 'f=force u=remove z=zero',
  useradd: 'm=create-home',
  userdel: 'r=remove f=force',
  gh: 'R=repo',
  make: 'B=always-make f=file k=keep-going n=just-print',
  journalctl: 'f=follow',
  crontab: 'r=remove e=edit l=list',
  dpkg: 'P=purge r=remove i=install',
  rpm: 'e=erase i=install U=upgrade F=freshen',
  pacman: 'S=sync R=remove U=upgrade',
  'nix-env': 'i=install e=uninstall u=upgrade',
}

const pairsOf = readLazily(PAIRS, readPairs)

/** The long names of a short flag, by subcommand first. */
export function longFlags(program: string, subcommand: string | null, letter: string): readonly string[] | undefined {
  return (subcommand === null ? undefined : pairsOf(`${program} ${subcommand}`)?.get(letter)) ?? pairsOf(program)?.get(letter)
}

function readPairs(pairs: string): Map<string, string[]> {
  return new Map(
    pairs.split(' ').map(pair => {
      const [short = '', long = ''] = pair.split('=')
      return [short, long.split(',').map(name => `--${name}`)]
    }),
  )
}

/** Programs that take a long option cut short (`rm --recurs`). */
const ABBREVIATING = new Set(
  'rm cp mv ln chmod chown chgrp mkdir rmdir tar sort sed grep wget shred dd touch tee install git rsync'.split(' '),
)
let longNames: ReadonlySet<string> | null = null

export function abbreviates(program: string, given: string, name: string): boolean {
  if (given.length < 4 || given.length >= name.length || !name.startsWith(given) || !ABBREVIATING.has(program)) return false
  longNames ??= new Set(Object.values(PAIRS).flatMap(pairs => [...readPairs(pairs).values()].flat()))
  return !longNames.has(given)
}

function readLazily<T extends object>(rows: Readonly<Record<string, string>>, read: (row: string) => T): (name: string) => T | undefined {
  const unread = new Map(Object.entries(rows))
  const known = new Map<string, T>()
  return name => {
    const row = unread.get(name)
    if (row !== undefined) {
      unread.delete(name)
      known.set(name, read(row))
    }
    return known.get(name)
  }
}
