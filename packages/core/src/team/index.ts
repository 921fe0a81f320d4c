export { createJoinToken, fingerprintKey, type JoinToken, parseJoinToken } from './join-token.ts'
export { isStatement, type Purpose, readEndorsedKey, signStatement } from './statement.ts'
export { type CheckedEntry, checkUploadEntry, parseUploadEntry, type UploadEntry, type UploadedHead } from './upload-entry.ts'
