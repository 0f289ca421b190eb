import type { FileEvidence, Phase } from '../evidence/evidence.ts'
import type { Block } from './document.ts'
import { day } from './parts.ts'

const LABEL = 48
const LEAST_PHASES = 3
const LEAST_FILES = 4
const MOST_FILES = 16

/** Letters, digits and a few marks: nothing that Mermaid or a fence could read as its own. */
const plain = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N} ._/-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LABEL)
    .toWellFormed() || 'untitled'

/** The phases on a time line, if there are enough to need one. */
export function timeLine(phases: readonly Phase[]): Block[] {
  if (phases.length < LEAST_PHASES) return []
  const rows = phases.map(({ from, title }) => `  ${day(from)} : ${plain(title)}`)
  return [{ type: 'diagram', source: ['timeline', ...rows].join('\n'), weight: 30 }]
}

/** Folders and the files that were changed in them most often. */
export function fileMap(files: readonly FileEvidence[]): Block[] {
  const shown = files.slice(0, MOST_FILES)
  const folders = [...new Set(shown.map(({ path }) => folderOf(path)))]
  if (shown.length < LEAST_FILES || folders.length < 2) return []
  const rows = shown.map(({ path, edits }, index) => {
    const folder = folderOf(path)
    const name = plain(path.split(/[/\\]/).at(-1) ?? path)
    return `  d${folders.indexOf(folder)}["${plain(folder)}"] -->|${edits}| f${index}["${name}"]`
  })
  return [{ type: 'diagram', source: ['flowchart LR', ...rows].join('\n'), weight: 12 }]
}

const folderOf = (path: string): string =>
  path.split(/[/\\]/).filter(Boolean).slice(0, -1).slice(-2).join('/') || '/'
