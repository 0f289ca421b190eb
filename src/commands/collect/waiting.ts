import type { ReadingContext } from '../../context/context.ts'
import { freshStore } from '../../context/fresh-store.ts'
import type { DestinationRow } from '../../deliver/delivery/state.ts'
import { wantedFiles } from '../../deliver/push.ts'
import { choiceOf } from './space.ts'
import { type SpaceSettings, settingsOfSpace } from './space-settings.ts'

/** What each space has, and how many files wait for it, by the number of the destination. */
export function waitingForSpaces(
  rows: readonly DestinationRow[],
  context: ReadingContext,
): Map<number, SpaceSettings & { projects: string[]; files: number; refused: number; waiting: number }> {
  const { store } = freshStore(context)
  const { changes } = store
  return new Map(
    rows.flatMap((row) => {
      const settings = settingsOfSpace(row)
      if (!settings) return []
      // What waits is noted in the store, unless that cannot be written.
      if (!changes || store.readOnly)
        return [
          [
            row.id,
            { ...settings, projects: [...settings.projects], files: 0, refused: 0, waiting: 0 },
          ] as const,
        ]
      const target = changes.target(row.url)
      const due = changes.due(target, wantedFiles(store, choiceOf(store, settings)))
      const projects = [...settings.projects]
      return [[row.id, { ...settings, ...changes.state(target), projects, waiting: due.length }] as const]
    }),
  )
}
