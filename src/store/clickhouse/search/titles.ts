import { fold } from '../../../search/characters.ts'
import type { SearchSource, TitledSession } from '../../lenient/source.ts'
import { isRepeated, matchingTitles, titleHitAt } from '../../lenient/titles.ts'
import { raw, sql } from '../connection/literal.ts'
import { ITEM_COLUMNS, type ItemValues, storedMessage } from '../items.ts'
import { timeIn } from '../read/well-formed.ts'
import { type Scope, shown, shownPath } from '../scope.ts'
import type { Restriction } from './restrict.ts'

type FirstValues = [
  ...[device: string, path: string, platform: string, agent: string, session: string],
  ...[project: string | null, gone: number | null],
  ...ItemValues,
]

/** The titles of sessions, within the filters of a request. */
export function titlesWithin(scope: Scope, limits: Restriction): Pick<SearchSource, 'titles' | 'titleHit'> {
  const { connection } = scope
  let read: readonly TitledSession[] | undefined
  const titles = (): readonly TitledSession[] => {
    read ??= connection
      .select<[number, string, number | null, string | null]>(
        sql`SELECT id, JSONExtractString(row, 'title') AS title,
          JSONExtract(row, 'lastActivityMs', 'Nullable(Float64)'),
          JSONExtract(row, 'firstHuman', 'Nullable(String)') FROM artifact FINAL
          WHERE title <> '' AND ${shown(scope)} ORDER BY title`,
      )
      .flatMap(([artifact, title, at, first]) =>
        isRepeated(title, first ?? undefined)
          ? []
          : [{ artifact, title, at: timeIn(at) ?? null, folded: fold(title).text }],
      )
    return read
  }
  return {
    titles: (request, fits) => matchingTitles(titles, request, limits, fits),
    titleHit(titled) {
      const [first] = connection.select<FirstValues>(
        sql`SELECT a.device, a.path, a.platform, a.agent, a.session, p.name, a.gone, ${raw(ITEM_COLUMNS)}
          FROM (SELECT * FROM item FINAL WHERE artifact = ${titled.artifact}) AS i
          INNER JOIN (SELECT * FROM artifact FINAL WHERE id = ${titled.artifact}) AS a
            ON a.id = i.artifact AND a.generation = i.generation
          LEFT JOIN (SELECT artifact, name FROM project FINAL) AS p ON p.artifact = a.id
          WHERE i.version <= a.version ORDER BY i.prompt DESC, i.line, i.place LIMIT 1`,
      )
      if (!first) return undefined
      const [device, path, platform, agent, session, project, gone, ...values] = first
      return titleHitAt(titled, storedMessage(values as unknown as ItemValues), {
        ...{ session, platform, agent, path: shownPath(scope, device, path), project: project ?? undefined },
        ...(gone === null ? {} : { goneMs: timeIn(gone) ?? 0 }),
      })
    },
  }
}
