// Commands inside containers and pods.
import type { Program, ProgramTable } from './program.ts'
import { gate } from './wrap.ts'

const CONTAINER_RUN =
  '-d,--detach -i,--interactive -t,--tty --rm --init --privileged:danger -P,--publish-all --read-only --no-healthcheck -q,--quiet --sig-proxy:maybe --oom-kill-disable ' +
  '-e,--env:value --env-file:read -v,--volume:volume -w,--workdir:value -u,--user:value -p,--publish:value --name:value --network,--net:value --mount:mount -h,--hostname:value ' +
  '-l,--label:value --label-file:read --entrypoint:words -m,--memory:value --memory-swap:value --cpus:value --cpuset-cpus:value -c,--cpu-shares:value --gpus:value --platform:value --pull:value ' +
  '--restart:value --add-host:value --cap-add:danger-value --cap-drop:value --security-opt:value --shm-size:value --tmpfs:value --ulimit:value --device:danger-value --dns:value --expose:value ' +
  '--ip:value --ipc:value --pid:danger-value --userns:value --uts:value --log-driver:value --log-opt:value --link:value --stop-signal:value --stop-timeout:value --volumes-from:value ' +
  '--cidfile:write --cgroupns:value --runtime:value --sysctl:value --network-alias:value --health-cmd:value --group-add:value -a,--attach:value --arch:value --pod:value'

const CONTAINER_EXEC =
  '-d,--detach -i,--interactive -t,--tty --privileged -e,--env:value --env-file:read -w,--workdir:value -u,--user:value --detach-keys:value'
const CONTAINER_GLOBAL =
  '-H,--host:danger-value -c,--context:value --config:danger-value -D,--debug -l,--log-level:value --tls --tlscacert:value --tlscert:value --tlskey:value --tlsverify -v,--version'
const COMPOSE =
  '-f,--file:read -p,--project-name:value --profile:value --env-file:read --project-directory:value --ansi:value --parallel:value --progress:value --compatibility --dry-run'
const COMPOSE_RUN =
  '-d,--detach -T,--no-TTY,--no-tty --rm --service-ports --no-deps --build -i,--interactive -q,--quiet --quiet-pull --use-aliases --remove-orphans -e,--env:value -w,--workdir:value ' +
  '-u,--user:value -v,--volume:volume -p,--publish:value -l,--label:value --name:value --entrypoint:words --index:value --privileged -t,--tty'

const KUBE_FILE =
  '-f,--filename:read -k,--kustomize:read --from-file:named-path --from-env-file:read --patch-file:read --cert:read --key:read -n,--namespace:value --context:value -o,--output:value -l,--selector:value --dry-run:maybe -A,--all-namespaces --from-literal:value'

const IMAGE = { skip: 1, skipUse: 'image', exactNames: true } as const

const compose: Program = {
  options: COMPOSE,
  stops: true,
  exactNames: true,
  verbs: { exec: gate(COMPOSE_RUN, { skip: 1, exactNames: true }), run: gate(COMPOSE_RUN, IMAGE) },
}

const build: Program = {
  reader: 'build-file',
  options:
    '-f,--file:read -t,--tag:value --build-arg:value -o,--output:write-own --target:value --platform:value --iidfile:write --secret:mount --ssh:named-path --build-context:named-path --cache-from:value --cache-to:value --progress:value',
}

const container: Program = {
  options: CONTAINER_GLOBAL,
  stops: true,
  exactNames: true,
  verbs: {
    run: gate(CONTAINER_RUN, IMAGE),
    create: gate(CONTAINER_RUN, IMAGE),
    exec: gate(CONTAINER_EXEC, { skip: 1, exactNames: true }),
    container: {
      verbs: {
        run: gate(CONTAINER_RUN, IMAGE),
        create: gate(CONTAINER_RUN, IMAGE),
        exec: gate(CONTAINER_EXEC, { skip: 1, exactNames: true }),
      },
    },
    compose,
    cp: { options: '-a,--archive -L,--follow-link -q,--quiet', operands: 'copy' },
    save: { options: '-o,--output:write' },
    export: { options: '-o,--output:write' },
    build,
    buildx: { verbs: { build, b: build } },
    builder: { verbs: { build } },
    image: { verbs: { build, save: { options: '-o,--output:write' }, load: { options: '-i,--input:read' }, import: { operands: 'read' } } },
    load: { options: '-i,--input:read -q,--quiet' },
    import: { options: '-c,--change:value -m,--message:value', operands: 'read' },
    volume: { verbs: { create: { options: '-o,--opt:mount -d,--driver:value --label:value --name:value', exactNames: true } } },
    plugin: { verbs: { install: { danger: 'installs a program' } } },
    service: {
      verbs: {
        create: gate(`${CONTAINER_RUN} --mode:value --replicas:value --secret:value`, IMAGE),
        update: { options: '--mount-add:mount --mount-rm:value --image:value --args:value --env-add:value', operands: 'data' },
      },
    },
    secret: { verbs: { create: { options: '-l,--label:value -d,--driver:value', operands: 'read-after-first' } } },
    config: { verbs: { create: { options: '-l,--label:value', operands: 'read-after-first' } } },
    stack: { verbs: { deploy: { options: '-c,--compose-file:read --with-registry-auth --prune', operands: 'data' } } },
  },
}

export const containerTable: ProgramTable = {
  docker: container,
  podman: { ...container, verbs: { ...container.verbs, unshare: gate('--rootless-netns') } },
  nerdctl: container,
  'docker-compose': compose,
  'podman-compose': compose,
  kubectl: {
    options:
      '-n,--namespace:value --context:value --kubeconfig:read --cluster:value --user:value -s,--server:value --token:value --as:value --as-group:value -v,--v:value --request-timeout:value',
    exactNames: true,
    stops: true,
    verbs: {
      ...Object.fromEntries(
        [
          'apply',
          'create',
          'delete',
          'replace',
          'get',
          'describe',
          'diff',
          'patch',
          'label',
          'annotate',
          'edit',
          'expose',
          'scale',
          'wait',
        ].map(verb => [verb, { options: KUBE_FILE }]),
      ),
      cp: { options: '-c,--container:value -n,--namespace:value --context:value --no-preserve --retries:value', operands: 'copy' },
      exec: gate(
        '-i,--stdin -t,--tty -c,--container:value -n,--namespace:value -q,--quiet -f,--filename:read --context:value --pod-running-timeout:value',
        { skip: 1, exactNames: true },
      ),
      run: gate(
        '-i,--stdin -t,--tty --rm --image:value --restart:value -n,--namespace:value --env:value --command --attach -l,--labels:value --port:value --overrides:value --dry-run:maybe -o,--output:value -q,--quiet --image-pull-policy:value --expose',
        IMAGE,
      ),
      debug: gate(
        '-i,--stdin -t,--tty --image:value -c,--container:value --target:value -n,--namespace:value --profile:value --copy-to:value',
        { skip: 1, exactNames: true },
      ),
    },
  },
}
