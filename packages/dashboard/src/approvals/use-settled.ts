// A value that follows another one when it has stopped changing.
import { useEffect, useState } from 'react'

export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
