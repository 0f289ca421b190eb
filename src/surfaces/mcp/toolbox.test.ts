import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { contextFor } from '../../../test/context.ts'
import { claude, putClaude, temporaryHome, userLines, uuid } from '../../../test/records.ts'
import type { Context } from '../../context/context.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { refresh } from '../../sync/refresh.ts'
import { createToolbox, type Toolbox } from './toolbox.ts'

/** The tools over a session of many prompts. */
function toolbox(): Toolbox & { context: Context } {
  const home = temporaryHome()
  const path = putClaude(home, uuid(1), [...userLines(1, 3000), claude.user(3001, 'Water the moss')])
  // A file that was written just now would be read again.
  utimesSync(path, 0, 0)
  const environment = { home, variables: {}, dirs: { 'claude-code': [join(home, '.claude')], openclaw: [] } }
  const context = contextFor(environment, { storePath: join(home, '.scrollback/store.sqlite') })
  const tools = { ...createToolbox(context), context }
  onTestFinished(tools.close)
  return tools
}

describe('a call that is cancelled', () => {
  it('is not answered if it has not begun, and the next one is', async () => {
    const { call } = toolbox()
    const reason = new Error('no longer wanted')
    await expect(call('projects', {}, AbortSignal.abort(reason))).rejects.toBe(reason)
    const { content } = await call('search', { query: 'moss' })
    expect(content[0].text).toContain('"total":1')
  })

  it('ends in the middle of its search', async () => {
    const { call } = toolbox()
    await call('projects', {})
    const stop = new AbortController()
    const search = call('search', { query: 'who:human -moss', limit: 1000, maxBytes: 65_536 }, stop.signal)
    const reason = new Error('no longer wanted')
    const ended = expect(search).rejects.toBe(reason)
    await turn()
    stop.abort(reason)
    await ended
  })
})

describe('a call while another process is indexing', () => {
  it('that finds nothing says that nothing can be concluded', async () => {
    const { call, context } = toolbox()
    const { store } = openSqliteStore(context.storePath, context.now)
    // The other process has stored the messages, and not their words.
    const other = store.asWriter(function* () {
      refresh(store, { ...context, threads: () => 1, faultOf: String, words: false })
      yield
    })
    other.next()
    const { content } = await call('search', { query: 'moss' })
    other.return(undefined)
    store.close()
    expect(content[0].text).toContain('"nothing":"yet"')
    expect(content[0].text).toContain('"searched":{"sessions":0,"messages":0,"calls":0}')
    expect(content[0].text).toContain('"incomplete":{"files":1,"of":1,"messages":3001}')
    const later = async () => (await call('search', { query: 'moss' })).content[0].text
    await expect.poll(later, { timeout: 20_000 }).toContain('"total":1')
  })
})
