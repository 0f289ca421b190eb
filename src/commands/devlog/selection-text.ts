import type { Selected } from '../../devlog/select.ts'
import type { Session } from '../../model/session.ts'
import { identityOf } from '../../platforms/identities.ts'
import { printable } from '../../render/printable.ts'
import type { Screen } from '../../render/screen.ts'
import { table } from '../../render/table.ts'
import { LONGEST_ID, shortId } from '../kit/session-names.ts'

const TITLE = 60

export const titleOfRow = ({ title, subagent, annotation }: Session): string =>
  printable(annotation?.name ?? title ?? subagent?.description ?? '(no words)')
    .replace(/\s+/g, ' ')
    .slice(0, TITLE)

/** The selection as a table: which sessions are in or out, and why. */
export const selectionTable = (rows: readonly Selected[], screen: Screen): Generator<string> =>
  table(
    rows,
    [
      { title: '', value: ({ isIn }) => (isIn ? '✓' : '·') },
      { title: 'ID', value: ({ session }) => shortId(session.id), whole: true, most: LONGEST_ID },
      {
        title: 'STARTED',
        value: ({ session }) => new Date(session.startedMs ?? session.modifiedMs).toISOString().slice(0, 10),
        whole: true,
      },
      { title: 'AGENT', value: ({ session }) => identityOf(session.platform).short, from: 100 },
      { title: 'KIND', value: ({ session }) => session.kind ?? '-', from: 90 },
      {
        title: 'MESSAGES',
        value: ({ session }) => String(session.human + session.agentMessages),
        align: 'right',
      },
      { title: 'WHY', value: ({ why }) => why, most: 40 },
      { title: 'TITLE', value: ({ session }) => titleOfRow(session), rest: true },
    ],
    screen,
  )
