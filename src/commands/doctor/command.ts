import * as z from 'zod/mini'
import { ScrollbackError } from '../../errors.ts'
import { defineCommand } from '../kit/command.ts'
import { field } from '../kit/flags.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { type Diagnosis, output } from './answer.ts'
import { diagnose } from './diagnose.ts'
import { driftOf } from './drift.ts'
import { doctorText } from './text.ts'

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'prove that no file, line or stored message is missing',
  details:
    'Compares every file with the store by size, time and content hash; --deep reads every file again and compares row by row. ' +
    'Exits with code 3 if anything is missing.',
  examples: [
    { command: 'scrollback doctor', tells: 'check what is on disk, what is stored, and what is wrong' },
    { command: 'scrollback doctor --deep', tells: 'read everything again and compare' },
    {
      command: 'scrollback doctor --drift',
      tells: 'list unknown types and fields, ready for an issue',
    },
    {
      command: "scrollback doctor --json | jq '.artifacts[] | select(.problems != [])'",
      tells: 'for programs',
    },
  ],
  input: z.object({
    deep: field.flag({ description: 'read every file again and compare the store with it, row by row' }),
    drift: field.flag({
      description: 'only list unknown types and fields in your files, with counts',
    }),
  }),
  output,
  run(input, context): Diagnosis {
    const fresh = freshStore(context)
    if (!fresh)
      throw new ScrollbackError(
        'bad-option',
        '--no-redact: not available, because the store contains no secrets',
        'Run the command without --no-redact.',
      )
    const found = diagnose(fresh, input.deep, context)
    if (!input.drift) return found
    const rows = new Map(fresh.store.sessions().map(({ session }) => [session.path, session]))
    return { ...found, drift: driftOf(fresh.found.artifacts, rows, context) }
  },
  render: doctorText,
})
