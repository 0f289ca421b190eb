import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { restoreArchive } from '../../src/deliver/archive/restore.ts'
import { deliver } from '../../src/deliver/delivery/deliver.ts'
import { inventory } from '../../src/deliver/delivery/inventory.ts'
import { preparerHere } from '../../src/deliver/delivery/prepare.ts'
import type { RecordSettings } from '../../src/deliver/delivery/slice.ts'
import { openDeliveryState } from '../../src/deliver/delivery/state.ts'
import type { Artifact } from '../../src/model/artifact.ts'
import { createFileSink } from '../../src/sinks/file.ts'
import { discover } from '../../src/sync/discover.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { corpusFolder, environmentIn, isHome } from './subjects.ts'

const SETTINGS: RecordSettings = {
  device: 'test',
  deviceId: '0'.repeat(32),
  home: '/nowhere',
  redact: { level: 'off' },
  tagKey: '',
  users: [],
  normalized: false,
  historyFromMs: null,
  maxRecords: 50,
  maxBytes: 100_000,
}

/** The content of a transcript, except for its path and the time of its file. */
function contentOf(artifact: Artifact, ended: boolean): unknown {
  const { session, items } = readSession(artifact, { redact: false })
  const { human, agentMessages, toolCalls, errors, lines, accounting } = session
  const counts = { human, agentMessages, toolCalls, errors }
  const whole = { lines, accounting: { ...accounting, malformedAt: [] } }
  return {
    // Half a record at the end of a file is not delivered.
    ...(ended ? { ...counts, ...whole } : counts),
    items: items.map(({ offset: _, length: __, ...item }) => item),
  }
}

const NEWLINE = 10

const scopeOf = ({ platform, agent, sessionId, state }: Artifact): string =>
  `${platform} ${agent} ${sessionId} ${state}`

async function throughArchive(source: string): Promise<{ before: Artifact[]; after: Artifact[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'scrollback-archive-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(source, join(folder, 'home'), { recursive: true, preserveTimestamps: true })
  const environment = environmentIn(join(folder, 'home'))
  const state = openDeliveryState(join(folder, 'state.sqlite'))
  const lock = () => ({ release: () => {} })
  const sink = await createFileSink({
    folder: join(folder, 'archive'),
    nowMs: Date.now,
    lock,
    segmentBytes: 20_000,
  })
  const { id } = state.addDestination('file:', 'all', null, 0)
  const { prepare } = preparerHere(String)
  const report = await deliver(inventory(environment), {
    sink,
    state,
    destination: id,
    settings: SETTINGS,
    prepare,
    concurrency: 3,
    // All files were last written long ago.
    nowMs: () => Date.now() + 3_600_000,
  })
  // A fixture has an invalid file in place of the state database.
  expect(report.faults.filter(({ path }) => !path.endsWith('state/openclaw.sqlite'))).toEqual([])
  await sink.close?.()
  state.close()
  const { dirs } = restoreArchive(join(folder, 'archive'), join(folder, 'trees'))
  const restored = { ...environment, dirs }
  return { before: discover(environment).artifacts, after: discover(restored).artifacts }
}

async function holds(source: string): Promise<void> {
  const { before, after } = await throughArchive(source)
  const found = Map.groupBy(after, scopeOf)
  for (const artifact of before) {
    if (artifact.bytes === 0) continue
    // Two files of one session in several folders have the same name; one of them has the same content.
    const ended =
      artifact.path.endsWith('.zst') ||
      artifact.database !== undefined ||
      readFileSync(artifact.path).at(-1) === NEWLINE
    const same = (found.get(scopeOf(artifact)) ?? []).map((each) => contentOf(each, ended))
    expect(same).toContainEqual(contentOf(artifact, ended))
  }
}

const fixtures = resolve(import.meta.dirname, '../fixtures')
const traps = readdirSync(fixtures).flatMap((platform) =>
  readdirSync(join(fixtures, platform)).map((trap) => `${platform}/${trap}`),
)

describe('an unpacked archive', () => {
  it.each(traps)('yields what was collected: %s', (trap) => holds(join(fixtures, trap)))

  it('yields what was collected: the demo', () => holds(resolve(import.meta.dirname, '../../demo')))

  const homes = corpusFolder
    ? readdirSync(corpusFolder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory() && isHome(entry.name))
        .map(({ parentPath }) => parentPath)
    : []
  it.skipIf(corpusFolder === undefined)(
    'yields what was collected: folders of SCROLLBACK_CORPUS (skipped if it is not set)',
    async () => {
      for (const home of new Set(homes)) if (existsSync(home)) await holds(home)
    },
  )
})
