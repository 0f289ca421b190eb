import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Random } from './random.ts'
import { call, claude, text, uuid } from './records.ts'

const LEAST_FILES = 200
/** Files that change between two refreshes. */
const AT_ONCE = 12

/**
 * A few hundred transcripts that are written to as by many agents at once. The process that writes may be
 * killed at any moment. Records are numbered from `first`, so that no two writers use the same numbers.
 */
export function createBusyTree(folder: string, random: Random, first: number) {
  const project = join(folder, 'projects/-home-ann-garden')
  mkdirSync(project, { recursive: true })
  let number = first

  function turns(count: number): string {
    let lines = ''
    for (let each = 0; each < count; each++) {
      const id = ++number
      const words = `w${id}x ${'fern moss pump leaf '.repeat(1 + random(20))}`
      const entries = [
        claude.user(id, words),
        claude.reply(id, [text(words)]),
        claude.reply(id, [call(`toolu_${id}`, 'Bash', { command: words })]),
      ]
      lines += `${JSON.stringify(entries[random(entries.length)])}\n`
    }
    return lines
  }

  const paths = (): string[] =>
    readdirSync(project)
      .sort()
      .map((name) => join(project, name))
  const newPath = (): string => join(project, `${uuid(++number)}.jsonl`)

  return {
    paths,
    turns,
    /** Appends to a few transcripts, and sometimes does something else to one. */
    live(): void {
      const all = paths()
      while (all.length < LEAST_FILES) {
        const path = newPath()
        writeFileSync(path, turns(1 + random(4)))
        all.push(path)
      }
      for (let each = 0; each < AT_ONCE; each++) {
        const path = all[random(all.length)]!
        // It may have been chosen before, and be gone.
        if (!existsSync(path)) continue
        const what = random(40)
        if (what === 0) rmSync(path)
        else if (what === 1) renameSync(path, newPath())
        else if (what === 2) writeFileSync(path, turns(2))
        else if (what === 3) writeFileSync(newPath(), readFileSync(path, 'utf8') + turns(2))
        else appendFileSync(path, turns(1 + random(6)))
      }
    },
  }
}
