/** Unusual trees, for measuring memory. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reusedFolder, type Setup } from './setup.ts'

const MEGABYTES = 50
const FILES = 100_000
const FILES_OF_A_PROJECT = 1000
const SENTENCE = 'The moss is green and the fern is not. '

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const said = (number: number, text: string): string =>
  `${JSON.stringify({
    type: 'user',
    uuid: idOf(number),
    parentUuid: null,
    sessionId: idOf(number),
    cwd: '/srv/moss',
    timestamp: '2026-11-01T10:00:00.000Z',
    version: '2.1.90',
    userType: 'external',
    message: { role: 'user', content: text },
  })}\n`

interface Hostile {
  what: string
  write(tree: string): void
}

function hostile(megabytes: number, files: number): Hostile[] {
  const bytes = megabytes * 1024 * 1024
  return [
    {
      what: `a message of ${megabytes} MB`,
      write: (tree) => transcript(tree, said(2, SENTENCE.repeat(bytes / SENTENCE.length))),
    },
    {
      what: `a line of ${megabytes} MB of brackets`,
      write: (tree) => transcript(tree, `${'['.repeat(bytes)}\n`),
    },
    {
      what: `a line of ${megabytes} MB of nested objects`,
      write(tree) {
        const depth = bytes / '{"a":}'.length
        transcript(tree, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}\n`)
      },
    },
    {
      what: `${files.toLocaleString('en')} small files`,
      write(tree) {
        for (let number = 0; number < files; number++) {
          const folder = join(tree, 'projects', `-srv-moss-${Math.floor(number / FILES_OF_A_PROJECT)}`)
          if (number % FILES_OF_A_PROJECT === 0) mkdirSync(folder, { recursive: true })
          writeFileSync(join(folder, `${idOf(number)}.jsonl`), said(number, `moss ${number}`))
        }
      },
    },
  ]
}

function transcript(tree: string, line: string): void {
  const folder = join(tree, 'projects', '-srv-moss')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${idOf(1)}.jsonl`), said(1, 'before') + line + said(3, 'behind'))
}

/** Writes missing trees. */
export function hostileTrees({ megabytes, scaled }: Setup): { what: string; tree: string }[] {
  return hostile(scaled(MEGABYTES), scaled(FILES)).map(({ what, write }, number) => {
    const tree = reusedFolder(`tree-hostile-${number}-${megabytes}`)
    if (!existsSync(join(tree, 'projects'))) write(tree)
    return { what, tree }
  })
}
