// Programs that have something started later, by the system or in a terminal of the person's own, or now by a program of the person's desktop:
// what runs there no longer runs below an agent, and could decide as a person does. The files that say so are protected; these do without.
import type { Word } from '../shell/shell-analysis.ts'
import { leadingText } from '../shell/word.ts'
import type { Protection } from './protect-path.ts'

interface Later {
  /** One of these words says so; absent: always. */
  readonly when?: RegExp
  /** None of these words. */
  readonly unless?: RegExp
}

const SHOWS = /^(?:-l|--list|-V|--version|-h|--help)$/

/** Files that a desktop starts when they are opened, and the extensions by which it knows them. */
const STARTED =
  /^(?!https?:).*\.(?:desktop|command|tool|app|terminal|term|workflow|action|scpt|scptd|applescript|jar|exe|lnk|bat|appimage|run|sh)\/?$/i
const TERMINALS =
  /^(?:.*\/)?(?:terminal|iterm2?|warp|hyper|ghostty|kitty|alacritty|wezterm|tabby|rio|automator|script editor|shortcuts)(?:\.app)?$/i
/** Over D-Bus: terminals, starters of programs, and shells that run code. */
const CALLED =
  /terminal|konsole|guake|yakuake|tilix|klauncher|kglobalaccel|shell\.eval|flatpak\.development|freedesktop\.application|startservicebyname|starttransientunit|linkunitfiles|setenvironment|(?:^|\.)eval$/i

const each = (names: string, later: Later): readonly (readonly [string, Later])[] => names.split(' ').map(name => [name, later] as const)

/** One process has all windows: a command in a new one has that process above it, no agent. */
const DESKTOP: ReadonlyMap<string, Later> = new Map([
  ...each(
    'gnome-terminal gnome-terminal.real xfce4-terminal mate-terminal lxterminal qterminal tilix terminator guake kgx ptyxis konsole',
    {
      unless: SHOWS,
    },
  ),
  ...each('gnome-console x-terminal-emulator terminology deepin-terminal cosmic-term ghostty footclient urxvtc wt wt.exe', {
    unless: SHOWS,
  }),
  ...each('kitty kitten', { when: /^(?:@(?:launch|send-text|send-key|run)?|launch|send-text|--single-instance|-1)$/, unless: /^ls$/ }),
  ...each('wezterm', { when: /^(?:spawn|start|send-text|split-pane)$/ }),
  ...each('alacritty', { when: /^msg$/ }),
  ...each('dex dex-autostart gtk-launch kstart kstart5 kstart6 gapplication', { unless: SHOWS }),
  ...each('xdg-open gio gvfs-open kde-open kde-open5 kfmclient kioclient kioclient5 kioclient6 exo-open mimeopen run-mailcap see', {
    when: new RegExp(`^(?:launch|exec|--launch)$|${STARTED.source}`, 'i'),
  }),
  ...each('open', { when: new RegExp(`${STARTED.source}|${TERMINALS.source}`, 'i') }),
  ...each('osascript', { when: /do script|write text|create (?:window|tab)|\brun workflow/i }),
  ...each('swaymsg i3-msg hyprctl bspc', { when: /\bexec\b/ }),
  ...each('awesome-client', {}),
  ...each('emacsclient', { when: /^(?:-[a-z]*e|--eval)/ }),
  ...each('nvim vim gvim mvim', { when: /^--remote(?:-send|-expr)/ }),
  ...each('dbus-send gdbus busctl qdbus qdbus6 qdbus-qt5', { when: CALLED }),
])

const LATER: ReadonlyMap<string, Later> = new Map([
  ...DESKTOP,
  ['crontab', { unless: SHOWS }],
  ['ssh-copy-id', {}],
  ['chsh', { unless: SHOWS }],
  ['usermod', { when: /^(?:-[a-zA-Z]*s|--shell)/ }],
  ['dbus-update-activation-environment', {}],
  ['systemctl', { when: /^(?:link|edit|set-environment|import-environment|add-wants|add-requires)$/ }],
  ['loginctl', { when: /^enable-linger$/ }],
  ['launchctl', { when: /^(?:load|bootstrap|setenv|submit)$/ }],
  ['xdg-mime', { when: /^default$/, unless: /^query$/ }],
  ['xdg-settings', { when: /^set$/ }],
  ['gsettings', { when: /command|keybinding|\bexec\b/ }],
])

export function protectLater(program: string, words: readonly Word[]): Protection | null {
  const later = LATER.get(program)
  if (later === undefined) return null
  const texts = words.slice(1).map(leadingText)
  const says = (pattern: RegExp): boolean => texts.some(text => pattern.test(text))
  const isFound =
    (later.when === undefined || says(later.when) || enablesOwn(program, texts)) && (later.unless === undefined || !says(later.unless))
  return isFound
    ? { decision: 'ask', reason: `${program} has something started beyond this agent, later or by another program; a person must agree` }
    : null
}

/** A service of the user's, or one whose file lies anywhere. */
function enablesOwn(program: string, texts: readonly string[]): boolean {
  if (program !== 'systemctl' || !texts.some(text => /^(?:re)?enable$/.test(text))) return false
  return texts.some(text => text === '--user' || text.includes('/'))
}
