/**
 * Which records stand on the branch that was followed to the end. A record is abandoned only when its line of parents
 * meets the active branch somewhere below it: one whose parents are not in the file is nobody's lost branch.
 */
export function createBranches() {
  const parents = new Map<string, string | undefined>()
  let leaf: string | undefined
  return {
    link(id: string, parentId: string | undefined): void {
      parents.set(id, parentId)
    },
    /** The conversation went on here. */
    tip(id: string): void {
      leaf = id
    },
    /** Answers whether a record was left behind. */
    settle(): (id: string) => boolean {
      const active = new Set<string>()
      for (let id = leaf; id !== undefined && !active.has(id) && parents.has(id); id = parents.get(id)) active.add(id)
      if (active.size === parents.size) return () => false
      return (id) => {
        if (active.has(id)) return false
        const seen = new Set<string>()
        for (let at = parents.get(id); at !== undefined && !seen.has(at); at = parents.get(at)) {
          if (active.has(at)) return true
          seen.add(at)
        }
        return false
      }
    },
  }
}
