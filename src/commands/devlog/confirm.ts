import type { Selected } from '../../devlog/select.ts'
import { counted } from '../../render/counted.ts'
import type { Dialog } from '../kit/context.ts'
import { shortId } from '../kit/session-names.ts'
import { titleOfRow } from './selection-text.ts'

/** Lets a human confirm the selection, or change it session by session. Undefined if they decline. */
export async function confirm(
  rows: readonly Selected[],
  choose: NonNullable<Dialog['choose']>,
): Promise<Selected[] | undefined> {
  const current = rows.map((row) => ({ ...row }))
  for (;;) {
    const used = current.filter(({ isIn }) => isIn).length
    const options = [
      { label: `Use ${counted(used, 'session')}` },
      ...current.map(({ session, isIn, why }) => ({
        label: `${isIn ? '[x]' : '[ ]'} ${shortId(session.id)} ${titleOfRow(session)}`,
        hint: why,
      })),
      { label: 'Cancel' },
    ]
    const picked = await choose('Which sessions belong to the devlog? Choose one to change it.', options)
    if (picked === undefined || picked === options.length - 1) return undefined
    if (picked === 0) return current
    const row = current[picked - 1]!
    Object.assign(row, { isIn: !row.isIn, why: row.isIn ? 'left out by you' : 'added by you' })
  }
}
