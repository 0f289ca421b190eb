import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Source } from '../../src/deliver/delivery/inventory.ts'
import { readRecords } from '../../src/deliver/delivery/read-records.ts'
import type { Checkpoint, Slice } from '../../src/deliver/delivery/slice.ts'
import type { Envelope } from '../../src/model/delivery.ts'
import { platformOf } from '../../src/platforms/index.ts'
import { everyByte, someBytes } from './cuts.ts'
import { SETTINGS } from './delivered-life.ts'
import { allFixtures, rawBytes, type Subject } from './subjects.ts'

const MEMORY = '/dev/shm'
const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'scrollback-delivered-cuts-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'transcript.jsonl')
const settings = { ...SETTINGS, maxRecords: 100_000, maxBytes: 1 << 30 }
/** Files up to this many bytes are cut at every byte. */
const SHORT = 500
/** The file was written long ago, or just now. */
const LATER_MS = 3_600_000

function sourceOf({ artifact }: Subject): Source {
  const { platform, root, agent, sessionId, state } = artifact
  const row = platformOf(platform).delivery.table.find(
    (each) => 'kind' in each && each.kind === 'transcript',
  )!
  return {
    row: row as Source['row'],
    platform,
    root,
    path,
    name: 'x.jsonl',
    agent,
    session: sessionId,
    state,
    bytes: 0,
    modifiedMs: 0,
    identity: 'one',
  }
}

const read = (source: Source, checkpoint?: Checkpoint, later = 0): Slice =>
  readRecords({ source, checkpoint, settings, nowMs: Date.now() + later })

/** The content of a destination that identifies records by id, without the number of the generation. */
function delivered(slices: readonly Slice[]): Map<string, unknown> {
  const records = new Map<string, unknown>()
  for (const { bytes } of slices.flatMap(({ chunks }) => chunks))
    for (const line of Buffer.from(bytes).toString().split('\n').slice(0, -1)) {
      const { generation: _, ...envelope } = JSON.parse(line) as Envelope
      records.set(envelope.id, envelope)
    }
  return records
}

const cases = allFixtures()
  .filter(({ artifact }) => !artifact.path.endsWith('.zst') && artifact.database === undefined)
  .map((subject) => [subject.name, subject] as const)

it.each(cases)(
  'delivering a file in two parts sends the same records as delivering it at once, for any split: %s',
  (_, subject) => {
    const bytes = rawBytes(subject.artifact)
    const source = sourceOf(subject)
    writeFileSync(path, bytes)
    const expected = delivered([read(source, undefined, LATER_MS)])
    for (const cut of bytes.length < SHORT ? everyByte(bytes) : someBytes(bytes)) {
      writeFileSync(path, bytes.subarray(0, cut))
      const first = read(source)
      appendFileSync(path, bytes.subarray(cut))
      const second = read(source, first.next, LATER_MS)
      const actual = delivered([first, second])
      if (second.next.generation !== 1 || JSON.stringify([...actual]) !== JSON.stringify([...expected]))
        expect([...actual], `cut at byte ${cut}`).toEqual([...expected])
      expect(second.read).toBeLessThanOrEqual(bytes.length - first.next.offset)
    }
  },
)
