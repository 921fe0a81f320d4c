// Light, dark, or as the system says; kept in this browser.
import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'belay:theme'
const listeners = new Set<() => void>()

export function applyTheme(): void {
  const theme = readTheme()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  applyTheme()
  for (const listener of listeners) listener()
}

/** Also when the system changes its mind. */
export function useIsDark(): boolean {
  return useSyncExternalStore(watchTheme, isDark)
}

export function useTheme(): Theme {
  return useSyncExternalStore(watchTheme, readTheme)
}

function isDark(): boolean {
  const theme = readTheme()
  return theme === 'system' ? systemIsDark().matches : theme === 'dark'
}

function readTheme(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

function systemIsDark(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)')
}

function watchTheme(listener: () => void): () => void {
  listeners.add(listener)
  const system = systemIsDark()
  system.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', listener)
  }
}
