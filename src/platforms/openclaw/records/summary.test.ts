import { describe, expect, it } from 'vitest'
import { fixture } from '../../../../test/openclaw-fixtures.ts'
import { keep } from '../../../../test/stores.ts'
import { readSession } from '../../../collect/read/read-session.ts'
import type { Item } from '../../../model/session.ts'
import { IN_MEMORY, openSqliteStore } from '../../../store/sqlite/open.ts'
import { summarized } from './summary.ts'

const [artifact] = [...fixture('compaction-files').files.values()]
const marks = (items: readonly Item[]) =>
  items.flatMap(({ marker, text, readFiles, modifiedFiles }) =>
    marker ? [{ text, readFiles, modifiedFiles }] : [],
  )

describe('the files that a summary lists', () => {
  it('are fields of its marker, from the record or from the text, and no part of the summary', () => {
    const expected = [
      {
        text: 'a summary of 18 characters',
        readFiles: ['shelf.txt', 'cups.txt'],
        modifiedFiles: ['shelf.txt'],
      },
      { text: 'a summary of 19 characters', readFiles: ['drawer.txt'], modifiedFiles: undefined },
    ]
    expect(marks(readSession(artifact!).items)).toEqual(expected)
    const { store } = openSqliteStore(IN_MEMORY, 0)
    keep(store, artifact!)
    expect(marks(store.messages(artifact!.path) as Item[])).toEqual(expected)
    store.close()
  })

  it('are taken from the record if both list some', () => {
    const summary = 'x\n<read-files>\na\n</read-files>'
    expect(summarized('compaction', { summary, details: { readFiles: ['b', 7] } })).toEqual({
      ...{ type: 'marker', marker: 'compaction', text: 'x' },
      files: { readFiles: ['b'] },
    })
  })

  it.each([[{}], [{ details: 'x' }], [{ summary: 7 }], [{ details: { readFiles: 'x' } }]])(
    'are absent if there are none: %j',
    (record) => {
      expect(summarized('branch', record)).toEqual({ type: 'marker', marker: 'branch' })
    },
  )
})
