import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { type DeliveryReport, deliver } from '../../src/deliver/delivery/deliver.ts'
import { inventory } from '../../src/deliver/delivery/inventory.ts'
import { prepareSlice } from '../../src/deliver/delivery/prepare.ts'
import { openDeliveryState } from '../../src/deliver/delivery/state.ts'
import type { Environment } from '../../src/model/artifact.ts'
import { createFileSink } from '../../src/sinks/file.ts'
import { holdLock } from '../../src/store/sqlite/files.ts'
import { deliveredTo } from '../deliveries.ts'
import { CODES, type Code, withFailingCall } from '../failing-calls.ts'
import { append, claude, openclaw, put, putClaude, putOpenclaw, uuid } from '../records.ts'
import { SETTINGS } from './delivered-life.ts'

// The tests do not wait.
vi.mock('../../src/deliver/delivery/retry.ts', async (original) => ({
  ...(await original<typeof import('../../src/deliver/delivery/retry.ts')>()),
  pause: () => new Promise<void>((resolve) => setImmediate(resolve)),
}))

const MEMORY = '/dev/shm'
const top = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'scrollback-faults-'))
afterAll(() => rmSync(top, { recursive: true }))
/** Each call of the file system fails with each of these codes. A run makes about two hundred calls. */
const MOST_CALLS = 1000

interface Run {
  report: DeliveryReport
  notices: number
}

async function collect(folder: string): Promise<Run> {
  const home = join(top, 'home')
  const environment: Environment = {
    home: '/nowhere',
    variables: {},
    deleted: true,
    dirs: { 'claude-code': [join(home, '.claude')], openclaw: [join(home, '.openclaw')] },
  }
  const state = openDeliveryState(join(folder, 'state.sqlite'))
  try {
    const { id } = state.addDestination('file:', 'all', null, 0)
    const found = inventory(environment)
    const archive = { folder: join(folder, 'archive'), segmentBytes: 1500, nowMs: Date.now, lock: holdLock }
    const sink = await createFileSink(archive)
    try {
      const report = await deliver(found, {
        sink,
        state,
        destination: id,
        settings: SETTINGS,
        concurrency: 1,
        nowMs: Date.now,
        tries: 3,
        prepare: async (task) => prepareSlice(task, String),
      })
      return { report, notices: found.notices.length }
    } finally {
      await sink.close?.()
    }
  } finally {
    state.close()
  }
}

/** Some of it was delivered before; then all of it changed. */
async function begin(): Promise<string> {
  const home = join(top, 'home')
  const path = putClaude(home, uuid(1), [claude.user(1, 'one'), claude.user(2, 'two')])
  const other = putOpenclaw(home, 'a.jsonl', [openclaw.header('a'), openclaw.user(1, 'Good morning')])
  const index = join(home, '.openclaw/agents/main/sessions/sessions.json')
  put(index, JSON.stringify({ 'agent:main:main': { sessionId: 'a' } }))
  put(join(home, '.claude/projects/-home-ann-garden/memory/MEMORY.md'), '# Moss\n')
  const begun = join(top, 'begun')
  mkdirSync(begun)
  await collect(begun)
  append(path, claude.user(3, 'three'))
  append(other, openclaw.user(2, 'Good night'))
  put(index, JSON.stringify({ 'agent:main:main': { sessionId: 'a', note: 'later' } }))
  put(join(home, '.openclaw/cron/jobs.json'), JSON.stringify({ version: 1, jobs: [{ id: 'j1' }] }))
  return begun
}

const writtenTwice = (folder: string): string[] => {
  const all = deliveredTo(join(folder, 'archive')).map((each) => JSON.stringify(each))
  return all.filter((each, index) => all.indexOf(each) < index)
}

const deliveredRecords = (folder: string): string[] =>
  [...new Map(deliveredTo(join(folder, 'archive')).map(({ at: _, ...each }) => [each.id, each])).values()]
    .map((each) => JSON.stringify({ ...each, generation: 0 }))
    .sort()

async function failAt(begun: string, at: number, code: Code): Promise<{ folder: string; ended: boolean }> {
  const folder = join(top, `${code}-${at}`)
  cpSync(begun, folder, { recursive: true })
  const { result, error, called } = await withFailingCall({ at, code }, () => collect(folder))
  if (called.length < at) return { folder, ended: true }
  if (error !== undefined) expect(String(error), `${called[at - 1]}, call ${at}`).toMatch(/fail|E[A-Z]+|disk/)
  if (result) expect(result.report.gone, `${called[at - 1]}, call ${at}`).toBe(0)
  return { folder, ended: false }
}

describe('after a failed call of the file system', () => {
  afterEach(() => {
    for (const name of readdirSync(top)) rmSync(join(top, name), { recursive: true })
  })

  it.each(CODES)('with %s, the next run delivers the missing records and nothing else', async (code) => {
    const begun = await begin()
    const whole = join(top, 'whole')
    cpSync(begun, whole, { recursive: true })
    const { called } = await withFailingCall(undefined, () => collect(whole))
    expect(new Set(called).size).toBeGreaterThan(10)
    const expected = deliveredRecords(whole)
    let at = 1
    for (let ended = false; !ended && at < MOST_CALLS; at++) {
      const one = await failAt(begun, at, code)
      const { report } = await collect(one.folder)
      expect(report.faults).toEqual([])
      expect(deliveredRecords(one.folder), `${called[at - 1]}, call ${at}`).toEqual(expected)
      expect(writtenTwice(one.folder), `${called[at - 1]}, call ${at}`).toEqual([])
      rmSync(one.folder, { recursive: true })
      ended = one.ended
    }
    expect(at).toBeGreaterThan(called.length / 2)
  })
})
