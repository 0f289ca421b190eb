import { isShortened, type LongValues, mayContain } from '../../../io/long-values.ts'
import { asArray, asObject } from '../../../model/json.ts'
import { ENDINGS } from '../../result-text.ts'
import { areArgumentsEnough, WRITTEN } from '../../written-values.ts'

/** What is read of long values: words, and how calls ended. */
export const longValues: LongValues = {
  needs: {
    message: {
      parts: {
        '[]': {
          functionCall: { args: WRITTEN },
          functionResponse: {
            response: {
              output: (value) => (mayContain(value, ENDINGS) ? 'whole' : 'nothing'),
            },
          },
          inlineData: { data: 'nothing' },
        },
      },
    },
    toolCallResult: { resultDisplay: { answers: 'whole', '*': 'nothing' } },
    systemPayload: {
      uiEvent: { response_text: 'nothing', function_args: 'nothing' },
      snapshot: 'nothing',
      snapshots: 'nothing',
      outputHistoryItems: 'nothing',
    },
  },
  isEnough(entry) {
    const line = asObject(entry)
    const failed = asObject(line?.toolCallResult)?.status === 'error'
    return (asArray(asObject(line?.message)?.parts) ?? []).every((each) => {
      const part = asObject(each)
      const call = asObject(part?.functionCall)
      const output = asObject(asObject(part?.functionResponse)?.response)?.output
      return !(failed && isShortened(output)) && areArgumentsEnough(call?.name, call?.args)
    })
  },
}
