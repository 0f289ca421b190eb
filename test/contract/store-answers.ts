import type { DayFigures } from '../../src/store/figures.ts'
import type { Store } from '../../src/store/store.ts'
import { hitsFor } from '../store-audit.ts'

const byPath = <Row extends { path: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (a.path < b.path ? -1 : 1))

/** What a store answers, without the ids of its rows. */
export function answersOf(store: Store) {
  const sessions = byPath(store.sessions().map((each) => ({ ...each, path: each.session.path })))
  const paths = new Map([...store.known().values()].map(({ id, artifact }) => [id, artifact.path] as const))
  return {
    sessions,
    known: byPath(
      [...store.known().values()].map(({ id: _, ...known }) => ({ ...known, path: known.artifact.path })),
    ),
    messages: sessions.map(({ path }) => [
      path,
      store.messages(path).map(({ message: _, ...each }) => each),
      store.cutMessages(path).map(({ message: _, ...each }) => each),
    ]),
    links: sessions.map(({ path }) => store.links(store.knownFile({ path })!.id)),
    documents: store.documents().map(({ id, ...document }) => ({
      ...document,
      texts: document.versions.map(({ number }) => store.documentText(id, number)),
    })),
    statistics: { ...store.statistics(), storeBytes: 0 },
    hits: ['fern', 'ston', 'who:human pump', 'wörter'].map((words) =>
      hitsFor(store, words)
        .map(({ path, line, text, copies }) => `${path} ${line} ${text?.length} ${copies.length}`)
        .sort(),
    ),
    // SQLite also has days on which nothing counts.
    figures: [...store.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })]
      .filter(hasSums)
      .map(({ usage, messages, hours, ...day }) => ({
        day: day.day,
        usage: sorted(usage.map(({ artifact, ...row }) => ({ ...row, path: paths.get(artifact) }))),
        messages: sorted(messages.map(({ artifact, ...row }) => ({ ...row, path: paths.get(artifact) }))),
        hours: sorted(hours.map(({ artifact, ...row }) => ({ ...row, path: paths.get(artifact) }))),
        touched: sorted(day.touched.map(({ artifact, ...row }) => ({ ...row, path: paths.get(artifact) }))),
      })),
  }
}

const hasSums = ({ usage, messages, touched }: DayFigures): boolean =>
  usage.length + messages.length + touched.length > 0

const sorted = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).sort()
