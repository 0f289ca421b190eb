import { describe, expect, it } from 'vitest'
import { json, printed, run } from '../program.ts'
import { claude, openclaw, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const SECRET = 'the moss is my secret'

describe('doctor --drift', () => {
  it('lists unknown types and fields, with counts and without any content', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [
      claude.user(1, SECRET, { frondCount: SECRET }),
      claude.reply(2, [text('Noted.'), { type: 'hologram', data: SECRET }], { frondCount: 2 }),
      { type: 'weather-report', sessionId: uuid(1), forecast: SECRET },
      { type: `${SECRET}!`, sessionId: uuid(1), [SECRET]: 1 },
    ])
    putOpenclaw(home, 'pump.jsonl', [openclaw.header('pump'), { ...openclaw.user(30, SECRET), pressure: 3 }])
    expect(printed(home, 'doctor', '--drift')).toMatchInlineSnapshot(`
      "Claude Code 2.1.112: 1 file, 4 lines, 0 damaged
        unknown types:
          (others) 1
          weather-report 1
        unknown fields:
          (others) 1
          assistant.frondCount 1
          assistant.message.content:hologram 1
          user.frondCount 1
          weather-report.forecast 1
      OpenClaw: 1 file, 2 lines, 0 damaged
        no unknown types
        unknown fields:
          message.pressure 1

      These are names and counts without any content. Paste them into an issue, so that a later version reads them.
      "
    `)
    const { drift } = json(home, 'doctor', '--drift')
    expect(JSON.stringify(drift)).not.toContain('secret')
    expect(drift[0]).toMatchObject({ platform: 'claude-code', unknownFields: { 'user.frondCount': 1 } })
  })

  it('reports nothing about the demo', () => {
    const { stdout } = run(['doctor', '--drift', '--demo'], temporaryHome())
    expect(stdout.match(/no unknown/g)).toHaveLength(4)
  })

  it('limits the number of names, however many a file has', () => {
    const home = temporaryHome()
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`field${at}`, at]))
    putClaude(home, uuid(1), [claude.user(1, 'moss', many)])
    const { drift } = json(home, 'doctor', '--drift')
    expect(Object.keys(drift[0].unknownFields)).toHaveLength(201)
    expect(drift[0].unknownFields['(others)']).toBe(4800)
  })
})
