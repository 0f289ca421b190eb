import { beforeAll, expect, it } from 'vitest'
import { type BundledFile, bundle } from '../scripts/bundle.ts'

let files: Map<string, BundledFile>

beforeAll(async () => {
  files = new Map((await bundle(false)).map((file) => [file.name, file]))
})

/** The modules in these files, and in all that they load at once. */
function modulesIn(names: Iterable<string>): string[] {
  const loaded = new Set(names)
  // What is added meanwhile is visited, too.
  for (const name of loaded)
    for (const next of files.get(name)!.imports) if (files.has(next)) loaded.add(next)
  return [...loaded].flatMap((name) => files.get(name)!.modules)
}

it('the code for team stores is not loaded by commands without one', () => {
  // Commands are entry points of their own. The store is one too, and its thread.
  const entries = [...files.values()].filter(
    ({ entry }) =>
      entry !== undefined &&
      !/store\/clickhouse|collect\/(?:space|waiting)|forget\/team|commands\/store\/(?:copy|grant|retain|status|team-store)/.test(
        entry,
      ),
  )
  expect(entries.length).toBeGreaterThan(30)
  const modules = modulesIn(entries.map(({ name }) => name))
  expect(modules.filter((path) => /store\/clickhouse|@clickhouse/.test(path))).toEqual([])
})

it('threads load nothing that is for commands only', () => {
  const modules = modulesIn(['worker.js'])
  expect(modules).toContain('src/sync/read-increment.ts')
  expect(modules.filter((path) => /node_modules\/(?:zod|commander)|surfaces\/cli/.test(path))).toEqual([])
})
