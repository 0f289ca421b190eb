import { parseLine } from '../../io/parse-line.ts'
import type { SeekableSource } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Part } from '../../model/event.ts'
import { asArray, asObject } from '../../model/json.ts'
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
  for (const part of parts) {
    if (item.holds === 'thinking' && part.type === 'thinking' && part.text !== '') return part.text
    if (item.holds === 'input' && part.type === 'tool-call' && part.callId === item.callId)
      return typeof part.input === 'string' ? part.input : JSON.stringify(part.input, null, 2)
    if (item.holds === 'output' && part.type === 'tool-result' && part.callId === item.callId)
      return bodyText(part.body)
  }
  return undefined
}

/** The output of a tool as text. */
export function bodyText(body: unknown): string {
  if (typeof body === 'string') return body
  const texts = (asArray(body) ?? []).map((value) => {
    const block = asObject(value)
    return typeof block?.text === 'string' ? block.text : `[${String(block?.type ?? 'block')}]`
  })
  return texts.join('\n')
}
