import { Scanner } from '../../io/scanner/scanner.ts'
import {
  depthOf,
  isElement,
  keyOf,
  kindOf,
  type LineShape,
  NULL,
  NUMBER,
  OBJECT,
  OBJECT_LINE,
  STRING,
  stringAt,
} from '../../io/scanner/shape.ts'
import type { JsonObject } from '../../model/json.ts'
import type { PlatformId } from '../../model/platform-id.ts'
import { platformOf } from '../../platforms/index.ts'

const FIRST_CAPACITY = 1024 * 1024

/** A wanted field by the number of its word. One with members of its own is an object. */
interface Field {
  name: string
  members?: Map<number, Field>
}

/** Reads the fields of a platform's records that delivery needs, without parsing the rest. */
export interface FieldReader {
  scanner: Scanner
  /**
   * The line must have been scanned by `scanner`. Undefined if the line has to be parsed: it is not a JSON
   * object, or a field is neither string nor number.
   */
  read(line: LineShape): JsonObject | undefined
}

const readers = new Map<PlatformId, FieldReader>()

/** Shared by all files of this thread, to reuse its memory. */
export function fieldReaderOf(platform: PlatformId): FieldReader {
  let reader = readers.get(platform)
  if (!reader) {
    reader = createFieldReader(platformOf(platform).delivery.fields)
    readers.set(platform, reader)
  }
  return reader
}

/** `paths`: names of fields, with dots between those of nested ones. */
export function createFieldReader(paths: readonly string[]): FieldReader {
  const segments = paths.map((path) => path.split('.'))
  const words = [...new Set(segments.flat())]
  const wanted = new Map<number, Field>()
  for (const names of segments) addField(wanted, names, words)
  const descend = new Set(segments.flatMap((names) => names.slice(0, -1)))
  return {
    scanner: new Scanner({ words, descend }, FIRST_CAPACITY),
    read: (line) => (line.kind === OBJECT_LINE ? fieldsOf(line, wanted) : undefined),
  }
}

function addField(wanted: Map<number, Field>, [name, ...inner]: readonly string[], words: string[]): void {
  if (name === undefined) return
  const number = words.indexOf(name) + 1
  const field = wanted.get(number) ?? { name }
  wanted.set(number, field)
  if (inner.length === 0) return
  field.members ??= new Map()
  addField(field.members, inner, words)
}

/** The objects that lead to a pair, by depth, with the fields that are wanted of them. */
interface Open {
  members?: Map<number, Field>
  into: Record<string, unknown>
}

function fieldsOf(line: LineShape, wanted: Map<number, Field>): JsonObject | undefined {
  const fields: Record<string, unknown> = {}
  const open: (Open | undefined)[] = [{ members: wanted, into: fields }]
  for (let index = line.first, end = index + line.pairs * 3; index < end; index += 3) {
    const meta = line.words[index]!
    const depth = depthOf(meta)
    open[depth] = undefined
    if (isElement(meta)) continue
    const outer = open[depth - 1]
    const field = outer?.members?.get(keyOf(meta))
    if (!outer || !field) continue
    if (field.members) {
      const into = kindOf(meta) === OBJECT ? {} : undefined
      outer.into[field.name] = into
      if (into) open[depth] = { members: field.members, into }
      continue
    }
    const value = valueAt(line, index)
    if (value === undefined) return undefined
    outer.into[field.name] = value
  }
  return fields
}

/** A string, a number or null. Undefined for any other value. */
function valueAt(line: LineShape, index: number): unknown {
  const kind = kindOf(line.words[index]!)
  if (kind === STRING) return stringAt(line, index)
  if (kind === NULL) return null
  if (kind === NUMBER)
    return Number(line.bytes.toString('latin1', line.words[index + 1]!, line.words[index + 2]!))
  return undefined
}
