export { BoundedMap } from './bounded-map.ts'
export { errorText } from './error-text.ts'
export { isObject } from './is-object.ts'
