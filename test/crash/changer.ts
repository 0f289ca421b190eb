/**
 * Changes the tree of an agent back and forth until it is killed: settles what was interrupted, then moves
 * the files or takes that back. Reports every step to its parent.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  applyChanges,
  changeHook,
  lastChange,
  type Planned,
  settleChanges,
  undoChanges,
} from '../../src/io/agent-folder/changes.ts'
import { digestOf } from '../../src/io/agent-folder/paths.ts'

const [root = '', dataFolder = ''] = process.argv.slice(2)
const SESSIONS = 4

/** What `move` plans: sessions in another folder, files that are renamed, and a list that changes. */
function plan(): Planned[] {
  const sessions = Array.from({ length: SESSIONS }, (_, each) => `${each}.jsonl`)
  const text = (part: string): (() => Iterable<Uint8Array>) =>
    function* pieces() {
      for (let each = 0; each < 3; each++) yield Buffer.from(`${part} ${each}\n`)
    }
  return [
    ...sessions.flatMap((name): Planned[] => [
      { type: 'write', root, below: `p/new/${name}`, before: null, content: text(`new ${name}`) },
      { type: 'remove', root, below: `p/old/${name}`, before: digestOf(join(root, 'p/old', name))! },
    ]),
    { type: 'rename', root, below: 'p/old/memory', to: 'p/new/memory' },
    { type: 'clear', root, below: 'p/old' },
    {
      type: 'write',
      root,
      below: 'list.json',
      before: digestOf(join(root, 'list.json')),
      content: text('list'),
    },
  ]
}

changeHook.step = (what) => void process.send?.(what)

for (;;) {
  settleChanges({ dataFolder })
  if (existsSync(join(root, 'p/new')) || lastChange({ dataFolder })) undoChanges({ dataFolder })
  else applyChanges(plan(), { dataFolder, command: 'move', nowMs: 0 })
  // Messages leave the process only when it waits.
  await new Promise((resolve) => setImmediate(resolve))
}
