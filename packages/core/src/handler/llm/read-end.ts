// The last bytes of a file, or the first: never more, and never from something that is no file.
import { constants, promises } from 'node:fs'
import { basename } from 'node:path'

export function readEnd(file: string, mostBytes: number): Promise<string> {
  return readPart(file, mostBytes, true)
}

export function readStart(file: string, mostBytes: number): Promise<string> {
  return readPart(file, mostBytes, false)
}

/** A pipe or a device would be waited for, perhaps for ever, by one of the few threads that read files. */
async function readPart(file: string, mostBytes: number, isEnd: boolean): Promise<string> {
  if (!(await promises.stat(file)).isFile()) throw new Error(`${basename(file)} is not a file`)
  const handle = await promises.open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, mostBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, isEnd ? size - length : 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
