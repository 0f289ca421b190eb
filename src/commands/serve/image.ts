import * as z from 'zod/mini'
import { imagesIn, type RecordImage } from '../../collect/read/images-in.ts'
import { ScrollbackError } from '../../errors.ts'
import { field } from '../kit/flags.ts'
import { sessionField } from './find-session.ts'
import { defineQuestion } from './question.ts'
import { recordAt } from './record-at.ts'

/** An image of a record. Only types that cannot contain a script. */
export const image = defineQuestion({
  name: 'image',
  summary: 'an image in a record: PNG, JPEG, GIF or WebP',
  input: z.object({
    session: sessionField,
    line: field.count({ description: 'line of the record' }),
    index: field.count({ description: 'position of the image in the record, from 0' }),
  }),
  output: () => z.object({ type: z.string(), bytes: z.instanceof(Uint8Array) }),
  run(input, context): RecordImage {
    const { record } = recordAt(input, { results: false, thinking: false }, context)
    let index = 0
    for (const found of imagesIn(record.entries)) if (index++ === (input.index ?? 0)) return found
    throw new ScrollbackError(
      'no-session',
      `Line ${input.line} has no such image.`,
      'The answer of record lists the images of a line.',
    )
  },
  file: (found) => found,
})
