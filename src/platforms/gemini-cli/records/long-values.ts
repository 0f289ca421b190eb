import { isShortened, type LongValues, mayContain, type Needs } from '../../../io/long-values.ts'
import { asArray, asObject } from '../../../model/json.ts'
import { areArgumentsEnough, WRITTEN } from '../../written-values.ts'

const CONTENT: Needs = { '[]': { functionResponse: 'nothing', inlineData: { data: 'nothing' } } }

/** What is read of long values: words, and how calls ended. */
export const longValues: LongValues = {
  needs: {
    content: CONTENT,
    thoughts: 'nothing',
    toolCalls: {
      '[]': {
        args: WRITTEN,
        resultDisplay: 'nothing',
        result: {
          '[]': {
            functionResponse: {
              response: { output: (value) => (mayContain(value, [EXIT]) ? 'whole' : 'nothing') },
            },
          },
        },
      },
    },
    $set: { messages: { '[]': { content: CONTENT, thoughts: 'nothing', toolCalls: 'nothing' } } },
  },
  isEnough: (entry) =>
    (asArray(asObject(entry)?.toolCalls) ?? []).every((each) => {
      const call = asObject(each)
      const isRead = call?.status === 'error' && isShortened(call.result)
      return !isRead && areArgumentsEnough(call?.name, call?.args)
    }),
}

/** How a command ended is in its output. */
const EXIT = 'Exit Code:'
