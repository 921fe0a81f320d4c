// One spelling for names that a case-insensitive file system holds to be the same.

/** Ends in upper case because lower-casing depends on the neighbours of a letter (final sigma), upper-casing does not. */
export function foldCase(text: string): string {
  if (!/[^\x20-\x7e]/.test(text)) return text.toUpperCase()
  return text.normalize('NFC').toLowerCase().toUpperCase()
}
