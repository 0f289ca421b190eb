import { describe, expect, it } from 'vitest'
import { changeHooks } from './hooks.ts'

const EVENT = 'UserPromptSubmit'
const change = (settings: unknown, command?: string): unknown => {
  const changed = changeHooks(JSON.stringify(settings), EVENT, command)
  return 'text' in changed && changed.text !== undefined ? JSON.parse(changed.text) : changed
}
const own = (command: string) => ({ hooks: [{ type: 'command', command, timeout: 10 }] })
const other = { matcher: 'x', hooks: [{ type: 'command', command: 'notify-send prompt' }] }

describe('the hook in settings', () => {
  it('is added to settings that do not exist, and removed without a trace', () => {
    const added = changeHooks(undefined, EVENT, 'scrollback recall') as { text: string }
    expect(JSON.parse(added.text)).toEqual({ hooks: { [EVENT]: [own('scrollback recall')] } })
    expect(changeHooks(added.text, EVENT, undefined)).toEqual({ text: '{}\n' })
  })

  it('leaves other settings and hooks as they are', () => {
    const before = { model: 'opus', hooks: { Stop: [other], [EVENT]: [other] }, env: { A: '1' } }
    const after = change(before, 'scrollback recall')
    expect(after).toEqual({ ...before, hooks: { Stop: [other], [EVENT]: [other, own('scrollback recall')] } })
    expect(change(after)).toEqual(before)
  })

  it('replaces an earlier one, however that started the program', () => {
    const before = {
      hooks: { [EVENT]: [own("node '/opt/a b/scrollback.js' recall"), own('/usr/bin/scrollback recall')] },
    }
    expect(change(before, 'scrollback recall')).toEqual({ hooks: { [EVENT]: [own('scrollback recall')] } })
  })

  it('changes nothing if it is there, or was never there', () => {
    expect(change({ hooks: { [EVENT]: [own('scrollback recall')] } }, 'scrollback recall')).toEqual({})
    expect(change({ hooks: { [EVENT]: [other] } })).toEqual({})
    expect(change({ hooks: { [EVENT]: [{ hooks: [{ command: 'my-scrollback-recall' }] }] } })).toEqual({})
  })

  it.each(['[]', '{', '"text"', '{"hooks":[]}', `{"hooks":{"${EVENT}":{}}}`])('refuses %s', (settings) => {
    expect(changeHooks(settings, EVENT, 'scrollback recall')).toHaveProperty('problem')
  })
})
