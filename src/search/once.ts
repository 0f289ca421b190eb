/**
 * A value that is made when it is first needed. For what takes long to make and many commands never use, such
 * as patterns with sets of Unicode: V8 takes half a millisecond to create each.
 *
 * @example const letters = once(() => /[\p{L}--[a-z]]/v); letters().test('ä')
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
