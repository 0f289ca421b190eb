import { printable } from '../../render/printable.ts'
import type { Screen } from '../../render/screen.ts'
import { renderHeader, renderItems } from '../../render/text.ts'
import { voiceOf } from '../../render/voice.ts'
import { snippetOf } from '../../search/snippet.ts'
import type { Context } from '../kit/context.ts'
import { speakerOf } from '../kit/hit-line.ts'
import { finishSession } from '../kit/read-messages.ts'
import { shortId } from '../kit/session-names.ts'
import type { Found } from './ask.ts'
import { shownText } from './json.ts'
import { groupsOf } from './text.ts'

/** How many messages are shown before and after the opened one. */
const AROUND = 8

/** Lets a human open one of the listed hits. Undefined when they decline. */
export async function openHit(
  found: Found,
  screen: Screen,
  choose: NonNullable<Context['choose']>,
): Promise<Iterable<string> | undefined> {
  if (!found.pick) return undefined
  const hits = groupsOf(found).flatMap((group) => group.hits)
  if (hits.length === 0) return undefined
  const rows = found.rowsOf(hits)
  const options = hits.map((hit) => {
    const who = speakerOf(hit, hit)
    const room = Math.max(20, screen.columns - who.length - 12)
    return {
      label: printable(`${who}: ${snippetOf(shownText(hit), found.query, room).text}`),
      hint: printable(rows.get(hit.path)?.session.title ?? shortId(hit.session)).slice(0, 60),
    }
  })
  const picked = await choose('Which one? (Esc: none)', options)
  const hit = picked === undefined ? undefined : hits[picked]
  const row = hit && rows.get(hit.path)
  if (!hit || !row) return undefined
  const style = {
    voice: voiceOf('default')!,
    color: screen.color,
    columns: screen.columns,
    lines: false,
    markdown: false,
  }
  const session = finishSession({
    ...row.session,
    ...(row.goneMs === undefined ? {} : { goneMs: row.goneMs }),
  })
  return [
    '\n',
    renderHeader(session, row.project, style),
    renderItems(found.excerpt(hit, AROUND), session, style),
    `\nFrom there on: ${screen.suggest('read', `${printable(shortId(hit.session))}:${hit.line}`)}\n`,
  ]
}
