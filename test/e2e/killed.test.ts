import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pass } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { withLock } from '../../src/store/sqlite/files.ts'
import { createBusyTree } from '../busy-tree.ts'
import { type Answer, json, program, run, variablesOf } from '../program.ts'
import { createRandom, type Random } from '../random.ts'
import { append, claude, putClaude, sharedHome, temporaryHome, uuid } from '../records.ts'
import { shareOf } from '../share.ts'
import { claudeAt, faultsOf } from '../store-audit.ts'
import { expectWhole } from '../whole-store.ts'

/** What a command says that waits for another one. */
const waiting =
  'Another process is indexing. Waiting until it has finished; Ctrl-C shows what is stored by then.\n'

const top = sharedHome()
const indexer = resolve(import.meta.dirname, '../busy-indexer.ts')
const environment = { ...process.env, NODE_COMPILE_CACHE: join(top, 'compiled') }

/** The number of trees, and of kills per tree: with those of `index`, 136. */
const TREES = 2
const KILLS = shareOf(64)
const KILLS_OF_INDEX = 8
const MOST_TRIES = 60
/** A kill comes at most this long after the awaited output, in ms. */
const LONGEST = 60
const LONGEST_WITHIN = 25
/** Comparing with a fresh index takes longer than everything else. */
const COMPARED_EACH = 32
const LONG_BYTES = 120 * 1024 * 1024

/** Kills a process after a delay, and waits until it is gone. Returns whether it was still running. */
async function kill(child: ChildProcess, afterMs: number): Promise<boolean> {
  const closed = once(child, 'close')
  await pass(afterMs)
  child.kill('SIGKILL')
  await closed
  return child.signalCode === 'SIGKILL'
}

/** Lets a process index, and kills it. Returns its last progress. */
async function killedIndexer(folder: string, store: string, seed: number, random: Random): Promise<string> {
  const child = spawn(process.execPath, [indexer, folder, store, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
  })
  let progress = ''
  child.stdout.setEncoding('utf8').on('data', (letters) => {
    progress += letters
  })
  // Half of them within their first transaction, or shortly after it.
  const sign = random(2) === 0 ? 'r' : 'w'
  const ended = once(child, 'close')
  while (!progress.includes(sign) && child.exitCode === null)
    await Promise.race([once(child.stdout, 'data'), ended])
  expect(await kill(child, random(sign === 'r' ? LONGEST : LONGEST_WITHIN))).toBe(true)
  return progress
}

/** The last output of each process that was killed while it indexed a growing tree. */
async function killedAgainAndAgain(number: number): Promise<string> {
  const folder = join(top, `claude-${number}`)
  const store = join(top, `${number}.sqlite`)
  const random = createRandom(20261121 + number)
  let lastWords = ''
  for (let count = 1; count <= KILLS; count++) {
    const progress = await killedIndexer(folder, store, number * 1000 + count, random)
    expect(progress, 'found it damaged, or locked by one that is dead').not.toMatch(/[DL]/)
    lastWords += progress.at(-1)
    const database = new DatabaseSync(store)
    expect(faultsOf(database), `after kill ${count}`).toEqual({})
    database.close()
    if (count % COMPARED_EACH === 0) expectWhole(store, claudeAt(folder))
  }
  return lastWords
}

