import { printableJson } from './printable.ts'

/** How many members of a list are in one piece. */
const AT_ONCE = 4096

/**
 * JSON of an object in pieces, so that a long list is never one text: after one of megabytes, V8 and the C
 * library keep twice as much memory.
 */
export function* jsonInPieces(object: object): Generator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (!Array.isArray(value)) yield printableJson(JSON.stringify(value))
    else yield* listInPieces(value)
  }
  yield before === '{' ? '{}\n' : '}\n'
}

function* listInPieces(list: readonly unknown[]): Generator<string> {
  for (let at = 0; at < list.length; at += AT_ONCE) {
    const members = printableJson(JSON.stringify(list.slice(at, at + AT_ONCE))).slice(1, -1)
    yield `${at === 0 ? '[' : ','}${members}`
  }
  yield list.length === 0 ? '[]' : ']'
}
