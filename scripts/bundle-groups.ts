import { resolve } from 'node:path'
import type { CodeSplittingOptions } from 'rolldown'

type Group = NonNullable<CodeSplittingOptions['groups']>[number]
/** What is known about modules. */
type About = Parameters<Exclude<Group['name'], string>>[1]

/**
 * Gathers the modules that every command needs in two files, instead of one file for each combination of
 * commands: forty files take half as long again to load. Threads need only the first. What the library
 * needs stays apart, because it leaves everything else to a thread.
 */
export function createGroups({
  cli,
  worker,
  index,
}: Record<'cli' | 'worker' | 'index', string>): CodeSplittingOptions {
  let needed: { library: Set<string>; shared: Set<string>; program: Set<string> } | undefined
  const name: Group['name'] = (id, about) => {
    needed ??= {
      library: neededBy(index, about),
      shared: neededBy(worker, about),
      program: neededBy(cli, about),
    }
    if (!needed.program.has(id) || needed.library.has(id)) return null
    return needed.shared.has(id) ? 'shared' : 'program'
  }
  // Each set contains what its modules need, so that files cannot need each other.
  return { groups: [{ name, debugName: 'program' }], includeDependenciesRecursively: false }
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
