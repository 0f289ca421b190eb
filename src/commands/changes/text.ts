import { styleText } from 'node:util'
import { counted, homely } from '../../render/table.ts'
import { printable, type Screen } from '../../render/terminal.ts'
import type { ChangedFile, ChangesAnswer } from './answer.ts'

/** Every changed file with its hunks, or only the list. */
export function* changesText(
  { files, subagents, added, removed }: ChangesAnswer,
  brief: boolean,
  screen: Screen,
) {
  if (files.length === 0) {
    yield 'No tool changed a file in this session.\n'
    return
  }
  for (const file of files) {
    yield `${headLine(file, screen)}\n`
    if (!brief) yield* hunkLines(file, screen)
  }
  const by = subagents.length === 0 ? '' : `, ${counted(subagents.length, 'subagent')} included`
  yield `${brief ? '' : '\n'}${counted(files.length, 'file')}, +${added} -${removed}${by}\n`
}

function headLine(
  { path, status, added, removed, edits, complete, tooLarge }: ChangedFile,
  screen: Screen,
): string {
  const counts = tooLarge ? 'too large to compare' : `+${added} -${removed}`
  const several = edits === 1 ? '' : `, ${edits} edits`
  const partly = complete || tooLarge ? '' : ', the state before is not in the transcript'
  return `${paint('bold', printable(homely(path, screen.home)), screen)}  ${status} ${counts}${several}${partly}`
}

function* hunkLines({ hunks, complete }: ChangedFile, screen: Screen): Generator<string> {
  for (const { oldStart, oldLines, newStart, newLines, lines } of hunks) {
    const at = complete ? ` -${oldStart},${oldLines} +${newStart},${newLines} @@` : ''
    yield `${paint('cyan', `@@${at}`, screen)}\n`
    for (const line of lines) yield `${painted(printable(line), screen)}\n`
  }
}

const painted = (line: string, screen: Screen): string =>
  line.startsWith('+')
    ? paint('green', line, screen)
    : line.startsWith('-')
      ? paint('red', line, screen)
      : line

const paint = (style: 'bold' | 'cyan' | 'green' | 'red', text: string, { color }: Screen): string =>
  color ? styleText(style, text, { validateStream: false }) : text
