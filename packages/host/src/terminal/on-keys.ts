// Keys as they are pressed at this terminal; gives what ends it. Whoever listens has set the terminal to raw mode.
export function onKeys(listener: (keys: string) => void): () => void {
  const { stdin } = process
  const onData = (keys: Buffer): void => listener(keys.toString())
  stdin.on('data', onData)
  return () => {
    stdin.off('data', onData)
    stdin.pause()
  }
}
