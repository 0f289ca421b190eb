import type { Item } from '../model/session.ts'

const NAMED_TARGETS = 3

/** Folds consecutive calls of the same tool into one line: `Read ×7 a.ts, b.ts, c.ts, …`. */
export function foldTools(items: readonly Item[]): Item[] {
  const folded: Item[] = []
  let run: Item[] = []
  const close = (): void => {
    for (const group of Map.groupBy(run, (item) => item.tool!.name).values()) folded.push(together(group))
    run = []
  }
  for (const item of items) {
    if (item.who === 'tool' && item.tool) run.push(item)
    else {
      close()
      folded.push(item)
    }
  }
  close()
  return folded
}

function together(group: Item[]): Item {
  const [first] = group
  if (group.length === 1) return first!
  const targets = [
    ...new Set(group.flatMap((item) => (item.tool?.target ? [shortened(item.tool.target)] : []))),
  ]
  const shown = targets.slice(0, NAMED_TARGETS).join(', ')
  const target = targets.length > NAMED_TARGETS ? `${shown}, …` : shown
  return {
    ...first!,
    folded: group.slice(1),
    tool: { name: `${first!.tool!.name} ×${group.length}`, target: target || undefined },
  }
}

/** Shortens a path to its file name, anything else to its beginning. */
function shortened(target: string): string {
  if (/^[~/.\w-]*\/[^\s/]+$/.test(target)) return target.slice(target.lastIndexOf('/') + 1)
  return target.length > 40 ? `${target.slice(0, 39)}…` : target
}
