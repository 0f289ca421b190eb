import type { StatedEdit } from './stated-edit.ts'

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const MOVE = /^\*\*\* Move to: (.+)$/

/** A part of a patch for one file. */
interface Section {
  kind: string
  path: string
  lines: string[]
}

/** The changes in a patch of `apply_patch`: sections for files, with hunks that `@@` separates. */
export function editsInPatch(patch: string): StatedEdit[] {
  const sections: Section[] = []
  for (const line of patch.split('\n')) {
    const [, kind, path] = FILE.exec(line) ?? []
    if (kind !== undefined && path !== undefined) sections.push({ kind, path: path.trim(), lines: [] })
    else if (/^\*\*\* (?:Begin|End) Patch/.test(line)) continue
    else sections.at(-1)?.lines.push(line)
  }
  return sections.flatMap(editsOf)
}

function editsOf({ kind, path, lines }: Section): StatedEdit[] {
  if (kind === 'Delete') return [{ path, after: '', deleted: true }]
  if (kind === 'Add')
    return [
      { path, after: lines.flatMap((line) => (line.startsWith('+') ? [`${line.slice(1)}\n`] : [])).join('') },
    ]
  const edits: StatedEdit[] = []
  let before: string[] = []
  let after: string[] = []
  const close = (): void => {
    if (before.length > 0 || after.length > 0)
      edits.push({ path, before: before.join('\n'), after: after.join('\n') })
    before = []
    after = []
  }
  for (const line of lines) {
    if (line.startsWith('@@')) close()
    else if (MOVE.test(line) || line.startsWith('***')) continue
    else if (line.startsWith('-')) before.push(line.slice(1))
    else if (line.startsWith('+')) after.push(line.slice(1))
    else {
      before.push(line.slice(1))
      after.push(line.slice(1))
    }
  }
  close()
  return edits.filter((edit) => edit.before !== edit.after)
}
