type Method = (...given: never[]) => unknown

/**
 * Wraps every method of an engine, so that it throws what `translate` makes of an error. This includes errors
 * while the result of a generator is consumed.
 */
export function translateFaults<Engine extends object>(
  engine: Engine,
  translate: (error: unknown) => unknown,
): Engine {
  const wrapped = Object.entries(engine).map(([name, member]) => [
    name,
    typeof member === 'function' ? translating(member as Method, translate) : member,
  ])
  return Object.fromEntries(wrapped) as Engine
}

const translating =
  (method: Method, translate: (error: unknown) => unknown): Method =>
  (...given) => {
    try {
      const result = method(...given)
      return isGenerator(result) ? lazily(result, translate) : result
    } catch (error) {
      throw translate(error)
    }
  }

const isGenerator = (result: unknown): result is Generator =>
  typeof result === 'object' && result !== null && Symbol.iterator in result && 'next' in result

/** The same for what is computed while it is consumed. */
export function* lazily<Piece, Result>(
  pieces: Generator<Piece, Result>,
  translate: (error: unknown) => unknown,
): Generator<Piece, Result> {
  try {
    return yield* pieces
  } catch (error) {
    throw translate(error)
  }
}
