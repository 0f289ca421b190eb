import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Source } from '../../src/collect/delivery/inventory.ts'
import { readRecords } from '../../src/collect/delivery/read-records.ts'
import { platformOf } from '../../src/platforms/index.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { SETTINGS } from './delivered-life.ts'

it.each([1, 2, 6])(
  'a long line that is rewritten in place is sent again, %i lines before the end',
  (back) => {
    const home = temporaryHome()
    const numbers = Array.from({ length: 9 }, (_, number) => number + 1)
    const path = putClaude(
      home,
      uuid(1),
      numbers.map((number) => claude.user(number, `first ${'moss '.repeat(1900)}`)),
    )
    const row = platformOf('claude-code').delivery.table.find(
      (each) => 'kind' in each && each.kind === 'transcript',
    )
    const source = {
      ...{
        row,
        platform: 'claude-code',
        root: home,
        path,
        name: 'x.jsonl',
        agent: 'claude',
        session: uuid(1),
      },
      ...{ state: 'live', bytes: 0, modifiedMs: 0, identity: 'one' },
    } as Source
    const { next } = readRecords({ source, settings: SETTINGS, nowMs: Date.now() })
    const lines = readFileSync(path, 'utf8').split('\n')
    lines[numbers.length - back] = lines[numbers.length - back]!.replace('first', 'other')
    writeFileSync(path, lines.join('\n'))
    const again = readRecords({ source, checkpoint: next, settings: SETTINGS, nowMs: Date.now() })
    expect(again.next.generation).toBe(2)
    expect(Buffer.concat(again.chunks.map(({ bytes }) => bytes)).toString()).toContain('"other moss')
  },
)