describe('an indexing process that is killed', () => {
  it('leaves an intact store, from which the next process continues', async () => {
    // Only a process that ends by itself caches its compiled code for the next ones.
    spawnSync(process.execPath, [indexer, join(top, 'first'), join(top, 'first.sqlite'), '0', '2'], {
      env: environment,
      stdio: 'ignore',
    })
    const trees = Array.from({ length: TREES }, (_, number) => killedAgainAndAgain(number))
    const lastWords = (await Promise.all(trees)).join('')
    const endedAt = (letter: string): number => lastWords.split(letter).length - 1
    expect(lastWords).toHaveLength(TREES * KILLS)
    // Most died during a refresh, and many of them within a transaction.
    expect(endedAt('r') + endedAt('w') + endedAt('c')).toBeGreaterThan(lastWords.length / 2)
    expect(endedAt('w')).toBeGreaterThan(lastWords.length / 10)
  })

  it('has stored the slices of a long transcript that it had read, and the next command reads the rest', async () => {
    const random = createRandom(7)
    const home = join(top, 'home')
    const long = join(home, '.claude/projects/-home-ann-garden/long.jsonl')
    const tree = createBusyTree(join(home, '.claude'), random, 9_000_000)
    mkdirSync(join(home, '.claude'), { recursive: true })
    const store = join(home, '.local/share/scrollback/store.sqlite')
    // Most of it is tool results, which are read and not stored, so a slice is quick.
    const given = JSON.stringify(claude.result(1, 'toolu_1', 'a leaf '.repeat(20_000)))
    expect(run(['index'], home).code).toBe(0)
    for (let bytes = 0; bytes < LONG_BYTES; bytes += 10 * given.length)
      appendFileSync(long, tree.turns(5) + `${given}\n`.repeat(10))
    const removeStore = (): void => {
      for (const part of ['', '-wal', '-shm']) rmSync(store + part, { force: true })
    }
    const begun = performance.now()
    expect(run(['index'], home).code).toBe(0)
    /** How long a run takes, as far as is known: another load of the machine is noticed below. */
    let needed = performance.now() - begun
    removeStore()
    const offsets = new Set<number>()
    let kills = 0
    // The time of the kill depends on the machine: until enough have died, and within the file.
    for (let each = 0; each < MOST_TRIES && (kills < KILLS_OF_INDEX || offsets.size < 3); each++) {
      const child = spawn(process.execPath, [program, 'index'], {
        stdio: 'ignore',
        env: variablesOf(home),
      })
      if (await kill(child, needed / 2 + random(needed / 2))) kills++
      else {
        removeStore()
        needed *= 0.9
      }
      if (!existsSync(store)) continue
      const database = new DatabaseSync(store)
      // It may have died before the store had any content.
      if (database.prepare('PRAGMA user_version').get()!.user_version !== 0) {
        expect(faultsOf(database), `after kill ${kills}`).toEqual({})
        const read = database.prepare('SELECT offset FROM artifact WHERE path = ?').get(long)
        const offset = Number(read?.offset ?? 0)
        offsets.add(offset)
        if (offset === 0) needed *= 1.2
      }
      database.close()
    }
    expect(kills).toBeGreaterThanOrEqual(KILLS_OF_INDEX)
    // Some died after a part was written, and before the last one was.
    expect(offsets.size).toBeGreaterThan(2)
    expect(run(['index'], home)).toMatchObject({ code: 0, stderr: '' })
    expectWhole(store, claudeAt(join(home, '.claude')))
    expect(
      readdirSync(join(home, '.local/share/scrollback')).filter((name) => name.includes('set-aside')),
    ).toEqual([])
  })
})

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
    expect([['', waiting].includes(stderr), code]).toEqual([true, 0])
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
    for (const { stderr, code } of await both)
      expect([['', waiting].includes(stderr), code]).toEqual([true, 0])
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

const note = `${waiting}Another process is indexing. This answer shows what is stored so far.\n`

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
    expect({ stderr, code }).toEqual({ stderr: waiting, code: 0 })
    expect(stdout).toContain('of 1 file;')
  })

  it('the first command waits for it, and then answers', async () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'water the fern')])
    mkdirSync(dirname(storeOf(home)), { recursive: true })
    const held = await holding(storeOf(home))
    const asked = ['sessions --all', 'read latest', 'search fern'].map((line) => {
      const child = spawn(process.execPath, [program, ...line.split(' ')], {
        cwd: home,
        env: variablesOf(home),
      })
      const said = once(child.stderr, 'data')
      let stdout = ''
      child.stdout.on('data', (part) => {
        stdout += part
      })
      return { said, ended: once(child, 'close').then(([code]) => ({ stdout, code })) }
    })
    for (const { said } of asked) expect(String((await said)[0])).toContain(waiting.trim())
    held.kill('SIGKILL')
    for (const { ended } of asked) {
      const { stdout, code } = await ended
      expect(stdout).toContain('water the fern')
      expect(code).toBe(0)
    }
  })
})
