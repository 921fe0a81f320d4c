// What path rules need to know about the place a call is judged in. Made once for a file view, root and home, because
// following the links of the root itself costs more than a decision.
import type { FileView } from '../match/path/file-view.ts'
import { createPathAnchors, type PathAnchors } from '../match/path/path-anchors.ts'
import { createProtectedPaths, type ProtectedPaths } from '../match/path/protect-path.ts'
import type { JudgeContext } from './judgement.ts'

export interface JudgePlaces {
  readonly anchors: PathAnchors
  readonly protectedPaths: ProtectedPaths
}

const byContext = new WeakMap<JudgeContext, JudgePlaces>()
const byFiles = new WeakMap<FileView, Map<string, JudgePlaces>>()
/** A daemon sees few roots; a caller that invents new ones must not fill the memory. */
const MAX_PLACES = 256

export function placesOf(context: JudgeContext): JudgePlaces {
  const known = byContext.get(context)
  if (known !== undefined) return known
  const places = sharedPlaces(context)
  byContext.set(context, places)
  return places
}

function sharedPlaces(context: JudgeContext): JudgePlaces {
  const { files } = context
  const byKey = byFiles.get(files) ?? new Map<string, JudgePlaces>()
  if (byKey.size >= MAX_PLACES) byKey.clear()
  byFiles.set(files, byKey)
  const key = `${context.root}\0${context.home}\0${context.belayHome}\0${context.ownFiles?.join('\0')}\0${context.neededFiles?.join('\0')}`
  const places = byKey.get(key) ?? createPlaces(context)
  byKey.set(key, places)
  return places
}

/** The protected ones at first use: a pattern that is only tried protects nothing. */
function createPlaces(context: JudgeContext): JudgePlaces {
  let protectedPaths: ProtectedPaths | null = null
  return {
    anchors: createPathAnchors(context),
    get protectedPaths() {
      protectedPaths ??= createProtectedPaths(context)
      return protectedPaths
    },
  }
}
