export {
  type Bundle,
  type BundleContext,
  type BundleFault,
  createBundle,
  endorsePublisher,
  MAX_BUNDLE_BYTES,
  type NewBundle,
  type Publisher,
  parseBundle,
  type ReadBundle,
  readBundle,
  readPublisher,
  refuseOrder,
} from './bundle.ts'
export {
  BUNDLE_FILE_NAME,
  BUNDLE_MODES,
  type BundleManifest,
  type BundleMode,
  type HaltRule,
  isHalted,
  isMeantFor,
  STALE_MODES,
  type StaleMode,
  shareOf,
} from './bundle-manifest.ts'
export { type Choice, type ChoiceContext, chooseBundles, isOver, mayHalt } from './choose-bundle.ts'
export { createJoinToken, fingerprintKey, type JoinToken, parseJoinToken } from './join-token.ts'
export type { SharedApproval } from './shared-approval.ts'
export { isStatement, type Purpose, readEndorsedKey, signStatement } from './statement.ts'
export { type CheckedEntry, checkUploadEntry, fitEntry, parseUploadEntry, type UploadEntry, type UploadedHead } from './upload-entry.ts'
