import * as z from 'zod/mini'
import { checkedInput } from '../../context/command.ts'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { exportSessions } from '../export/command.ts'
import { fileName } from '../export/records.ts'
import { defineQuestion, findSession, sessionField } from './question.ts'

const FORMATS = ['markdown', 'html', 'json'] as const
const TYPES: Readonly<Record<(typeof FORMATS)[number], { type: string; format: string }>> = {
  markdown: { type: 'text/markdown; charset=utf-8', format: 'md' },
  html: { type: 'text/html; charset=utf-8', format: 'html' },
  json: { type: 'application/json', format: 'json' },
}

/** One session as a file. */
export const exporting = defineQuestion({
  name: 'export',
  summary: 'a session as a download: Markdown, one HTML page, or JSON',
  input: z.object({
    session: sessionField,
    format: field.choiceOr(FORMATS, 'html', { description: FORMATS.join(', ') }),
  }),
  output: () => z.instanceof(Uint8Array),
  async run({ session, format }, context): Promise<unknown> {
    const { path } = findSession(session, freshStore(context)).session
    const given = { target: [path], format: TYPES[format].format, out: '-' }
    return exportSessions.run(checkedInput(exportSessions, given), context)
  },
  prints: ({ session = 'session', format }) => ({
    type: TYPES[format].type,
    name: `${fileName(
      session
        .replace(/^.*[\\/]/, '')
        .replace(/[^\w.-]/g, '-')
        .slice(0, 60),
    )}.${TYPES[format].format}`,
  }),
})
