import { isShortened, type LongValues } from '../../io/long-values.ts'
import { asArray, asObject, type JsonObject } from '../../model/json.ts'
import { areArgumentsEnough, WRITTEN } from '../written-values.ts'
import { hasFailed } from './tools.ts'

/** What is read of long values: words, failures, and the answers of people. */
export const longValues: LongValues = {
  needs: {
    message: {
      system: 'nothing',
      summary: 'nothing',
      content: {
        '[]': {
          url: 'nothing',
          source: 'nothing',
          state: {
            output: 'nothing',
            attachments: 'nothing',
            metadata: { answers: 'whole', '*': 'nothing' },
            input: WRITTEN,
          },
        },
      },
    },
  },
  isEnough(entry) {
    const parts = asArray(asObject(asObject(entry)?.message)?.content) ?? []
    return parts.every((part) => isPartEnough(asObject(part) ?? {}))
  },
}

function isPartEnough({ tool, state: value }: JsonObject): boolean {
  const state = asObject(value) ?? {}
  if (isShortened(state.output) && hasFailed(tool, state)) return false
  return areArgumentsEnough(tool, state.input)
}
