import type { Payload, SessionEvent, SummarizedFiles } from '../event.ts'
import type { ItemList } from './item-list.ts'
import type { Replies } from './replies.ts'
import type { Keep } from './reply-context.ts'

interface MarkerOptions {
  keep: Keep
  counts: Replies['counts']
  items: ItemList
}

/** Markers that come with a summary. */
const SUMMARIES: ReadonlySet<string> = new Set(['compaction', 'branch'])

/** Turns markers into items: compactions, interruptions, model changes, failed replies. */
export function createMarkers({ keep, counts, items }: MarkerOptions) {
  /**
   * A summary may be longer than everything else, so the item contains its size and, with `full`, its
   * position. Some clients write the marker first and the summary after it.
   */
  function summary(
    event: SessionEvent,
    marker: string,
    text: string | undefined,
    files?: SummarizedFiles,
  ): void {
    const size = text === undefined ? undefined : sizeOf(text)
    const holds = keep === 'full' && size !== undefined ? { holds: 'summary' as const } : {}
    const last = items.last()
    if (last?.who !== 'marker' || last.marker !== marker || (size && last.text && last.text !== size)) {
      items.push(event, { who: 'marker', marker, text: size, ...holds, ...files })
      return
    }
    if (size === undefined || last.text === size) return
    const { offset, length } = event.origin
    Object.assign(last, { text: size, ...holds, ...files }, keep === 'full' ? { offset, length } : {})
    items.grown(last)
  }

  return function marker(event: SessionEvent, payload: Extract<Payload, { type: 'marker' }>): void {
    const { text } = payload
    if (payload.marker === 'agent-error') {
      counts.errors++
      items.push(event, { who: 'error', text, sure: true })
      return
    }
    if (payload.marker === 'model-change') {
      // The first one is the initial choice of a model, not a change.
      const before = counts.model
      counts.model = payload.text
      if (before === undefined || before === payload.text || keep !== 'full') return
    }
    if (SUMMARIES.has(payload.marker)) {
      summary(event, payload.marker, text, payload.files)
      return
    }
    const last = items.last()
    if (last?.who === 'marker' && last.marker === payload.marker && last.text === text) return
    items.push(event, { who: 'marker', marker: payload.marker, text })
  }
}

const sizeOf = (text: string): string =>
  `a summary of ${text.length.toLocaleString('en-US')} character${text.length === 1 ? '' : 's'}`
