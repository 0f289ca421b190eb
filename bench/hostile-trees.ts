/** Unusual trees, for measuring memory. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reusedFolder } from './setup.ts'

const BYTES = 50 * 1024 * 1024
const FILES = 100_000
const FILES_OF_A_PROJECT = 1000
const SENTENCE = 'The moss is green and the fern is not. '

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const said = (number: number, text: string): string =>
  `${JSON.stringify({
    ...{ type: 'user', uuid: idOf(number), parentUuid: null, sessionId: idOf(number), cwd: '/srv/moss' },
    ...{ timestamp: '2026-11-01T10:00:00.000Z', version: '2.1.90', userType: 'external' },
    message: { role: 'user', content: text },
  })}\n`

/** A writer for each kind of tree. */
const TREES: Record<string, (tree: string) => void> = {
  'a message of 50 MB': (tree) => transcript(tree, said(2, SENTENCE.repeat(BYTES / SENTENCE.length))),
  'a line of 50 MB of brackets': (tree) => transcript(tree, `${'['.repeat(BYTES)}\n`),
  'a line of 50 MB of nested objects': (tree) => {
    const depth = BYTES / '{"a":}'.length
    transcript(tree, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}\n`)
  },
  '100,000 small files': (tree) => {
    for (let number = 0; number < FILES; number++) {
      const folder = join(tree, 'projects', `-srv-moss-${Math.floor(number / FILES_OF_A_PROJECT)}`)
      if (number % FILES_OF_A_PROJECT === 0) mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${idOf(number)}.jsonl`), said(number, `moss ${number}`))
    }
  },
}

function transcript(tree: string, line: string): void {
  const folder = join(tree, 'projects', '-srv-moss')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${idOf(1)}.jsonl`), said(1, 'before') + line + said(3, 'behind'))
}

/** Writes missing trees. */
export function hostileTrees(): { what: string; tree: string }[] {
  return Object.entries(TREES).map(([what, write], number) => {
    const tree = reusedFolder(`tree-hostile-${number}`)
    if (!existsSync(join(tree, 'projects'))) write(tree)
    return { what, tree }
  })
}
