/**
 * Prints what trees of transcripts consist of, side by side: `node bench/shares.ts <folder>…`. It shows
 * whether the invented trees look like real ones.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

interface Shares {
  files: number
  bytes: number
  lines: number
  /** Bytes of texts of people and agents. */
  words: number
  /** Bytes of tool results, and of lines of the agent. */
  results: number
  agent: number
  /** Lines that another file has, too. */
  repeated: number
  sizes: number[]
}

function sharesOf(folder: string): Shares {
  const shares: Shares = {
    files: 0,
    bytes: 0,
    lines: 0,
    words: 0,
    results: 0,
    agent: 0,
    repeated: 0,
    sizes: [],
  }
  const known = new Set<string>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (!name.endsWith('.jsonl') || !statSync(path).isFile()) continue
    shares.files++
    shares.sizes.push(statSync(path).size)
    for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') count(line, shares, known)
  }
  shares.sizes.sort((a, b) => a - b)
  return shares
}

interface Entry {
  uuid?: unknown
  id?: unknown
  message?: { role?: unknown; content?: unknown }
}

function count(line: string, shares: Shares, known: Set<string>): void {
  const bytes = Buffer.byteLength(line) + 1
  shares.bytes += bytes
  shares.lines++
  const entry = parsed(line)
  const id = entry?.uuid ?? entry?.id
  if (typeof id === 'string') {
    if (known.has(id)) shares.repeated++
    known.add(id)
  }
  const { role, content } = entry?.message ?? {}
  if (role === 'assistant') shares.agent += bytes
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (!Array.isArray(parts)) return
  for (const part of parts as { type?: unknown; text?: unknown }[])
    if (part?.type === 'text' && typeof part.text === 'string') shares.words += Buffer.byteLength(part.text)
  if (role === 'toolResult' || parts.some((part) => part?.type === 'tool_result')) shares.results += bytes
}

function parsed(line: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null ? entry : undefined
  } catch {
    return undefined
  }
}

const percent = (part: number, whole: number): string => `${((100 * part) / (whole || 1)).toFixed(1)} %`

const ROWS: Readonly<Record<string, (shares: Shares) => string>> = {
  files: ({ files }) => files.toLocaleString('en'),
  megabytes: ({ bytes }) => (bytes / 1e6).toFixed(1),
  'bytes a line': ({ bytes, lines }) => (bytes / (lines || 1)).toFixed(0),
  'kB a file, median': ({ sizes }) => ((sizes[sizes.length >> 1] ?? 0) / 1000).toFixed(1),
  'kB a file, average': ({ bytes, files }) => (bytes / (files || 1) / 1000).toFixed(1),
  words: ({ words, bytes }) => percent(words, bytes),
  'tool results': ({ results, bytes }) => percent(results, bytes),
  'lines of the agent': ({ agent, bytes }) => percent(agent, bytes),
  'lines repeated': ({ repeated, lines }) => percent(repeated, lines),
}

const folders = process.argv.slice(2)
if (folders.length === 0) throw new Error('node bench/shares.ts <folder>…')
const all = folders.map(sharesOf)
process.stdout.write(
  `| share | ${folders.map((folder) => basename(folder)).join(' | ')} |\n|---|${'---|'.repeat(folders.length)}\n`,
)
for (const [name, cell] of Object.entries(ROWS))
  process.stdout.write(`| ${name} | ${all.map(cell).join(' | ')} |\n`)
