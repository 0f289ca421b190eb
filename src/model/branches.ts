import { hashText, type IdHash, IdMap } from './id-set.ts'

/**
 * Which records stand on the branch that was followed to the end. A record is abandoned only when its line of parents
 * meets the active branch somewhere below it: one whose parents are not in the file is nobody's lost branch.
 */
export function createBranches(expected: number) {
  const parents = new IdMap(expected)
  const leaf: IdHash = { high: 0, low: 0 }
  return {
    /** A record and the one it answers; `parent` without a value stands for none. */
    link: (id: IdHash, parent: IdHash): void => parents.set(id, parent),
    /** The conversation went on here. */
    tip: (id: string): void => hashText(id, leaf),
    /** Answers whether a record was left behind. */
    settle(): (id: string) => boolean {
      const active = new IdMap(parents.size)
      const at = { ...leaf }
      while (at.low !== 0 && !active.has(at) && parents.has(at)) {
        const id = { ...at }
        parents.get(id, at)
        active.set(id, at)
      }
      if (active.size === parents.size) return () => false
      const record = { high: 0, low: 0 }
      return (id) => {
        hashText(id, record)
        if (active.has(record) || !parents.has(record)) return false
        // More steps than records would be a circle.
        for (let steps = 0; steps < parents.size && record.low !== 0; steps++) {
          parents.get(record, record)
          if (active.has(record)) return true
        }
        return false
      }
    },
  }
}
