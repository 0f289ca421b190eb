/** Draws docs/picture.svg from the actual output on the demo. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const COLUMNS = 92
const LINE = 19
const CHARACTER = 8.43

const ask = (...args: string[]): string[] =>
  execFileSync(process.execPath, ['bin/scrollback.js', ...args, '--demo'], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  }).split('\n')

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** Terminal colors, derived from the beginning of each line. */
function classOf(line: string): string {
  if (line.startsWith('$')) return 'command'
  if (/^(?:━━)/.test(line)) return 'title'
  if (/^You\b/.test(line)) return 'human'
  if (/^Claude\b/.test(line)) return 'agent'
  if (/^\s+(?:→|·)/.test(line)) return 'tool'
  if (/^\s+✗/.test(line)) return 'error'
  return 'text'
}

const cut = (line: string): string => (line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line)

const read = ask('read', '640ab4c7', '--fold')
const lines = ['$ scrollback read 640ab4c7 --fold', ...read.slice(0, 33), '  …'].map(cut)
const width = Math.round(COLUMNS * CHARACTER + 40)
const height = lines.length * LINE + 60
const text = lines
  .map(
    (line, index) =>
      `<text x="20" y="${56 + index * LINE}" class="${classOf(line)}" xml:space="preserve">${escaped(line)}</text>`,
  )
  .join('\n')

writeFileSync(
  'docs/picture.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A condensed transcript in a terminal">
<style>
text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #c9d1d9 }
.command { fill: #7ee787 } .title { fill: #ffffff; font-weight: bold } .human { fill: #79c0ff; font-weight: bold }
.agent { fill: #ffffff; font-weight: bold } .tool { fill: #8b949e } .error { fill: #ff7b72 }
</style>
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
<circle cx="22" cy="20" r="6" fill="#ff5f56"/><circle cx="42" cy="20" r="6" fill="#ffbd2e"/><circle cx="62" cy="20" r="6" fill="#27c93f"/>
${text}
</svg>
`,
)
