import { expect, it } from 'vitest'
import { bundle } from '../scripts/bundle.ts'

it('the code for team stores is not loaded by commands without one', async () => {
  const files = new Map((await bundle(false)).map((file) => [file.name, file]))
  const loaded = new Set<string>()
  const load = (name: string): void => {
    const file = files.get(name)
    if (!file || loaded.has(name)) return
    loaded.add(name)
    for (const next of file.imports) load(next)
  }
  // Commands are entry points of their own. The store is one too, and its thread.
  for (const { name, entry } of files.values())
    if (
      entry !== undefined &&
      !/store\/clickhouse|collect\/(?:space|waiting)|forget\/team|commands\/store\/(?:copy|grant|retain|status|team-store)/.test(
        entry,
      )
    )
      load(name)
  expect(loaded.size).toBeGreaterThan(30)
  const ofStore = [...loaded].flatMap((name) =>
    files.get(name)!.modules.filter((path) => /store\/clickhouse|@clickhouse/.test(path)),
  )
  expect(ofStore).toEqual([])
})
