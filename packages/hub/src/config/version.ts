// Of this package, as `belay-hub --version` says it.
export const VERSION = '0.1.0'
