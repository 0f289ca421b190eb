/** What can happen to transcripts, one situation per tree. */
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'

export interface Stage {
  /** The path of a new transcript. */
  path(name: string): string
  /** This many unique lines. */
  lines(count: number, words?: number): string
  /** Waits until the program has processed everything. */
  settle(): Promise<void>
  stop(): Promise<void>
  start(): void
}

export const situations: Record<string, (stage: Stage) => Promise<void>> = {
  async 'long lines'({ path, lines, settle }) {
    for (const words of [10, 5000, 50_000, 400_000]) appendFileSync(path('long'), lines(5, words))
    await settle()
  },
  async 'half-written lines'({ path, lines, settle }) {
    for (let each = 0; each < 10; each++) {
      const line = lines(1)
      appendFileSync(path('half'), line.slice(0, 40))
      await pass(400)
      appendFileSync(path('half'), line.slice(40))
    }
    await settle()
  },
  async forks({ path, lines, settle }) {
    writeFileSync(path('one'), lines(20))
    await settle()
    copyFileSync(path('one'), path('two'))
    appendFileSync(path('two'), lines(5))
    appendFileSync(path('one'), lines(5))
    await settle()
  },
  async 'rewritten in place'({ path, lines, settle }) {
    writeFileSync(path('rewritten'), lines(30))
    await settle()
    const kept = readFileSync(path('rewritten'), 'utf8').split('\n').slice(0, 20)
    writeFileSync(path('rewritten'), `${kept.join('\n')}\n${lines(15)}`)
    // Overwrites the last lines with others of the same length, without truncating the file.
    appendFileSync(path('overwritten'), lines(20))
    await settle()
    const content = readFileSync(path('overwritten'), 'utf8')
    const offset = content.lastIndexOf('\n', content.length - 2) + 1
    const descriptor = openSync(path('overwritten'), 'r+')
    writeSync(descriptor, lines(1), offset)
    closeSync(descriptor)
    await settle()
  },
  async 'restart while down'({ path, lines, settle, stop, start }) {
    writeFileSync(path('down'), lines(20))
    writeFileSync(path('renamed'), lines(20))
    await settle()
    await stop()
    appendFileSync(path('down'), lines(10))
    renameSync(path('renamed'), path('renamed-since'))
    appendFileSync(path('renamed-since'), lines(10))
    writeFileSync(path('renamed'), lines(10))
    start()
    await settle()
  },
}

/** Words are numbered, so that every line is unique. */
export function createLines(): (count: number, words?: number) => string {
  let number = 0
  return (count, words = 20) => {
    let text = ''
    for (let each = 0; each < count; each++)
      text += `${JSON.stringify({
        type: 'user',
        uuid: `00000000-0000-4000-8000-${String(++number).padStart(12, '0')}`,
        timestamp: '2026-11-01T10:00:00.000Z',
        message: { role: 'user', content: `line ${number} ${'moss '.repeat(words)}` },
      })}\n`
    return text
  }
}

export const transcriptIn = (folder: string, name: string): string => {
  const path = join(folder, '.claude/projects/-home-ann-garden', `${name}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  return path
}
