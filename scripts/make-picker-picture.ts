/** Draws docs/pictures/picker.svg: the picker on the demo, as a terminal shows it while somebody searches. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type xterm from '@xterm/headless'
import { PICKER_KEYS, play } from '../test/screens.ts'

const COLUMNS = 104
const ROWS = 26
const LINE = 19
const CHARACTER = 8.43
/** How long each frame is frames, in seconds. */
const SHOWN = 3
const LEFT = 18
const TOP = 52

/** The first eight colors of a terminal, and the brighter ones. */
const PALETTE = [
  '#6e7681',
  '#ff7b72',
  '#7ee787',
  '#e3b341',
  '#79c0ff',
  '#d2a8ff',
  '#56d4dd',
  '#c9d1d9',
  '#8b949e',
  '#ffa198',
  '#aff5b4',
  '#f2cc60',
  '#a5d6ff',
  '#e2c5ff',
  '#9be9f0',
  '#ffffff',
]
const TEXT = '#c9d1d9'
const GROUND = '#0d1117'

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** One frame: cells of the same look that follow each other are one text. */
function frame(terminal: xterm.Terminal): string {
  const { active } = terminal.buffer
  let drawn = ''
  for (let row = 0; row < terminal.rows; row++) {
    const line = active.getLine(active.baseY + row)!
    const y = TOP + row * LINE
    let run = { text: '', at: 0, look: '' }
    const flush = (): void => {
      if (run.text.trim() !== '')
        drawn += `<text x="${(LEFT + run.at * CHARACTER).toFixed(1)}" y="${y}" ${run.look}>${escaped(run.text.trimEnd())}</text>`
    }
    for (let column = 0; column < terminal.cols; column++) {
      const cell = line.getCell(column)!
      const inverse = cell.isInverse() !== 0
      const color = cell.isFgPalette() ? (PALETTE[cell.getFgColor()] ?? TEXT) : TEXT
      const look = [
        `fill="${inverse ? GROUND : color}"`,
        cell.isBold() ? 'font-weight="bold"' : '',
        cell.isDim() ? 'opacity=".62"' : '',
      ]
        .filter((part) => part !== '')
        .join(' ')
      if (inverse)
        drawn += `<rect x="${(LEFT + column * CHARACTER).toFixed(1)}" y="${y - 14}" width="${CHARACTER + 0.3}" height="${LINE}" fill="${TEXT}"/>`
      const characters = cell.getChars() || ' '
      if (look !== run.look) {
        flush()
        run = { text: '', at: column, look }
      }
      run.text += characters
    }
    flush()
  }
  return drawn
}

const home = mkdtempSync(join(tmpdir(), 'picture-'))
const frames: string[] = []
await play(
  `${process.execPath} bin/scrollback.js --demo`,
  [
    { when: /invented sessions · \d+ of[\s\S]*│ Claude Code/, keys: 'why did' },
    { when: /why did█[\s\S]*hits/, keys: ' customers pay twice' },
    { when: /pay twice█[\s\S]*twice/, keys: PICKER_KEYS.enter },
    { when: '] prompt', keys: 'q' },
  ],
  {
    cwd: process.cwd(),
    env: { HOME: home, TZ: 'UTC' },
    columns: COLUMNS,
    rows: ROWS,
    see: (terminal) => frames.push(frame(terminal)),
  },
)
const width = Math.round(COLUMNS * CHARACTER + 2 * LEFT)
const height = ROWS * LINE + TOP
const share = 100 / frames.length
const animation = frames.map((_, index) => `.f${index} { animation-delay: ${index * SHOWN}s }`).join(' ')
writeFileSync(
  'docs/pictures/picker.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="The picker: a list of sessions, a search as it is typed, and a session that is read">
<style>
text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre }
.f { opacity: 0; animation: show ${frames.length * SHOWN}s step-end infinite } ${animation}
@keyframes show { 0% { opacity: 1 } ${share}% { opacity: 0 } 100% { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { .f { animation: none } .f${frames.length - 2} { opacity: 1 } }
</style>
<rect width="100%" height="100%" rx="10" fill="${GROUND}"/>
<circle cx="22" cy="20" r="6" fill="#ff5f56"/><circle cx="42" cy="20" r="6" fill="#ffbd2e"/><circle cx="62" cy="20" r="6" fill="#27c93f"/>
${frames.map((each, index) => `<g class="f f${index}">${each}</g>`).join('\n')}
</svg>
`,
)
