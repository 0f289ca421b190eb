import * as z from 'zod/mini'
import { parseBudget } from '../../condense/budget.ts'
import { STYLES, VOICES } from '../../devlog/guide.ts'
import { filters } from '../kit/filters.ts'
import { field } from '../kit/flags.ts'

const FORMATS = ['md', 'html'] as const

export const input = z.object({
  project: field.text({
    description: 'project, agent, session, latest, or <project>:latest; without it, the current folder',
    positional: true,
  }),
  topic: field.checked((text) => text.trim() !== '', 'use at least one word', {
    description: 'only sessions with these words in messages or file names',
    placeholder: 'words',
  }),
  ...{ since: filters.since, until: filters.until, platform: filters.platform, agent: filters.agent },
  style: field.choiceOr(STYLES, 'story', {
    description:
      'what the brief asks for: story, tutorial or deep-dive; or a draft that needs no writer: log, standup or changelog',
    placeholder: 'style',
  }),
  sessions: field.text({
    description: 'use these sessions: ids or beginnings of ids, separated by commas',
    placeholder: 'ids',
  }),
  yes: field.flag({ description: 'use the proposed sessions without asking' }),
  evidence: field.flag({ description: 'print the evidence as lists; --json has all of it' }),
  voice: field.choiceOr(VOICES, 'agent', {
    description: 'who tells the story: agent, human or neutral',
    placeholder: 'voice',
  }),
  format: field.choiceOr(FORMATS, 'md', { description: 'md or html', placeholder: 'format' }),
  budget: field.checked((text) => parseBudget(text) !== undefined, 'use a number of tokens: 4k, 1500', {
    description: 'fit the brief (24k by default) or draft into this many tokens, such as 8k',
    placeholder: 'tokens',
  }),
  part: field.atLeast(1, 'must be the number of a part', {
    description: 'of a long project: print the brief about this part',
    placeholder: 'n',
  }),
  code: field.flag({ description: 'add the first and the last state of the files that matter' }),
  writer: field.text({
    description: 'pipe the brief to this command, which prints Markdown, and check the text',
    placeholder: 'command',
  }),
  strict: field.flag({
    description: 'with --writer: write nothing if the check finds anything (exit code 3)',
  }),
  writerTimeout: field.atLeast(1, 'must be at least 1 second', {
    description: 'stop the writer after this many seconds, 600 by default',
    placeholder: 'seconds',
  }),
  out: field.text({
    description: 'write to this file; a long project also gets one for every part',
    placeholder: 'file',
    path: 'file',
  }),
  force: field.flag({ description: 'overwrite an existing file' }),
  anonymize: field.flag({ description: 'replace what the leak check finds by […]' }),
  check: field.text({
    description: 'look up the citations, quotes, numbers, names and dates of this text',
    placeholder: 'file',
    path: 'file',
  }),
})

export type DevlogInput = z.output<typeof input>
