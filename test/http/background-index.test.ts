import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { headOf } from '../../src/commands/search/answer.ts'
import { ask } from '../../src/commands/search/ask.ts'
import { search } from '../../src/commands/search/command.ts'
import { listing } from '../../src/commands/serve/listing.ts'
import { findSession } from '../../src/commands/serve/question.ts'
import { checkedInput } from '../../src/context/command.ts'
import { type GlobalFlags, suggesting } from '../../src/context/flags.ts'
import { freshStore } from '../../src/context/fresh-store.ts'
import { loadSessions } from '../../src/selection/load-sessions.ts'
import type { Store } from '../../src/store/store.ts'
import { createServerStore, type IndexProgress } from '../../src/surfaces/server-store.ts'
import { putLongTree } from '../long-tree.ts'
import { temporaryHome, uuid } from '../records.ts'
import { contextFor } from './page-server.ts'

/** A store of long transcripts that are not indexed yet. */
async function storeOfLongTranscripts() {
  const home = temporaryHome()
  const paths = putLongTree(home)
  utimesSync(paths[0]!, 0, Date.UTC(2026, 0, 1) / 1000)
  const flags = { claudeDir: [join(home, '.claude')] } as GlobalFlags
  const context = { ...(await contextFor(flags, join(home, 'data'))), threads: 1 }
  const reports: IndexProgress[] = []
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: done, resolve: end } = Promise.withResolvers<void>()
  const serverStore = createServerStore(context, {
    indexing(progress) {
      reports.push(progress)
      begin()
      if ('done' in progress) end()
      // A question in between.
      else serverStore.context([])
    },
  })
  // Every turn is one or two steps, however fast the machine is.
  let now = 1000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 20))
  onTestFinished(() => {
    serverStore.close()
    clock.mockRestore()
  })
  return { paths, serverStore, reports, begun, done }
}

/** How many files are not stored yet. */
const missingIn = (store: Store): number => 32 - store.known().size

describe('indexing between the questions of a page', () => {
  it('lists the newest sessions at once, and says how far it is where messages are needed', async () => {
    const { serverStore, reports, done } = await storeOfLongTranscripts()
    const notes: string[] = []
    const context = serverStore.context(notes)
    const listed = () => loadSessions({}, serverStore.context([])).sessions.map(({ id }) => id)
    const first = listed()
    expect(first.length).toBeGreaterThan(1)
    expect(first.length).toBeLessThan(10)
    expect(first).not.toContain(uuid(0))
    freshStore(context)
    expect(notes.at(-1)).toBe('Indexing: 5 of 32 files so far.')
    await done
    const later: string[] = []
    const { fresh } = serverStore.context(later)
    expect(freshStore(serverStore.context(later))).toBe(fresh)
    expect([later, fresh.indexing, fresh.found.missing, missingIn(fresh.store)]).toEqual([
      [],
      undefined,
      undefined,
      0,
    ])
    expect(listed()).toHaveLength(32)
    expect(fresh.store.countMessages(findSession(uuid(0), fresh).session.path)).toBe(3)
    expect(reports.at(-1)).toEqual({ version: 1, done: true })
    for (const progress of reports.slice(0, -1))
      expect(progress).toMatchObject({ files: { all: 32 }, bytes: { done: expect.any(Number) } })
  })

  it('gives lists and searches that say how much they are made from', async () => {
    const { serverStore, done } = await storeOfLongTranscripts()
    const context = serverStore.context([])
    const listed = await listing.run(checkedInput(listing, { all: true }), context)
    expect(listed).toMatchObject({ incomplete: { files: expect.any(Number), of: 32 } })
    expect(listed.incomplete!.files).toBeLessThan(32)
    const found = headOf(await ask(checkedInput(search, { query: ['ferns'] }), context))
    expect(found).toMatchObject({ incomplete: { of: 32 } })
    await done
    expect(
      await listing.run(checkedInput(listing, { all: true }), serverStore.context([])),
    ).not.toHaveProperty('incomplete')
  })

  it('finds what is read so far, and then the words of all that is read before more is read', async () => {
    const { serverStore, reports, done } = await storeOfLongTranscripts()
    const searchNow = async () => {
      const context = serverStore.context([])
      const found = await ask(checkedInput(search, { query: ['ferns'], limit: 0 }), context)
      return { ...headOf(found), listed: loadSessions({}, context).sessions.length }
    }
    const first = await searchNow()
    expect(first.listed).toBeGreaterThan(1)
    expect(first).toMatchObject({ total: first.listed, incomplete: { of: 32, messages: 0 } })
    expect(first.incomplete!.files).toBe(first.listed)
    for (let seen = 0; reports.length < 2 && seen < 1000; seen++) await turn()
    const { fresh } = serverStore.context([])
    // What was written last has no words yet.
    expect(fresh.store.unindexed()).toBeLessThan(fresh.store.newest() / 2)
    const later = await searchNow()
    expect(later.total).toBeGreaterThan(first.total)
    expect(later.total).toBe(later.incomplete?.files ?? 32)
    await done
    expect(await searchNow()).toMatchObject({ total: 32, listed: 32 })
  })

  it('says of what it could not search that it did not', async () => {
    const { serverStore, done } = await storeOfLongTranscripts()
    const context = serverStore.context([])
    const { indexing } = context.fresh
    // Another process is writing.
    const fresh = { ...context.fresh, indexing: { ...indexing!, indexWords() {} } }
    const found = await ask(checkedInput(search, { query: ['ferns'] }), { ...context, fresh })
    const { newest } = fresh.store
    expect(headOf(found)).toMatchObject({
      total: 0,
      searched: { sessions: 0, messages: 0, calls: 0 },
      incomplete: { messages: newest() },
    })
    const lines = [
      ...search.render(found, { home: '/', suggest: suggesting('scrollback', (words) => words) } as never),
    ]
    expect(lines.join('')).toBe(
      'Nothing matches ferns in what is indexed so far\nSearched 0 messages and 0 tool calls in 0 sessions.\nTry it with --raw, in tool output.\n',
    )
    await done
  })

  it('indexes a session first that is asked for', async () => {
    const { serverStore, done } = await storeOfLongTranscripts()
    const { fresh } = serverStore.context([])
    const { path } = findSession(uuid(310), fresh).session
    expect(fresh.store.countMessages(path)).toBe(3)
    expect(missingIn(fresh.store)).toBeGreaterThan(0)
    await done
    expect(serverStore.context([]).fresh.store.countMessages(path)).toBe(3)
  })

  it('stops in the middle without a loss', async () => {
    const { serverStore, begun, done } = await storeOfLongTranscripts()
    serverStore.context([])
    await begun
    serverStore.close()
    serverStore.context([])
    await done
    expect(serverStore.context([]).fresh.store.statistics()).toMatchObject({ artifacts: 32, messages: 96 })
  })

  it('says that it is done even if the rest was short enough to be indexed at once', async () => {
    const { paths, serverStore, begun, done } = await storeOfLongTranscripts()
    serverStore.context([])
    await begun
    serverStore.close()
    for (const path of paths.slice(4)) rmSync(path)
    expect(serverStore.context([]).fresh.indexing).toBeUndefined()
    await done
  })
})
