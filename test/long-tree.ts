import { call, claude, putClaude, text, uuid } from './records.ts'

const OUTPUT = 'one line of a long output\n'.repeat(15_000)

/** Transcripts with long tool outputs: 26 MB, so that indexing them takes long. Returns their paths. */
export const putLongTree = (home: string): string[] =>
  Array.from({ length: 32 }, (_, number) => {
    const at = (line: number): number => number * 10 + line
    return putClaude(home, uuid(at(0)), [
      claude.user(at(1), `Where do the ferns of bed ${number} grow?`),
      claude.reply(at(2), [call(`toolu_${number}`, 'Bash', { command: `cat beds/${number}` })]),
      claude.result(at(3), `toolu_${number}`, OUTPUT),
      claude.reply(at(4), [text(`In the shade of wall ${number}.`)]),
    ])
  })
