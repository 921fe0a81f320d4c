// Goes on with a value at once where it is there, else when it comes. Nearly every event finds what it needs in memory, and an event that waits
// for nobody should cost no promise.

export function whenReady<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
