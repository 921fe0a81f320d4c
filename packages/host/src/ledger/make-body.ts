// A body on its way into the ledger: secrets taken out, large values apart, and then in two parts. What many bodies say alike, their form, is
// looked through once; what is a body's own, each time.
// Invariant: the same as if the whole body were looked through. A secret is told by one member: its value, its name, or names inside of it. Only
// a member `name` beside a `value` says something of another, and no form holds either.
import { type Blob, encodeBodyJson, type Redactor, type SplitBody, splitBody } from '@belay/core/ledger'
import { BoundedMap } from '@belay/core/value'
import { FORMS_KNOWN } from './form-book.ts'

export interface MadeBody {
  readonly body: string
  readonly blobs: readonly Blob[]
  readonly split: SplitBody
}

export function createBodyMaker(redactor: Pick<Redactor, 'redactJson' | 'isClean'> | undefined): (json: string) => MadeBody {
  const forms = new BoundedMap<string, boolean>(FORMS_KNOWN)

  function isCleanForm(form: string, isClean: Redactor['isClean']): boolean {
    const known = forms.get(form)
    if (known !== undefined) return known
    const found = isClean(form)
    forms.set(form, found)
    return found
  }

  function redact(json: string, { form, own }: SplitBody): string {
    if (redactor === undefined) return json
    const isClean = (form === null || isCleanForm(form, redactor.isClean)) && redactor.isClean(own)
    return isClean ? json : redactor.redactJson(json)
  }

  return json => {
    const given = splitBody(json)
    const { json: body, blobs } = encodeBodyJson(redact(json, given))
    return { body, blobs, split: body === json ? given : splitBody(body) }
  }
}
