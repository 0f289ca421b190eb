import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { contextFor } from '../../../test/context.ts'
import { claude, putClaude, temporaryHome, userLines, uuid } from '../../../test/records.ts'
import { createToolbox, type Toolbox } from './toolbox.ts'

/** The tools over a session of many prompts. */
function toolbox(): Toolbox {
  const home = temporaryHome()
  putClaude(home, uuid(1), [...userLines(1, 3000), claude.user(3001, 'Water the moss')])
  const environment = { home, variables: {}, dirs: { 'claude-code': [join(home, '.claude')], openclaw: [] } }
  const context = contextFor(environment, { storePath: join(home, '.scrollback/store.sqlite') })
  const tools = createToolbox(context)
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
