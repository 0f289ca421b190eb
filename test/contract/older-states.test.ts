import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { discover } from '../../src/collect/discover.ts'
import { readIncrement } from '../../src/collect/index/read-increment.ts'
import { applyIncrements } from '../apply-increments.ts'
import { laterLines, olderLines } from '../older-state.ts'
import { put, temporaryHome, uuid } from '../records.ts'
import { claudeAt } from '../store-audit.ts'
import { comparableFile, fileContent } from '../stores.ts'

/** As base64, from the last version that stored a state in one piece. */
const STATE = Buffer.from(readFileSync(join(import.meta.dirname, '../older-state.txt'), 'utf8'), 'base64')

it('reading continues from a state that an older version stored', () => {
  const home = temporaryHome()
  const path = put(join(home, 'projects/-garden', `${uuid(0)}.jsonl`), [...olderLines])
  const artifact = () => discover(claudeAt(home)).artifacts[0]!
  const first = readIncrement({ artifact: artifact() }).increment
  const increments = [first]
  let state: Uint8Array = STATE
  let { checkpoint } = first
  for (const line of laterLines) {
    appendFileSync(path, `${JSON.stringify(line)}\n`)
    const { increment, bytes } = readIncrement({
      artifact: artifact(),
      base: { id: 0, revision: 0, checkpoint, state },
    })
    expect(increment.fresh).toBe(false)
    increments.push(increment)
    state = bytes
    checkpoint = increment.checkpoint
    expect(comparableFile(applyIncrements(increments))).toEqual(fileContent(artifact()))
  }
})
