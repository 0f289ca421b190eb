import { resolve } from 'node:path'
import type { CodeSplittingOptions } from 'rolldown'
import { PROPERTY } from './bundle-builtins.ts'

type Group = NonNullable<CodeSplittingOptions['groups']>[number]
/** What is known about modules. */
type About = Parameters<Exclude<Group['name'], string>>[1]

/** What this share of all commands needs is in one file. */
const COMMON = 0.5

/**
 * Gathers the modules that every command needs in three files, and those that many commands need in a fourth,
 * instead of one file for each combination of commands: forty files take half as long again to load. The
 * library and the gate need only the first: the library leaves everything else to a thread. Threads need the
 * first two.
 */
export function createGroups({
  cli,
  worker,
  index,
  gate,
  commands,
}: Record<'cli' | 'worker' | 'index' | 'gate' | 'commands', string>): CodeSplittingOptions {
  let needed:
    | { base: Set<string>; shared: Set<string>; program: Set<string>; common: Set<string> }
    | undefined
  const name: Group['name'] = (id, about) => {
    needed ??= {
      base: new Set([...neededBy(index, about), ...neededBy(gate, about)]),
      shared: neededBy(worker, about),
      program: neededBy(cli, about),
      common: neededByMany(about.getModuleInfo(resolve(commands))?.dynamicallyImportedIds ?? [], about),
    }
    if (id.startsWith(PROPERTY)) return null
    // The rules contain characters that make V8 store all of their file with two bytes each.
    if (id.endsWith('rule-table.ts')) return 'table'
    const isShared = needed.program.has(id) && needed.shared.has(id)
    if (needed.base.has(id)) return isShared ? 'base' : null
    if (needed.program.has(id)) return isShared ? 'shared' : 'program'
    // What is common needs the program, which threads load for nothing.
    return needed.common.has(id) && !needed.shared.has(id) ? 'common' : null
  }
  // Each set contains what its modules need, so that files cannot need each other.
  return { groups: [{ name, debugName: 'program' }], includeDependenciesRecursively: false }
}

/** The modules that many of these modules need. */
function neededByMany(entries: readonly string[], about: About): Set<string> {
  const counts = new Map<string, number>()
  for (const entry of entries)
    for (const id of neededBy(entry, about)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return new Set([...counts].flatMap(([id, count]) => (count >= COMMON * entries.length ? [id] : [])))
}

/** The module and all that it imports at once. */
function neededBy(entry: string, about: About): Set<string> {
  const needed = new Set<string>()
  const open = [resolve(entry)]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (needed.has(id)) continue
    needed.add(id)
    for (const next of about.getModuleInfo(id)?.importedIds ?? []) open.push(next)
  }
  return needed
}
