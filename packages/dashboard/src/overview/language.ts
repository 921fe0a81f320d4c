// The chart library makes a number format of the browser's language as soon as it is loaded, and some systems name a language that is none
// (`en-US@posix`). Imported before it.

try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
}
