import * as z from 'zod/mini'
import { parseBudget } from '../../condense/budget.ts'
import { STYLES } from '../../devlog/draft/styles.ts'
import { DRAFT_VOICES } from '../../devlog/draft/voice.ts'
import { field } from '../kit/fields.ts'
import { filters } from '../kit/options.ts'

/** A guide alone needs a few hundred tokens. */
const LEAST_CONTEXT = 2000
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
  style: field.choiceOr(STYLES, 'log', {
    description: 'log, tutorial, deep-dive, standup or changelog',
    placeholder: 'style',
  }),
  sessions: field.text({
    description: 'use these sessions: ids or beginnings of ids, separated by commas',
    placeholder: 'ids',
  }),
  yes: field.flag({ description: 'use the proposed sessions without asking' }),
  evidence: field.flag({ description: 'print the evidence instead of a draft' }),
  voice: field.choiceOr(DRAFT_VOICES, 'neutral', {
    description: 'who tells the story: neutral, agent or human',
    placeholder: 'voice',
  }),
  format: field.choiceOr(FORMATS, 'md', { description: 'md or html', placeholder: 'format' }),
  budget: field.checked((text) => parseBudget(text) !== undefined, 'use a number of tokens: 4k, 1500', {
    description: 'fit the draft into this many tokens, such as 4k',
    placeholder: 'tokens',
  }),
  writer: field.text({
    description:
      'have the text written by this command, which reads a prompt and prints Markdown, and check it',
    placeholder: 'command',
  }),
  strict: field.flag({
    description: 'with --writer: write nothing if the check finds anything (exit code 3)',
  }),
  writerContext: field.checked(
    (text) => (parseBudget(text) ?? 0) >= LEAST_CONTEXT,
    'use a number of tokens from 2k: 8k, 24k',
    {
      description: 'tokens that the writer reads at once, 24k by default; longer projects go in parts',
      placeholder: 'tokens',
    },
  ),
  writerTimeout: field.atLeast(1, 'must be at least 1 second', {
    description: 'stop the writer after this many seconds, 600 by default',
    placeholder: 'seconds',
  }),
  out: field.text({ description: 'write to this file', placeholder: 'file', path: 'file' }),
  force: field.flag({ description: 'overwrite an existing file' }),
  anonymize: field.flag({ description: 'replace what the leak check finds by […]' }),
  check: field.text({
    description: 'check the citations of this devlog instead of writing one',
    placeholder: 'file',
    path: 'file',
  }),
})

export type DevlogInput = z.output<typeof input>
