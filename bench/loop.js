/** The baseline in Node: split at newlines, JSON.parse every line, pick out the same words. Writes them to stdout. */
import { readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

let out = ''
const say = (text) => {
  out += `${text}\n`
  if (out.length < 65536) return
  writeSync(1, out)
  out = ''
}

for (const entry of readdirSync(process.argv[2], { recursive: true, withFileTypes: true })) {
  if (!entry.name.endsWith('.jsonl')) continue
  const bytes = readFileSync(join(entry.parentPath, entry.name))
  for (let start = 0; start < bytes.length; ) {
    let end = bytes.indexOf(10, start)
    if (end < 0) end = bytes.length
    if (end > start) {
      const record = JSON.parse(bytes.toString('utf8', start, end))
      const content = record.message?.content
      if (typeof content === 'string') say(`${record.type}: ${content}`)
      else if (Array.isArray(content))
        for (const block of content) {
          if (block.type === 'text') say(`${record.type}: ${block.text}`)
          else if (block.type === 'tool_use')
            say(`-> ${block.name} ${block.input.file_path ?? block.input.command ?? ''}`)
          else if (block.is_error) say(`x ${String(block.content).split('\n')[0]}`)
        }
    }
    start = end + 1
  }
}
if (out) writeSync(1, out)
