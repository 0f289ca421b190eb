/** Deletes the type declarations that are not reachable from the package's entry points. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(process.argv[2] ?? 'dist')
const needed = new Set<string>()
const wanted = ['index.d.ts', 'parse.d.ts'].map((name) => join(folder, name))
for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
  if (needed.has(path)) continue
  needed.add(path)
  for (const [, name] of readFileSync(path, 'utf8').matchAll(
    /(?:^(?:import|export)\b[^'"\n]*from |\bimport\()['"]([^'"]+)['"]/gm,
  )) {
    if (!name!.startsWith('.')) throw new Error(`${path} leads out of the package: ${name}`)
    const next = resolve(path, '..', name!.replace(/\.[jt]s$/, '.d.ts'))
    if (!existsSync(next)) throw new Error(`${path} leads to ${name}, which is not there`)
    wanted.push(next)
  }
}
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name)
  if (entry.isFile() && path.endsWith('.d.ts') && !needed.has(path)) rmSync(path)
}
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).toReversed()) {
  const path = join(entry.parentPath, entry.name)
  if (entry.isDirectory() && readdirSync(path).length === 0) rmSync(path, { recursive: true })
}
