import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads the pack and finds its draft, as a model would. */
const COMMON = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
const pack = readFileSync(0, 'utf8')
const [, log, ...rest] = process.argv.slice(1)
appendFileSync(log, JSON.stringify(pack) + '\\n')
const section = (title) => {
  const found = new RegExp('^## ' + title + '\\\\n\\\\n((?:\\\\|.*\\\\n?)*)', 'm').exec(pack)
  return (found?.[1] ?? '').split('\\n').map((line) => line.replace(/^\\| ?/, '')).join('\\n').trim()
}
const draft = section('Draft')
/** Replaces every marked place by a sentence about the record that it names first. */
const written = (sentence) => draft.replace(/^\\*To be written:.*?\\*((?:\\[\\^\\d+\\])*)$/gm, (_, refs) => sentence(/\\[\\^\\d+\\]/.exec(refs)[0]))
/** The words of a record, as the material quotes them. */
const quoteOf = (ref) => {
  const lines = pack.split('\\n')
  for (const line of lines) {
    const at = line.indexOf('”' + ref)
    if (at > 0) return line.slice(line.lastIndexOf('“', at) + 1, at)
  }
  return undefined
}
const honest = () => written((ref) => { const quote = quoteOf(ref); return quote ? 'It began with these words: “' + quote + '”' + ref : 'It began here.' + ref })
`

/** What the scripted writers do with the pack. */
const WRITERS = {
  honest: 'process.stdout.write(honest())',
  /** As models like to do: a preface, and a fence around everything. */
  chatty: "process.stdout.write('```markdown\\n' + honest() + '\\n```\\n')",
  numbers: "process.stdout.write(honest() + '\\n\\nThe shop was down for 99 minutes.[^1]\\n')",
  quotes: "process.stdout.write(honest() + '\\n\\nThe human said: “Ship it without tests.”[^1]\\n')",
  footnotes:
    "process.stdout.write(honest() + '\\n\\n[^1]: session `ffffffff`, line 7, no time, record `000000000000`\\n')",
  /** Does whatever a line of the material asks for. */
  obedient:
    "const order = /WRITER: (.*?)(?:”|$)/m.exec(pack); process.stdout.write(honest() + '\\n\\n' + (order ? order[1] : 'nothing') + '\\n')",
  digests:
    "process.stdout.write(draft ? honest() : 'It began with these words: “' + quoteOf('[^' + /\\[\\^(\\d+)\\]/.exec(pack.split('## Evidence')[1])[1] + ']') + '”[^' + /\\[\\^(\\d+)\\]/.exec(pack.split('## Evidence')[1])[1] + ']\\n\\nThe shop earned 77,777 euro on that day.\\n')",
  silent: '',
  failing: "process.stderr.write('the model is not there\\n'); process.exit(7)",
  endless:
    "const more = 'x'.repeat(65536); const write = () => { while (process.stdout.write(more)); process.stdout.once('drain', write) }; write()",
  slow: 'setTimeout(() => {}, 1e9)',
} as const

export type WriterName = keyof typeof WRITERS

/** Writes a scripted writer and returns the command that starts it. It notes every pack in a file. */
export function scriptedWriter(home: string, name: WriterName): { command: string; log: string } {
  const path = join(home, `${name}.mjs`)
  const log = join(home, `${name}.log`)
  writeFileSync(path, `${COMMON}\n${WRITERS[name]}\n`)
  chmodSync(path, 0o755)
  writeFileSync(log, '')
  return { command: `"${process.execPath}" "${path}" "${log}"`, log }
}
