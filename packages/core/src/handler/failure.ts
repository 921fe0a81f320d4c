// The failures of handlers, coded: what went wrong in the words of the case, then what to do about it.

import type { HandlerRun, RunDetail } from '../hook/hook-result.ts'

interface CodedFailure {
  readonly message: string
  readonly remedy: string
}

export const HANDLER_ERRORS = {
  BELAY_HANDLER_CRASHED: {
    message: 'a handler itself failed in a way it should not',
    remedy: 'please report this',
  },
  BELAY_HANDLER_NO_CWD: {
    message: 'the working directory of a command hook does not exist',
    remedy: 'run the agent in a directory that exists, or give the hook a cwd',
  },
  BELAY_HANDLER_NO_PROGRAM: {
    message: 'the program of a command hook is missing or not executable',
    remedy: 'check its path and PATH, and chmod +x it',
  },
  BELAY_HANDLER_NOT_STARTED: {
    message: 'the system refused to start a command hook',
    remedy: 'check its command, arguments and env',
  },
  BELAY_HANDLER_EXIT: {
    message: 'a command hook exited with a code that is neither success nor a deny',
    remedy: 'exit 0 with the answer on stdout, or 2 with the reason on stderr to deny',
  },
  BELAY_HANDLER_SIGNAL: {
    message: 'a command hook was ended by a signal',
    remedy: 'find out what killed it; it counts as failed, whatever it printed before',
  },
  BELAY_HANDLER_BAD_ANSWER: {
    message: 'a hook gave an answer that means nothing',
    remedy: 'print exactly one JSON object and nothing else',
  },
  BELAY_HANDLER_BAD_CONFIG: {
    message: 'the config of a built-in hook is wrong',
    remedy: 'correct it; `belay genesis validate` names the place',
  },
  BELAY_HANDLER_NO_PORT: {
    message: 'a built-in hook needs a part that this host does not have',
    remedy: 'run it in the daemon, or pass the part in `ports`',
  },
  BELAY_HANDLER_PORT_FAILED: {
    message: 'the part of the host behind a built-in hook failed',
    remedy: 'see its message',
  },
  BELAY_HANDLER_NOT_APPLICABLE: {
    message: 'a built-in hook was put on an event or a value it cannot work on',
    remedy: 'move it to the event it is made for, or narrow its matcher',
  },
  BELAY_HANDLER_BATCH: {
    message: 'prompt and agent hooks do not run in batch mode',
    remedy: 'use a command or http hook there, or run interactively',
  },
  BELAY_HTTP_URL: {
    message: 'the address of an http hook cannot be called',
    remedy: 'use an http:// or https:// URL; Unix sockets are not supported',
  },
  BELAY_HTTP_REQUEST: {
    message: 'the request of an http hook cannot be sent',
    remedy: "check its headers: names and values must be legal in HTTP, and the variables they use set in the daemon's environment",
  },
  BELAY_HTTP_PRIVATE_ADDRESS: {
    message: 'an http hook points at a private address',
    remedy: 'name host or host:port under http_hooks.allow if this is meant',
  },
  BELAY_HTTP_STATUS: {
    message: 'the server of an http hook did not answer with a 2xx status',
    remedy: 'see the log of that server',
  },
  BELAY_HTTP_REDIRECT: {
    message: 'the server of an http hook answered with a redirect',
    remedy: 'redirects are not followed: use the final URL',
  },
  BELAY_HTTP_TOO_LARGE: {
    message: 'the answer of an http hook is too large',
    remedy: 'answer with less than 1 MiB',
  },
  BELAY_HTTP_UNREACHABLE: {
    message: 'the server of an http hook could not be reached',
    remedy: 'check that it runs and that the name resolves',
  },
  BELAY_LLM_NO_PROVIDER: {
    message: 'a prompt or agent hook has no model to ask',
    remedy: 'set llm.provider and llm.model in config.toml, or pass `llm` in code',
  },
  BELAY_LLM_FAILED: {
    message: 'the model of a prompt or agent hook gave no usable answer',
    remedy: 'try again, or check the model and its key (llm in config.toml)',
  },
  BELAY_LLM_BUDGET: {
    message: "the day's budget for prompt and agent hooks is used up, so they are off",
    remedy: 'it begins anew at midnight UTC; raise llm.daily_budget in config.toml to go on now',
  },
  BELAY_MCP_NO_CALLER: {
    message: 'an mcp_tool hook has no MCP connection to call through',
    remedy: 'run it in a host with MCP servers, or pass `mcp` in code',
  },
  BELAY_MCP_FAILED: {
    message: 'the MCP tool of a hook failed',
    remedy: 'check the server and the tool name',
  },
} as const satisfies Readonly<Record<string, CodedFailure>>

export type HandlerCode = keyof typeof HANDLER_ERRORS

export function failed(code: HandlerCode, what: string, detail?: RunDetail): HandlerRun {
  const why = `${what}; ${HANDLER_ERRORS[code].remedy} (${code})`
  return detail === undefined ? { kind: 'failed', code, why, what } : { kind: 'failed', code, why, what, detail }
}
