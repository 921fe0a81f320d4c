// socat: each address names a way to open something: a file, a program, a socket.
import { type Call, touchArgument } from '../call.ts'
import { runCode } from '../nested-code.ts'
import type { Word } from '../shell-analysis.ts'
import { leadingText, textWord } from '../word.ts'

export function readAddresses(call: Call): readonly Word[] {
  for (const word of call.words.slice(1)) for (const half of leadingText(word).split('!!')) readAddress(call, half)
  return call.words
}

function readAddress(call: Call, address: string): void {
  const [, kind = '', rest = ''] = /^([A-Za-z0-9-]+):(.*)$/s.exec(address) ?? []
  const value = rest.replace(/(?<!\\),.*$/s, '')
  switch (kind.toUpperCase()) {
    case 'FILE':
    case 'OPEN':
    case 'GOPEN':
      touchArgument(call, 'read', textWord(value), 'deny-only')
      touchArgument(call, 'write', textWord(value), 'deny-only')
      return
    case 'UNIX':
    case 'UNIX-CONNECT':
    case 'UNIX-CLIENT':
    case 'UNIX-SENDTO':
    case 'UNIX-RECVFROM':
      touchArgument(call, 'read', textWord(value), 'deny-only')
      return
    case 'UNIX-LISTEN':
    case 'UNIX-RECV':
    case 'CREATE':
    case 'CREAT':
      touchArgument(call, 'write', textWord(value), 'deny-only')
      return
    case 'EXEC':
    case 'SYSTEM':
    case 'SHELL':
      runCode(
        call.walk,
        { code: textWord(value), span: call.unit.span, by: `socat ${kind}` },
        { ...call.place, role: 'deny-only', behind: [...call.place.behind, `socat ${kind}`] },
      )
      return
    default:
      return
  }
}
