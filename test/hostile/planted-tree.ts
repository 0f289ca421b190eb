import { cpSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { identities } from '../../src/platforms/identities.ts'
import { fernwoodIdentity } from '../third-platform/identity.ts'

/** Every platform that the program has in this environment. */
const tested = [...identities, fernwoodIdentity]

/** What replaces a string of a record; `key` is the name of its field. */
export type Plant = (value: string, key: string) => string

const fixtures = resolve(import.meta.dirname, '../fixtures')

/**
 * Copies all fixtures below a folder, with something planted in every string of every record, index and note,
 * and in the names of the folders and files that agents choose. Returns the flags that make the program read
 * them all, in the environment `REGISTERED`.
 */
export function plantedTree(home: string, plant: Plant, name?: (name: string) => string): string[] {
  const flags: string[] = []
  for (const { id, folder: root, dirName } of tested)
    for (const trap of readdirSync(join(fixtures, id))) {
      const folder = join(home, id, trap)
      cpSync(join(fixtures, id, trap), folder, { recursive: true })
      plantIn(folder, plant, name)
      if (readdirSync(folder).includes(root)) flags.push(`--${dirName}-dir`, join(folder, root))
    }
  return flags
}

function plantIn(folder: string, plant: Plant, name?: (name: string) => string): void {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry)
    if (statSync(path).isDirectory()) plantIn(path, plant, name)
    else if (/\.(?:jsonl|json|md)\b/.test(entry) && !entry.endsWith('.zst')) {
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, entry.endsWith('.md') ? plant(text, 'text') : plantedText(text, plant))
    }
    // Folders of projects and agents, and notes.
    const own = /\/(?:projects|agents)$/.test(folder) || (entry.endsWith('.md') && entry !== 'MEMORY.md')
    if (name && own)
      renameSync(
        path,
        join(
          folder,
          entry.replace(/^([^.]+)/, (stem) => name(stem)),
        ),
      )
  }
}

/** A file of JSON, or of lines of it. Other files remain unchanged. */
function plantedText(text: string, plant: Plant): string {
  const whole = planted(text, plant)
  if (whole !== undefined) return whole
  return text
    .split('\n')
    .map((line) => planted(line, plant) ?? line)
    .join('\n')
}

function planted(text: string, plant: Plant): string | undefined {
  try {
    return JSON.stringify(plantedValue(JSON.parse(text), '', plant))
  } catch {
    return undefined
  }
}

function plantedValue(value: unknown, key: string, plant: Plant): unknown {
  if (typeof value === 'string') return plant(value, key)
  if (Array.isArray(value)) return value.map((each) => plantedValue(each, key, plant))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, plantedValue(each, name, plant)]),
  )
}

/** Fields that define what a record is and how records belong together. Without them there is no record. */
export const STRUCTURE =
  /^(?:type|role|uuid|id|parentUuid|parentId|sessionId|timestamp|ts|tool_use_id|toolCallId|callId|stop_reason|version|operation|subtype|action|status|kind|schedule|expr|isSidechain|leafUuid|logicalParentUuid|sessionKey)$/

/** The commands that people run on everything that was found. */
const questions: readonly (readonly string[])[] = [
  [],
  ['projects'],
  ['sessions', '--all', '--kind', 'all', '--limit', '0'],
  ['search', 'the', '--limit', '0'],
  ['read', '--all', '--kind', 'all'],
  ['read', '--all', '--kind', 'all', '--full', '--lines'],
  ['read', '--all', '--fold', '--budget', '300'],
  ['stats', '--all', '--by', 'model'],
  ['stats', '--all', '--by', 'tool'],
  ['stats', '--all', '--by', 'session'],
  ['standup', '--since', '2020-01-01'],
  ['sessions', 'zzzz'],
  ['search', 'project:zzzz'],
  ['runs', '--all'],
  ['cron'],
  ['cron', '--failed'],
  ['memory'],
  ['doctor', '--deep'],
  ['secrets', '--all', '--places'],
  ['devlog', '--style', 'standup', '--since', '2020-01-01'],
  ['devlog', '--style', 'changelog', '--evidence'],
  ['devlog', '--style', 'changelog', '--writer', 'cat'],
]

/** The same with a format of their own, which only an answer as text may have. */
const formats = ['md', 'jsonl'].flatMap((format) => [
  ['read', '--all', '--format', format],
  ['read', '--all', '--full', '--format', format],
])

/** The commands that are asked for answers of this form: as text, or with `--json`. */
export const questionsFor = (form: readonly string[]): readonly (readonly string[])[] =>
  form.length > 0 ? questions : [...questions, ...formats]
