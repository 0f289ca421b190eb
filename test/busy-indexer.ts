import { writeSync } from 'node:fs'
import { finish } from '../src/model/iteration.ts'
import { openSqliteStore } from '../src/store/sqlite/open.ts'
import { createBusyTree } from './busy-tree.ts'
import { createRandom } from './random.ts'
import { bringUpToDate, claudeAt } from './store-audit.ts'

/**
 * A process that indexes endlessly, over a tree that it changes in between, until it is killed: `node
 * busy-indexer.ts <folder> <store> <seed> [rounds]`. It prints its progress, one letter each: `r` a refresh
 * begins, `w` a transaction begins, `c` it is done, `e` the refresh is done. `D`: the store was damaged; `L`:
 * another process holds the lock.
 */
const [folder, path, seed, rounds] = process.argv.slice(2) as [string, string, string, string?]
const say = (letter: string): void => void writeSync(1, letter)

const { store, setAside } = openSqliteStore(path, Date.now())
if (setAside !== undefined) say('D')
const tree = createBusyTree(folder, createRandom(Number(seed)), Number(seed) * 1_000_000)
const watched: typeof store = {
  ...store,
  write(batch) {
    say('w')
    const refused = store.write(batch)
    say('c')
    return refused
  },
}
for (let round = 0; round < Number(rounds ?? Number.POSITIVE_INFINITY); round++) {
  say('r')
  const work = function* () {
    yield
    return bringUpToDate(watched, claudeAt(folder))
  }
  if (!finish(store.asWriter(work))) say('L')
  say('e')
  tree.live()
}
