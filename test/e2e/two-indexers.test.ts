import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { withLock } from '../../src/store/sqlite/lock.ts'
import { createBusyTree } from '../busy-tree.ts'
import { type Answer, json, program, run, variablesOf } from '../program.ts'
import { createRandom } from '../random.ts'
import { append, claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { shareOf } from '../share.ts'
import { claudeAt } from '../store-audit.ts'
import { expectWhole } from '../whole-store.ts'

const holder = resolve(import.meta.dirname, '../lock-holder.ts')
const storeOf = (home: string): string => join(home, '.local/share/scrollback/store.sqlite')

/** Starts the real program without waiting. */
async function started(args: readonly string[], home: string): Promise<Answer> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: variablesOf(home),
  })
  const answer: Answer = { stdout: '', stderr: '', code: null }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text) => {
      answer[name] += text
    })
  ;[answer.code] = await once(child, 'close')
  return answer
}

/**
 * Runs this many processes at once, all of which have to succeed. Returns how many files each of them read.
 */
async function indexAtOnce(count: number, home: string): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => started(['index', '--json'], home)))
  return answers.map(({ stdout, stderr, code }) => {
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    return JSON.parse(stdout).read
  })
}

describe('processes that index at the same time', () => {
  it('create the store together if there is none', async () => {
    const workerData = {
      ...{ folder: temporaryHome(), rounds: shareOf(60), fellows: 2 },
      arrived: new Int32Array(new SharedArrayBuffer(4)),
    }
    const opener = resolve(import.meta.dirname, '../store-opener.ts')
    const results = await Promise.all(
      [1, 2].map(async () => {
        const [faults] = await once(new Worker(opener, { workerData }), 'message')
        return faults as string[]
      }),
    )
    expect(results).toEqual([[], []])
  })

  it.each([2, 4])('all succeed, and read every file once: %i of them', async (count) => {
    const home = temporaryHome()
    const tree = createBusyTree(join(home, '.claude'), createRandom(count), count * 1_000_000)
    tree.live()
    const read = await indexAtOnce(count, home)
    expect(read.filter((each) => each > 0)).toEqual([tree.paths().length])
    expectWhole(storeOf(home), claudeAt(join(home, '.claude')))
    for (let round = 0; round < 2; round++) {
      tree.live()
      const grown = await indexAtOnce(count, home)
      expect(grown.filter((each) => each > 0)).toHaveLength(1)
      expectWhole(storeOf(home), claudeAt(join(home, '.claude')))
    }
  })

  it('store nothing twice although transcripts grow in between', async () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'the first fern')])
    const both = Promise.all([started(['index'], home), started(['sessions', '--all'], home)])
    append(path, claude.user(2, 'the second fern'))
    for (const { stderr, code } of await both) expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(run(['index'], home)).toMatchObject({ stderr: '', code: 0 })
    expect(json(home, 'search', 'fern').total).toBe(2)
    expectWhole(storeOf(home), claudeAt(join(home, '.claude')))
  })
})

/** Another process that holds the writer's lock. */
async function holding(store: string) {
  const child = spawn(process.execPath, [holder, `${store}.lock`], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

const note = 'Another process is indexing. This answer shows what is stored so far.\n'

describe('while another process writes', () => {
  const grown = (): { home: string; store: string } => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'water the fern')])
    expect(run(['index'], home).code).toBe(0)
    append(path, claude.user(2, 'and the moss'))
    return { home, store: storeOf(home) }
  }

  it('other commands answer from what is stored, and report that', async () => {
    const { home, store } = grown()
    const held = await holding(store)
    const asked = [['sessions', '--all'], ['search', 'fern'], ['search', 'moss'], ['doctor']]
    const [sessions, fern, moss, doctor] = await Promise.all(asked.map((args) => started(args, home)))
    held.kill('SIGKILL')
    expect(sessions).toMatchObject({ stderr: note, code: 3 })
    expect(sessions!.stdout).toContain('water the fern')
    expect(fern).toMatchObject({ stderr: note, code: 3 })
    expect(fern!.stdout).toContain('1 match in 1 session')
    expect(moss).toMatchObject({ stderr: note, code: 3 })
    expect(moss!.stdout).toContain('Nothing matches moss')
    expect(doctor).toMatchObject({ stderr: note, code: 3 })
    expect(run(['search', 'moss'], home).stdout).toContain('1 match in 1 session')
  })

  it('other commands answer although it is in the middle of a transaction', () => {
    const { home, store } = grown()
    withLock(`${store}.lock`, () => {
      const database = new DatabaseSync(store)
      database.exec('BEGIN IMMEDIATE; DELETE FROM occurrence; DELETE FROM message')
      const { stdout, code } = run(['search', 'fern', '--json'], home)
      expect({ total: JSON.parse(stdout).total, code }).toEqual({ total: 1, code: 3 })
      database.close()
    })
  })

  it('other commands report another program that has locked the store', () => {
    const { home, store } = grown()
    const database = new DatabaseSync(store)
    database.exec('BEGIN IMMEDIATE')
    const { stdout, stderr, code } = run(['index'], home)
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 })
    expect(stderr).toBe(
      `scrollback: The store at ${store} is being written by another program.\nClose the program that has it open, such as a database browser or a backup, and try again.\n`,
    )
    database.close()
  })

  it('`index` waits for it, and continues if it was killed', async () => {
    const { home, store } = grown()
    const held = await holding(store)
    let done = false
    const index = started(['index'], home).finally(() => {
      done = true
    })
    await started(['sessions', '--all'], home)
    expect(done).toBe(false)
    held.kill('SIGKILL')
    const { stdout, stderr, code } = await index
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout).toContain('of 1 file;')
  })

  it('the first command reports it too if nothing is stored yet', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'water the fern')])
    mkdirSync(dirname(storeOf(home)), { recursive: true })
    withLock(`${storeOf(home)}.lock`, () => {
      for (const line of ['sessions --all', 'read latest', 'search fern'])
        expect(run(line.split(' '), home), line).toEqual({
          stdout: '',
          stderr: `${note}Incomplete: searched 0 of 1 file.\nscrollback: Nothing is stored yet, because another process is indexing.\nRun the command again when it has finished.\n`,
          code: 3,
        })
    })
  })
})
