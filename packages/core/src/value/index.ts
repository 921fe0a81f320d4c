export { BoundedMap } from './bounded-map.ts'
export { errorText } from './error-text.ts'
export { isObject } from './is-object.ts'
export { AMOUNT, FILLED_TEXT, FLAG, type Kind, MAPPING, NUMBER, oneOf, TEXT, TEXTS, wholeNumber } from './kind.ts'
