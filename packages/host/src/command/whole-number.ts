// A number on the command line: anything else is bad usage, said with what was expected.
import { InvalidArgumentError } from 'commander'

export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return text => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(
      most === Number.MAX_SAFE_INTEGER
        ? `It is not a whole number from ${least} on.`
        : `It is not a whole number from ${least} to ${most}.`,
    )
  }
}
