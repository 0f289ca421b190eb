import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { semanticDatabase, VECTOR_CANARIES } from '../semantic-databases.ts'

/** Files next to semantic memories, below a state directory, that are not one. */
export const NEAR_SEMANTIC = [
  'memory/x.jsonl',
  'memory/main.sqlite.bak',
  'memory/main.sqlite.tmp-1',
  'memory/.main.sqlite',
  'memory/main.db',
  'memory/deep/main.sqlite',
  'memory/my main.sqlite',
  'memory.sqlite',
  'agents/main/agent/main.sqlite',
]

/** A key as people leave it in their notes. */
const KEY = ['ghp', 'z4Yq8WbS2vKx6QmD3yPe9GtK5uRh1FbC7oLj'].join('_')

/**
 * The semantic memory of an agent, with a key in its text, vectors next to it, and a link to another file.
 */
export function plantSemantic(state: string, canaries: Map<string, string>): void {
  const made = semanticDatabase(state, 'old')
  made.source('MEMORY.md', 'h', 1793613601000, 40)
  made.chunk('MEMORY.md', [1, 2], `The moss is in the canary chunk; the key is ${KEY}.`)
  made.close()
  symlinkSync('../secrets.json', join(state, 'memory/leads-out.sqlite'))
  symlinkSync('x.jsonl', join(state, 'memory/leads-aside.sqlite'))
  const folder = join(state, 'memory')
  for (const [index, canary] of VECTOR_CANARIES.entries())
    canaries.set(join(folder, `(what is not asked for, ${index})`), canary)
  canaries.set(join(folder, '(a key in a chunk)'), KEY)
}

/** Its files that may be opened. */
export const semanticFiles = (state: string): string[] => [join(state, 'memory/main.sqlite')]
