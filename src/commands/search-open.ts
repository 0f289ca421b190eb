import { printable } from '../condense/printable.ts'
import { renderHeader, renderItems } from '../condense/render-text.ts'
import { voiceOf } from '../condense/voice.ts'
import { snippetOf } from '../search/snippet.ts'
import type { Context, Screen } from './command.ts'
import { finishSession } from './read-job.ts'
import type { Found } from './search-ask.ts'
import { shownText } from './search-json.ts'
import { speakerOf } from './search-line.ts'
import { groupsOf } from './search-text.ts'
import { shortId } from './sessions.ts'

/** Messages that are shown before and after the one that was opened. */
const AROUND = 8

/** Lets a human open one of the matches that were listed, in place. Undefined when they decline. */
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
