import { appendFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { temporaryHome } from '../../test/records.ts'
import { createLookout } from './lookout.ts'

it('finds what was written after the first scan and before the folder was watched', async () => {
  // The scan that comes every half minute would find it, too.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const folder = temporaryHome()
  const file = join(folder, 'session.jsonl')
  writeFileSync(file, 'one\n')
  let isFirst = true
  const lookout = createLookout({
    scan: () => statSync(file).size,
    foldersOf() {
      if (isFirst) appendFileSync(file, 'two\n')
      isFirst = false
      return new Set([folder])
    },
    update: () => undefined,
    stop: new AbortController().signal,
    settleMs: 1,
  })
  onTestFinished(() => lookout.close())
  expect(lookout.found()).toBe(4)
  await lookout.changed(1)
  expect(lookout.found()).toBe(8)
})
