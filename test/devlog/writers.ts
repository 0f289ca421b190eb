import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads the brief and quotes the first words of every message in it, as a model could. */
const COMMON = `
import { appendFileSync, readFileSync } from 'node:fs'
const brief = readFileSync(0, 'utf8')
const [, log] = process.argv.slice(1)
appendFileSync(log, JSON.stringify(brief) + '\\n')
const conversation = brief.split('## The conversation')[1] ?? ''
const messages = [...conversation.matchAll(/^\\*\\*(Human|Agent)\\*\\* [^\\n]*(\\[\\^[^\\]]+\\])\\n> ([^\\n]+)/gm)].map(([, who, mark, words]) => ({ who: who.toLowerCase(), mark, words }))
const honest = () => '# A shop\\n\\n' + messages.map(({ who, mark, words }) => 'The ' + who + ' wrote: “' + words + '”' + mark).join('\\n\\n') + '\\n'
const first = messages[0]?.mark
`

/** What the scripted writers do with the brief. */
const WRITERS = {
  honest: 'process.stdout.write(honest())',
  /** As models like to do: a preface, a fence around everything, and definitions of marks. */
  chatty: "process.stdout.write('```markdown\\n' + honest() + '\\n\\n[^1]: a source\\n```\\n')",
  numbers: "process.stdout.write(honest() + '\\n\\nThe shop was down for 99 minutes.' + first + '\\n')",
  quotes: "process.stdout.write(honest() + '\\n\\nThe human said: “Ship it without tests.”' + first + '\\n')",
  marks: "process.stdout.write(honest() + '\\n\\nAll of it was agreed.[^ffffffff:7:000000]\\n')",
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
