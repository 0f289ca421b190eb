import { parseLine } from '../io/parse-line.ts'
import { openSource } from '../io/source.ts'
import type { Artifact } from '../model/artifact.ts'
import type { Part } from '../model/event.ts'
import { asArray, asObject } from '../model/json.ts'
import type { Item } from '../model/session.ts'
import { platformOf } from '../platforms/index.ts'

/** What an item's record holds beyond the condensed line, read from its byte range. Undefined when it is gone. */
export function readDetail(artifact: Artifact, item: Item): string | undefined {
  if (item.holds === undefined) return undefined
  const bytes = Buffer.allocUnsafe(item.length)
  const source = openSource(artifact.path, item.offset)
  let held = 0
  try {
    for (let count = -1; held < item.length && count !== 0; held += count)
      count = source.read(bytes, held, item.length - held)
  } finally {
    source.close()
  }
  const drafts = parseLine(bytes, 0, held).entries.flatMap((entry) =>
    platformOf(artifact.platform).normalize(entry, artifact),
  )
  const parts = drafts.flatMap(({ payload }) => (payload.type === 'message' ? payload.parts : []))
  return textOf(parts, item)
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

function bodyText(body: unknown): string {
  if (typeof body === 'string') return body
  const texts = (asArray(body) ?? []).map((value) => {
    const block = asObject(value)
    return typeof block?.text === 'string' ? block.text : `[${String(block?.type ?? 'block')}]`
  })
  return texts.join('\n')
}
