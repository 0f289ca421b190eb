import { identityOf } from '../../platforms/identities.ts'
import { agentName } from '../../platforms/identity.ts'
import { counted } from '../../render/counted.ts'
import type { Printed } from '../../render/gate.ts'
import { printable } from '../../render/printable.ts'
import type { Screen } from '../../render/screen.ts'
import { dated } from '../../render/text.ts'
import { emphasis, fitted, paint } from '../kit/hit-line.ts'
import { shortId } from '../kit/session-names.ts'
import type { Found } from './ask.ts'
import type { OutputSearch, OutputsOfOne } from './outputs.ts'

/** How many hits of one session are shown. */
export const OF_ONE = 3

/** Matches in tool output, by session, as they are found. Bytes are written immediately. */
export function* outputPieces(
  { query, limit, flat }: Found,
  outputs: OutputSearch,
  screen: Screen,
): Generator<Printed> {
  yield Buffer.from(`\n${paint('dim', 'In what tools gave back:', screen)}\n`)
  let left = limit
  for (const one of outputs.found(limit)) {
    const hits = one.hits.slice(0, Math.min(left, flat ? left : OF_ONE))
    if (hits.length === 0) continue
    left -= hits.length
    const id = printable(shortId(one.artifact.sessionId))
    let text = flat ? '' : `\n${headerOf(one, screen)}\n`
    for (const { at, tool, snippet, line } of hits) {
      const lead = flat ? `${id}:${line} ` : '  '
      text += fitted(
        { who: `← ${tool?.name ?? 'output'}`, at, text: '', snippet },
        query,
        { lead: flat ? paint('cyan', lead, screen) : lead, width: lead.length },
        screen,
      )
    }
    const further = one.found - hits.length
    if (!flat)
      text += `  ${paint('dim', `${further > 0 ? `+ ${further.toLocaleString('en')} more in this session: ` : ''}${screen.suggest('read', id, '--full')}`, screen)}\n`
    yield Buffer.from(text)
  }
  const { total, sessions, files } = outputs.sums
  const shown = limit - left
  const all = total === 0 ? '  Nothing' : `\n${counted(total, 'output')} in ${counted(sessions, 'session')}`
  yield `${all}; ${counted(files, 'transcript')} searched${shown < total ? `, ${shown.toLocaleString('en')} shown` : ''}\n`
}

function headerOf({ artifact, stored }: OutputsOfOne, screen: Screen): string {
  const session = stored?.session
  return emphasis(
    {
      date: session?.startedMs === undefined ? undefined : dated(session.startedMs).slice(0, 10),
      project: stored?.project,
      agent: agentName(identityOf(artifact.platform), artifact.agent),
      title: session?.title ?? session?.subagent?.description ?? shortId(artifact.sessionId),
    },
    screen,
  )
}
