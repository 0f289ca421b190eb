import { isShortened, type LongValues, mayContain, type Needs } from '../../../io/long-values.ts'
import { asArray, asObject } from '../../../model/json.ts'
import { ENDINGS } from '../../result-text.ts'
import { areArgumentsEnough, WRITTEN } from '../../written-values.ts'
import { ASKS, ENDED } from './tools.ts'

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
              response: { output: (value) => (mayContain(value, [...ENDINGS, ENDED]) ? 'whole' : 'nothing') },
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
      const isRead = (call?.status === 'error' || call?.name === ASKS) && isShortened(call.result)
      return !isRead && areArgumentsEnough(call?.name, call?.args)
    }),
}
