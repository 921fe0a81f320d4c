// Belay's own command: what it starts is followed like any other launcher's.
import type { Program, ProgramTable } from './program.ts'
import { transparent } from './wrap.ts'

const belay: Program = {
  stops: true,
  exactNames: true,
  verbs: {
    run: transparent('--agent-id:value --actor:value', { exactNames: true }),
    'mcp-proxy': transparent('--url:value --header:value --listen:value --server:value --agent:value --hold:value', { exactNames: true }),
  },
}

/** An agent that is started without its guard does what this one may not. */
const agents: ProgramTable = {
  claude: {
    options:
      '--dangerously-skip-permissions:danger --allow-dangerously-skip-permissions:danger --bare:danger --settings:danger-value --setting-sources:danger-value --permission-mode:danger-value --allowedTools,--allowed-tools:danger-value --mcp-config:danger-value --plugin-dir:danger-value -p,--print --model:value --output-format:value -c,--continue -r,--resume:maybe',
    operands: 'data',
  },
  codex: {
    options:
      '--dangerously-bypass-approvals-and-sandbox:danger --yolo:danger --full-auto:danger -s,--sandbox:danger-value -a,--ask-for-approval:danger-value -c,--config:danger-value -m,--model:value -C,--cd:value',
    operands: 'data',
  },
  gemini: {
    options: '-y,--yolo:danger --approval-mode:danger-value --allowed-tools:danger-value -p,--prompt:value -m,--model:value',
    operands: 'data',
  },
  qwen: { same: 'gemini' },
  'cursor-agent': { options: '-f,--force:danger --yolo:danger -p,--print -m,--model:value', operands: 'data' },
}

export const ownTable: ProgramTable = { belay, mentu: { same: 'belay' }, belayd: { same: 'belay' }, ...agents }
