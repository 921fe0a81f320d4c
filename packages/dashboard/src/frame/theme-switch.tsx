// Light, dark, or as the system says, in turn.
import { Button } from '../part/button.tsx'
import { Icon } from '../part/icon.tsx'
import { setTheme, type Theme, useTheme } from './theme.ts'

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const THEME_ICONS = { system: 'screen', light: 'sun', dark: 'moon' } as const

export function ThemeSwitch() {
  const theme = useTheme()
  return (
    <Button
      look="quiet"
      onClick={() => setTheme(NEXT[theme])}
      aria-label={`Colours: ${theme}. Change to ${NEXT[theme]}`}
      title={`Colours: ${theme}`}
    >
      <Icon name={THEME_ICONS[theme]} size={15} />
    </Button>
  )
}
