import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Steps } from '../../src/model/iteration.ts'
import { putLongTree } from '../long-tree.ts'
import { answer, type Json, program, run, variablesOf } from '../program.ts'
import { temporaryHome, uuid } from '../records.ts'

const FILES = 32

/** A home with long transcripts. */
function longHome(): string {
  const home = temporaryHome()
  putLongTree(home)
  return home
}

/** Runs so many steps of the first work, as Ctrl-C would end it, and all of any other. */
function interruptedAfter(count: number) {
  let isFirst = true
  return async <Result>(steps: Steps<Result>): Promise<Result | undefined> => {
    const limit = isFirst ? count : Number.POSITIVE_INFINITY
    isFirst = false
    for (let done = 0; done < limit; done++) {
      const step = steps.next()
      if (step.done) return step.value
    }
    steps.return(undefined as Result)
    return undefined
  }
}

describe('the first command over long transcripts', () => {
  it('indexes everything that a command needs, and answers completely', () => {
    for (const [args, countOf] of [
      [['search', 'shade', '--limit', '0'], ({ total }: Json) => total],
      [['sessions', '--all'], ({ total }: Json) => total],
      [['stats'], ({ totals }: Json) => totals.messages.human],
    ] as const) {
      const { stdout, stderr, code } = run([...args, '--json'], longHome())
      const answer = JSON.parse(stdout)
      expect([countOf(answer), answer.incomplete, stderr, code]).toEqual([FILES, undefined, '', 0])
    }
  })
  it('gives the answer that every later one gives', () => {
    const home = longHome()
    for (const args of [
      ['read', uuid(10)],
      ['projects', '--json'],
      ['sessions', '--all', '--json'],
    ])
      expect(run(args, home)).toEqual(run(args, home))
  })
})

describe('an interrupted export', () => {
  /** Lets the index be completed, and ends what follows after so many steps. */
  function interruptedLater(count: number) {
    let isFirst = true
    return async <Result>(steps: Steps<Result>): Promise<Result | undefined> => {
      const until = interruptedAfter(isFirst ? Number.POSITIVE_INFINITY : count)
      isFirst = false
      return until(steps)
    }
  }

  const exportWith = (home: string, given: object, count: number) =>
    answer(
      'export',
      { all: true, ...given },
      { home, variables: {} },
      { json: true, store: join(home, 'store.sqlite'), untilInterrupted: interruptedLater(count) },
    )

  it.each([
    ['md', 10],
    ['native', 40],
    ['atif', 40],
  ] as const)('leaves whole files of %s, and says how many', async (format, steps) => {
    const home = longHome()
    const out = join(home, 'out')
    const { text, notes } = await exportWith(home, { format, out }, steps)
    const { sessions } = JSON.parse(text)
    expect(sessions).toBeGreaterThan(0)
    expect(sessions).toBeLessThan(FILES)
    expect(readdirSync(out).filter((name) => name !== 'index.md')).toHaveLength(sessions)
    expect(notes).toEqual([`Interrupted: ${sessions} of 32 sessions were exported.`])
  })

  it.each(['html', 'json'])('leaves nothing of a single file of %s', async (format) => {
    const home = longHome()
    const out = join(home, 'out', 'page')
    await expect(exportWith(home, { format, out }, 5)).rejects.toMatchObject({
      message: 'Interrupted: nothing was exported.',
    })
    expect(existsSync(out)).toBe(false)
  })
})

describe('an interrupted index', () => {
  it.each([0, 5, 20])(
    'answers from what is stored after %i files, and says how much that is',
    async (count) => {
      const home = longHome()
      const environment = { home, variables: {}, platform: 'linux' as const }
      const store = join(home, 'store.sqlite')
      const as = { json: true, store, untilInterrupted: interruptedAfter(count) }
      const { text } = await answer('search', { query: ['shade'], limit: 0 }, environment, as)
      const { total, incomplete } = JSON.parse(text)
      expect(incomplete).toEqual({ files: total, of: FILES, messages: 0 })
      expect(total).toBeGreaterThanOrEqual(Math.min(count, 1))
      expect(total).toBeLessThan(FILES)
    },
  )

  it('ends a command that writes all of it, before it writes anything', async () => {
    const home = longHome()
    const as = { store: join(home, 'store.sqlite'), untilInterrupted: interruptedAfter(3) }
    const environment = { home, variables: {}, platform: 'linux' as const }
    const exported = answer('export', { all: true, out: join(home, 'page.html') }, environment, as)
    await expect(exported).rejects.toMatchObject({
      code: 'interrupted',
      message: expect.stringMatching(/^Interrupted: \d+ of 32 files are indexed\.$/),
    })
    expect(existsSync(join(home, 'page.html'))).toBe(false)
  })

  it('prints that first, and ends with exit code 3', async () => {
    const home = longHome()
    const env = variablesOf(home)
    const child = spawn(process.execPath, [program, 'search', 'shade', '--limit', '0'], { env, cwd: home })
    let stdout = ''
    child.stdout.on('data', (data) => {
      stdout += data
    })
    const ended = new Promise<number | null>((settle) => child.on('exit', settle))
    const store = join(home, '.local/share/scrollback/store.sqlite')
    while (!existsSync(store) && child.exitCode === null) await pause(5)
    child.kill('SIGINT')
    const code = await ended
    const searched = Number(/^Incomplete: searched (\d+) of 32 files\.\n/.exec(stdout)?.[1] ?? FILES)
    const shown = stdout.match(/In the shade of wall/g)?.length ?? 0
    // The signal may come too late for the index, or too early for the program to listen.
    if (code === null) expect(stdout).toBe('')
    else expect([code, shown]).toEqual([searched < FILES ? 3 : 0, searched])
  })
})
