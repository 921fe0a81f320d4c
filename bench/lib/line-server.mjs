// A server on node:net that takes lines, as bare as it can be: what the daemon is measured beside.
import { createServer } from 'node:net'

export function createLineServer(onLine) {
  return createServer(socket => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', () => socket.destroy())
    socket.on('data', piece => {
      text += piece
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 1)
        onLine(line, socket)
      }
    })
  })
}
