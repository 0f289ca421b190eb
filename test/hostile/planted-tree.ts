import { cpSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** What a string of a record becomes; `key` is the name of its field. */
export type Plant = (value: string, key: string) => string

const fixtures = resolve(import.meta.dirname, '../fixtures')

/**
 * Copies of all fixtures below a folder, with something planted in every string of every record, index and note, and in the names of the
 * folders and files that agents name themselves. Answers the flags that make the program read them all.
 */
export function plantedTree(home: string, plant: Plant, name?: (name: string) => string): string[] {
  const flags: string[] = []
  for (const platform of ['claude-code', 'openclaw'])
    for (const trap of readdirSync(join(fixtures, platform))) {
      const folder = join(home, platform, trap)
      cpSync(join(fixtures, platform, trap), folder, { recursive: true })
      plantIn(folder, plant, name)
      for (const root of readdirSync(folder)) {
        if (root === '.claude') flags.push('--claude-dir', join(folder, root))
        if (root === '.openclaw') flags.push('--openclaw-dir', join(folder, root))
      }
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

/** A file of JSON, or of lines of it; what is neither stays. */
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

/** Fields that say what a record is and which ones belong together: without them there is no record. */
export const STRUCTURE =
  /^(?:type|role|uuid|id|parentUuid|parentId|sessionId|timestamp|ts|tool_use_id|toolCallId|callId|stop_reason|version|operation|subtype|action|status|kind|schedule|expr|isSidechain|leafUuid|logicalParentUuid|sessionKey)$/

/** What people ask of all that was found. */
export const questions: readonly (readonly string[])[] = [
  [],
  ['projects'],
  ['sessions', '--all', '--kind', 'all', '--limit', '0'],
  ['search', 'the', '--limit', '0'],
  ['read', '--all', '--kind', 'all'],
  ['read', '--all', '--kind', 'all', '--full', '--lines'],
  ['stats', '--all', '--by', 'model'],
  ['stats', '--all', '--by', 'tool'],
  ['runs', '--all'],
  ['cron'],
  ['cron', '--failed'],
  ['memory'],
  ['doctor', '--deep'],
  ['secrets', '--all', '--places'],
]
