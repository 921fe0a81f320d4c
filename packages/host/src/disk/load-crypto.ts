// Node's crypto, loaded when it is first needed: that takes a sixth of what a short command takes.

export function loadCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto')
}
