import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { claude, sharedHome, text, uuid } from '../records.ts'
import { claudeAt, hitsFor, indexOn } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

const top = sharedHome()

let folder = ''
let count = 0
beforeEach(() => {
  folder = join(top, String(count++))
})

function transcript(name: string, entries: readonly object[]): void {
  const project = join(folder, 'projects/-home-ann-garden')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, `${name}.jsonl`), entries.map((each) => `${JSON.stringify(each)}\n`).join(''))
}

describe.each(namedEngines)('on %s, a fork whose records were given new ids', (_, engine) => {
  const originals = [claude.user(1, 'plant basil'), claude.reply(2, [text('Planted the basil.')])]
  const copies = originals.map((each, index) => ({
    ...each,
    uuid: uuid(700 + index),
    sessionId: uuid(99),
    forkedFrom: { sessionId: each.sessionId, messageUuid: each.uuid },
  }))

  it('shares the messages that it names as their origin, not similar ones', () => {
    transcript(uuid(0), originals)
    transcript(uuid(99), [...copies, claude.user(9, 'plant basil again')])
    const store = indexOn(engine, claudeAt(folder))
    expect(hitsFor(store, 'basil').map(({ copies: { length }, text }) => [text, length])).toEqual(
      expect.arrayContaining([
        ['plant basil', 1],
        ['Planted the basil.', 1],
        ['plant basil again', 0],
      ]),
    )
    expect(store.statistics()).toMatchObject({ messages: 3, occurrences: 5 })
    store.close()
  })

  it('stores a message of its own if its text differs', () => {
    transcript(uuid(0), originals)
    transcript(uuid(99), [{ ...copies[0], message: { role: 'user', content: 'plant basil, in a pot' } }])
    const store = indexOn(engine, claudeAt(folder))
    expect(store.statistics()).toMatchObject({ messages: 3, occurrences: 3 })
    store.close()
  })
})
