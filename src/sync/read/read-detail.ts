import { parseLine } from '../../io/parse-line.ts'
import type { SeekableSource } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Part } from '../../model/event.ts'
import { asArray, asObject, parsedJson } from '../../model/json.ts'
import type { Item } from '../../model/session.ts'
import { platformOf } from '../../platforms/index.ts'
import { openArtifact } from './read-session.ts'

/** Reads the parts of records that items leave out. Opens the file on first use. */
export function createDetails(artifact: Artifact) {
  let source: SeekableSource | undefined
  return {
    /** Reads the item's byte range. Undefined if there is nothing more, or the record is gone. */
    of(item: Item): string | undefined {
      if (item.holds === undefined) return undefined
      source ??= openArtifact(artifact)
      source.lineBegins?.(item.offset, item.line)
      source.seek(item.offset)
      const bytes = Buffer.allocUnsafe(item.length)
      let held = 0
      for (let count = -1; held < item.length && count !== 0; held += count)
        count = source.read(bytes, held, item.length - held)
      const { normalize } = platformOf(artifact.platform).records
      const drafts = parseLine(bytes, 0, held).entries.flatMap((entry) => normalize(entry, artifact))
      if (item.holds === 'summary')
        for (const { payload } of drafts)
          if (payload.type === 'marker' && payload.marker === item.marker && payload.text) return payload.text
      const parts = drafts.flatMap(({ payload }) => (payload.type === 'message' ? payload.parts : []))
      return textOf(parts, item)
    },
    close: (): void => source?.close(),
  }
}

function textOf(parts: readonly Part[], item: Item): string | undefined {
  let before = item.nth ?? 0
  for (const part of parts) {
    if (item.holds === 'thinking' && part.type === 'thinking' && part.text !== '' && before-- === 0)
      return part.text
    if (item.holds === 'input' && part.type === 'tool-call' && part.callId === item.callId)
      return typeof part.input === 'string' ? part.input : JSON.stringify(part.input, null, 2)
    if (item.holds === 'output' && part.type === 'tool-result' && part.callId === item.callId)
      return bodyText(part.body)
  }
  return undefined
}

/** The output of a tool as text. */
export function bodyText(body: unknown): string {
  const blocks = typeof body === 'string' ? blocksIn(body) : (asArray(body) ?? [])
  if (!blocks) return String(body)
  const texts = blocks.map((value) => {
    const block = asObject(value)
    const text = block?.text ?? asObject(block?.resource)?.text
    return typeof text === 'string' ? text : `[${String(block?.type ?? 'block')}]`
  })
  return texts.join('\n')
}

/** How a text begins that is the JSON of what an MCP server returned, and how an image in it does. */
const BLOCKS = /^(?:\[|\{"content":\[)\{/
const BYTES = /"(?:data|blob)":"/

/** The blocks of a text that is the JSON of some, if one is an image or a file, whose bytes are not shown. */
function blocksIn(text: string): readonly unknown[] | undefined {
  if (!BLOCKS.test(text) || !BYTES.test(text)) return undefined
  const value = parsedJson(text)
  const blocks = asArray(value) ?? asArray(asObject(value)?.content)
  return blocks?.some(hasBytes) ? blocks : undefined
}

function hasBytes(value: unknown): boolean {
  const block = asObject(value)
  const held = asObject(block?.resource) ?? block
  return typeof block?.type === 'string' && typeof (held?.data ?? held?.blob) === 'string'
}
