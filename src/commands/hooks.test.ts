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

  it.each([
    '{\n    "b": 1.0,\n    "big": 12345678901234567890,\n    "model": "opus"\n}\n',
    '{"model":"opus","hooks":{"Stop":[]}}',
    `{\n\t"hooks": {\n\t\t"${EVENT}": [\n\t\t\t{ "hooks": [{"type":"command","command":"bell"}] }\n\t\t]\n\t},\n\t"n": 1e3\n}`,
    '{\r\n  "hooks": {\r\n    "Stop": [ ]\r\n  }\r\n}',
    `{"hooks":{"${EVENT}":[{"matcher":"","hooks":[{"command":"bell"}]}]},"z":0.10}`,
  ])('leaves every other byte, and none of its own after it was removed: %j', (settings) => {
    const added = changeHooks(settings, EVENT, 'scrollback recall') as { text: string }
    expect(JSON.parse(added.text).hooks[EVENT].at(-1)).toEqual(own('scrollback recall'))
    expect(changeHooks(added.text, EVENT, undefined)).toEqual({ text: settings })
    expect(changeHooks(added.text, EVENT, 'scrollback recall')).toEqual({})
  })

  it('leaves the group of another hook in place, and takes ours out of it', () => {
    const settings = `{"hooks":{"${EVENT}":[{"hooks":[{"command":"bell"},{"command":"scrollback recall"}]}]},"n":1.0}`
    expect(changeHooks(settings, EVENT, undefined)).toEqual({
      text: `{"hooks":{"${EVENT}":[{"hooks":[{"command":"bell"}]}]},"n":1.0}`,
    })
  })
})
